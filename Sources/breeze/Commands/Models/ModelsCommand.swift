import ArgumentParser
import BreezeCatalog
import BreezeCore
import BreezeModels
import Foundation

struct ModelsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "models",
        abstract: "Find, download, import, check and remove models.",
        discussion: """
            Examples:
              breeze models recommend
              breeze models pull qwen3-0.6b-q4_k_m
              breeze models import ~/Downloads/all-MiniLM-L6-v2
              breeze models list
            """,
        subcommands: [
            List.self, Search.self, Recommend.self, Show.self, Pull.self, Pause.self, Resume.self,
            Cancel.self,
            Import.self, Verify.self, Rollback.self, Remove.self, Prune.self, Usage.self, Licenses.self,
            CheckBundle.self,
        ]
    )
}

extension ModelsCommand {
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the installed models.",
            discussion: """
                Example:
                  breeze models list --json
                """
        )

        @OptionGroup var output: OutputOptions

        private struct Report: Encodable {
            struct Model: Encodable {
                let id: String
                let name: String
                let format: ModelFormat
                let capabilities: [AICapability]
                let size: Int64
                /// Of the weights.
                let sha256: String?
                let license: String?
                let source: String?
                let state: AvailableModel.State
            }

            let models: [Model]
            let unfinished: [String]
            let damaged: [ModelListing.Damage]
        }

        func run() throws {
            let access = try ModelAccess()
            let listing = try access.store.list()
            let models = listing.models.map(\.info)
            let unfinished = access.store.unfinishedDownloads()
            if output.json {
                let rows = models.map { info in
                    Report.Model(
                        id: info.id,
                        name: info.name,
                        format: info.format,
                        capabilities: info.capabilities,
                        size: info.size,
                        sha256: info.digest,
                        license: info.license,
                        source: info.source,
                        state: .installed
                    )
                }
                return try JSONText.print(
                    Report(models: rows, unfinished: unfinished, damaged: listing.damaged)
                )
            }
            if models.isEmpty, listing.damaged.isEmpty, unfinished.isEmpty {
                return try Console.print(
                    "No model is installed. See what suits this device: breeze models recommend"
                )
            }
            var table = Table("MODEL", "CAN DO", "SIZE", "LICENCE")
            for model in models {
                table.add(
                    model.id,
                    model.capabilities.map(\.rawValue).joined(separator: ", "),
                    Quantity.bytes(model.size),
                    (model.license ?? "not stated").printable
                )
            }
            if !models.isEmpty { try table.print() }
            for id in unfinished { try Console.print("not whole yet: \(id)") }
            for damage in listing.damaged {
                try Console.print("\n\(Style.output.bad("damaged")) \(damage.reason.printable)")
            }
        }
    }

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show what is known of an installed model.",
            discussion: """
                Example:
                  breeze models show all-minilm-l6-v2
                """
        )

        @OptionGroup var output: OutputOptions
        @Argument(help: "The model's id.") var id: String

        func run() throws {
            let manifest = try ModelAccess().store.manifest(for: id)
            if output.json { return try JSONText.print(manifest) }
            let info = manifest.info
            let encoder = manifest.encoder
            try Console.print(Style.output.bold(info.id))
            let facts: [(String, String?)] =
                [
                    ("name", info.name),
                    ("can do", info.capabilities.map(\.rawValue).joined(separator: ", ")),
                    ("runs on", info.frameworks.map(\.displayName).joined(separator: ", ")),
                    ("kind", info.architecture), ("numbers", info.quantization),
                    ("parameters", info.parameterCount.map { $0.formatted(.number.grouping(.automatic)) }),
                    ("labels", encoder?.head?.labels.joined(separator: ", ")),
                    ("prompts", encoder.flatMap { $0.prompts.isEmpty ? nil : $0.promptLine }),
                    (
                        manifest.gguf == nil ? "longest text" : "context",
                        info.contextLength.map { Quantity.count($0, "token") }
                    ),
                    ("on disk", Quantity.bytes(info.size)),
                    ("in memory", info.estimatedMemory.map { "about \(Quantity.bytes($0))" }),
                    ("licence", info.license ?? "not stated"), ("from", info.source),
                    ("weights", info.digest.map { "sha256 \($0)" }),
                ] + (manifest.gguf?.lines ?? [])
            for case (let name, let value?) in facts {
                let padding = String(repeating: " ", count: max(1, 14 - name.count))
                try Console.print("  \(name)\(padding)\(value.printable)")
            }
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Remove an installed model and give its space back.",
            discussion: """
                Asks first where it is called from a terminal.

                Example:
                  breeze models remove --yes all-minilm-l6-v2
                """
        )

        @OptionGroup var output: OutputOptions
        @Flag(help: "Do not ask.") var yes = false
        @Argument(help: "The model's id.") var id: String

        private struct Report: Encodable {
            let removed: String
            let freedBytes: Int64
        }

        func run() async throws {
            let store = try ModelAccess().store
            if !yes, !output.json, Console.isInputTerminal, Console.isOutputTerminal {
                let size = (try? store.manifest(for: id))?.info.size
                let space = size.map { " and give \(Quantity.bytes($0)) back" } ?? ""
                try Console.write("Remove \(id.printable)\(space)? [y/N] ")
                var lines = LineReader()
                let answer = try lines.next()?.lowercased() ?? ""
                guard ["y", "yes"].contains(answer) else { return try Console.print("Nothing was removed.") }
            }
            let freed = try await store.remove(id)
            if output.json { return try JSONText.print(Report(removed: id, freedBytes: freed)) }
            try Console.print("Removed \(id); \(Quantity.bytes(freed)) are free again.")
        }
    }
}

extension EncoderConfiguration {
    /// Each prompt with what it is for, the one for unstated purposes marked.
    fileprivate var promptLine: String {
        prompts.sorted { $0.key < $1.key }
            .map { "\($0.key)\($0.key == defaultPrompt ? " (default)" : "") \"\($0.value)\"" }
            .joined(separator: ", ")
    }
}

extension GGUFModelFacts {
    /// What the file says beyond what is known of every model.
    fileprivate var lines: [(String, String?)] {
        let tokens = min(contextLength, Self.usualContext)
        let cache = memory(context: tokens).keyValueCache
        let heads = "\(headCount) for queries, \(keyValueHeadCount) for keys and values"
        return [
            ("size label", sizeLabel), ("layers", "\(layerCount), each \(embeddingLength) wide"),
            ("heads", headCount > 0 ? heads : nil),
            (
                "vocabulary",
                "\(Quantity.count(vocabularySize, "token")), \(tokenizer)\(preTokenizer.map { " (\($0))" } ?? "")"
            ),
            ("chat template", capabilities.contains(.chat) ? (hasChatTemplate ? "yes" : "none") : nil),
            ("pooling", pooling?.name), ("labels", labels.isEmpty ? nil : labels.joined(separator: ", ")),
            (
                "cache",
                cache > 0 ? "\(Quantity.bytes(cache)) for \(Quantity.count(tokens, "token"))" : nil
            ),
        ]
    }
}
