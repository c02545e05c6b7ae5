import ArgumentParser
import BreezeCore
import BreezeEngine
import BreezeModels
import Foundation

extension ModelsCommand {
    struct Import: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "import",
            abstract: "Install a model from a file or a folder.",
            discussion: """
                A .gguf file holds a model for llama.cpp: a chat model, or an encoder. A folder holds a BERT-family \
                text encoder as its publisher ships it (an embedding model, a classifier or a cross-encoder): \
                config.json, model.safetensors and its tokenizer. Models in other formats are kept for the runner \
                that comes with their framework. All are only read. Nothing is left behind where \
                the import fails or is stopped.

                Examples:
                  breeze models import ~/Downloads/all-MiniLM-L6-v2
                  breeze models import --id notes-encoder ./encoder
                  breeze models import ~/Downloads/Qwen3-0.6B-Q4_K_M.gguf
                """
        )

        @OptionGroup var output: OutputOptions

        @Option(help: "The id that it gets; by default its name in lower case.")
        var id: String?

        @Flag(
            help: "Take no space again: the store and your file share their bytes where both lie on one disk."
        )
        var link = false

        @Flag(
            help:
                "Replace the model that is installed under the same id; breeze models rollback brings it back."
        )
        var replace = false

        @Argument(help: ArgumentHelp("The model's folder or file.", valueName: "path"))
        var path: String

        func run() async throws {
            let progress = ProgressLine(json: output.json)
            let outcome: ImportOutcome
            do {
                let options = ImportOptions(
                    id: id,
                    mode: link ? .link : .copy,
                    replaces: replace,
                    memoryLimit: HardwareDetectors.forThisDevice().availableMemory()
                )
                let location = URL(fileURLWithPath: path)
                outcome = try await ModelAccess().store.importModel(from: location, options) { step in
                    progress.show(step.stage.words, completed: step.completed, total: step.total)
                }
            } catch {
                progress.end()
                throw error
            }
            progress.end()
            if output.json { return try JSONText.print(outcome) }
            let info = outcome.manifest.info
            try Console.print(
                outcome.alreadyInstalled
                    ? "\(info.id) is installed already."
                    : "Installed \(info.id), \(Quantity.bytes(info.size)). \(Self.hint(info))"
            )
        }
    }
}

extension ModelsCommand.Import {
    /// What to do with it.
    static func hint(_ info: ModelInfo) -> String {
        let runnable: Set<ModelFormat> = [.gguf, .safetensors]
        guard runnable.contains(info.format), !info.capabilities.isEmpty else {
            return "Nothing in this build runs a model of the format \(info.format.name) yet."
        }
        return "Try: \(example(info))"
    }

    private static func example(_ info: ModelInfo) -> String {
        if info.capabilities.contains(.chat) { return "breeze chat --model \(info.id) \"hello\"" }
        if info.capabilities.contains(.embedding) { return "breeze embed \"a text\"" }
        if info.capabilities.contains(.rerank) { return "breeze rerank \"a query\" \"a text\" \"another\"" }
        return "breeze classify --model \(info.id) \"a text\""
    }
}

extension ImportProgress.Stage {
    fileprivate var words: String {
        switch self {
        case .waiting: "waiting for another import"
        case .comparing: "comparing"
        case .copying: "copying"
        case .converting: "converting"
        }
    }
}
