import ArgumentParser
import BreezeCatalog
import BreezeCore
import BreezeDownloads
import BreezeEngine
import BreezeModels
import Foundation

extension ModelsCommand {
    struct Pull: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "pull",
            abstract: "Download a model and install it.",
            discussion: """
                Shows source, size and licence before the first byte, and asks. Ctrl-C, a lost connection, a full disk \
                or a power cut lose nothing that came: the same command goes on. Only https is used (http on \
                loopback), every byte is hashed, and what leaves the device stands in the ledger (egress.jsonl in \
                Breeze's data folder).

                Examples:
                  breeze models pull qwen3-0.6b-q4_k_m
                  breeze models pull hf:Qwen/Qwen3-0.6B-GGUF:Q8_0
                  breeze models pull kaggle:google/gemma-3/gguf/1b
                  breeze models pull https://example.org/m.gguf --sha256 HEX --name my-model --yes
                """
        )

        @OptionGroup var output: OutputOptions
        @Flag(help: "Accept source, size and licence without being asked.") var yes = false
        @Flag(help: "Accept a licence that forbids commercial use.") var nonCommercial = false
        @Flag(
            help:
                "Replace the model that is installed under the same id; breeze models rollback brings it back."
        )
        var replace = false
        @Option(help: "The id that it gets.") var name: String?
        @Option(help: ArgumentHelp("What the file must hash to.", valueName: "hex")) var sha256: String?
        @Option(help: ArgumentHelp("At most so many bytes a second: 2MiB.", valueName: "size")) var limitRate:
            String?
        @Argument(
            help: "An id of the catalog, hf:OWNER/NAME[@REVISION][:FILE], kaggle:…, https://…, or file:PATH."
        )
        var model: String

        func run() async throws {
            let manager = try ModelAccess().manager(bytesPerSecond: try limitRate.map(Self.rate))
            var plan = try await manager.plan(model, id: name, sha256: sha256)
            plan.replaces = replace
            let acceptance = try accept(plan)
            try await ModelsCommand.pull(plan, acceptance, manager, json: output.json)
        }

        private static func rate(_ text: String) throws -> Int {
            guard let bytes = ByteCount.parse(text), bytes > 0 else {
                throw ValidationError("--limit-rate takes a size such as 500KiB or 2MiB.")
            }
            return Int(clamping: bytes)
        }

        private func accept(_ plan: PullPlan) throws -> TermsAcceptance {
            if !output.json || Console.isErrorTerminal { for line in plan.lines { Console.printError(line) } }
            if yes { return TermsAcceptance(terms: true, noncommercial: nonCommercial) }
            guard Console.isInputTerminal, Console.isErrorTerminal else {
                return TermsAcceptance(terms: false)
            }
            let forbids = plan.license.commercialUse == .forbidden
            let question =
                forbids ? "Download it, for use that is not commercial? [y/N] " : "Download it? [y/N] "
            Console.writeError(question)
            var lines = LineReader()
            let answer = try lines.next()?.lowercased() ?? ""
            let isYes = ["y", "yes"].contains(answer)
            return TermsAcceptance(terms: isYes, noncommercial: isYes || nonCommercial)
        }
    }

    /// Downloads with a bar, and says what came of it.
    static func pull(
        _ plan: PullPlan,
        _ acceptance: TermsAcceptance,
        _ manager: ModelManager,
        json: Bool
    ) async throws {
        let progress = ProgressLine(json: json)
        let outcome: ImportOutcome
        do {
            outcome = try await manager.pull(plan, accepting: acceptance) { step in
                progress.show(
                    step.stage.words,
                    detail: step.detail,
                    completed: step.received,
                    total: step.total ?? 0
                )
            }
        } catch is CancellationError {
            progress.end()
            throw BreezeError(
                .cancelled,
                "The download of \(plan.id) was stopped; what came is kept.",
                remedy: "Go on with: breeze models resume \(plan.id)"
            )
        } catch {
            progress.end()
            throw error
        }
        progress.end()
        if json { return try JSONText.print(outcome) }
        let info = outcome.manifest.info
        if outcome.alreadyInstalled { return try Console.print("\(info.id) is installed already.") }
        try Console.print("Installed \(info.id), \(Quantity.bytes(info.size)). \(Import.hint(info))")
    }

    struct Resume: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "resume",
            abstract: "Go on with a download that was paused or stopped.",
            discussion: """
                Example:
                  breeze models resume qwen3-0.6b-q4_k_m
                """
        )

        @OptionGroup var output: OutputOptions
        @Argument(help: "The model's id.") var id: String

        func run() async throws {
            let manager = try ModelAccess().manager()
            // Its terms were accepted when it was begun.
            let acceptance = TermsAcceptance(terms: true, noncommercial: true)
            let plan = try manager.unfinished(id)
            try await ModelsCommand.pull(plan, acceptance, manager, json: output.json)
        }
    }

    struct Pause: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "pause",
            abstract: "Stop a download, of whichever program, and keep what came.",
            discussion: """
                Example:
                  breeze models pause qwen3-0.6b-q4_k_m
                """
        )

        @OptionGroup var output: OutputOptions
        @Argument(help: "The model's id.") var id: String

        func run() async throws {
            try ModelAccess().manager().pause(id)
            if output.json { return try JSONText.print(["paused": id]) }
            try Console.print("Paused. Go on with: breeze models resume \(id)")
        }
    }

    struct Cancel: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "cancel",
            abstract: "Stop a download, of whichever program, and remove what came.",
            discussion: """
                Example:
                  breeze models cancel qwen3-0.6b-q4_k_m
                """
        )

        @OptionGroup var output: OutputOptions
        @Argument(help: "The model's id.") var id: String

        func run() async throws {
            try await ModelAccess().manager().cancel(id)
            if output.json { return try JSONText.print(["cancelled": id]) }
            try Console.print("Cancelled; what came is removed.")
        }
    }
}

extension PullPlan {
    /// What is to be accepted.
    fileprivate var lines: [String] {
        var lines = ["\(id)", "  from     \(source.printable)"]
        lines.append("  size     \(package.size.map(Quantity.bytes) ?? "not known before the download")")
        let use =
            switch license.commercialUse {
            case .allowed: "commercial use allowed"
            case .forbidden: "commercial use FORBIDDEN"
            case .conditions: "commercial use on conditions"
            case .unknown: "nothing is known of what it allows"
            }
        lines.append("  licence  \((license.name ?? "not stated").printable), \(use)")
        if let url = license.url { lines.append("           \(url.printable)") }
        if package.offer.isGated { lines.append("  gated    its terms must be accepted at its source") }
        if let attribution = license.attribution { lines.append("  say      \(attribution.printable)") }
        return lines
    }
}

extension DownloadProgress {
    /// `12 MiB of 376 MiB, 8.1 MiB/s, 45 s left`
    fileprivate var detail: String {
        guard stage == .download else { return "" }
        var parts = [Quantity.bytes(received) + (total.map { " of \(Quantity.bytes($0))" } ?? "")]
        if bytesPerSecond > 0 { parts.append("\(Quantity.bytes(Int64(bytesPerSecond)))/s") }
        if let left = secondsLeft { parts.append("\(Int(left.rounded(.up))) s left") }
        return parts.joined(separator: ", ")
    }
}

extension DownloadStage {
    fileprivate var words: String {
        switch self {
        case .discovery: "asking"
        case .download: "downloading"
        case .extraction: "unpacking"
        case .validation: "checking"
        case .initialisation: "preparing"
        case .loading: "loading"
        case .ready: "ready"
        }
    }
}
