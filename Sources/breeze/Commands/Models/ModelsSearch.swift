import ArgumentParser
import BreezeCatalog
import BreezeCore
import BreezeModels
import Foundation

extension ModelsCommand {
    struct Search: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "search",
            abstract: "Find models to download.",
            discussion: """
                Without --online it looks through the catalog that ships with Breeze, and sends nothing anywhere. What \
                this device cannot run is left out; --all shows it, too.

                Examples:
                  breeze models search chat
                  breeze models search --online "qwen3 0.6b" --format gguf
                  breeze models search --online --author mlx-community --format mlx
                """
        )

        @OptionGroup var output: OutputOptions
        @Flag(help: "Ask Hugging Face, too; the words go there.") var online = false
        @Flag(help: "Also what this device cannot run.") var all = false
        @Option(help: "A publisher: apple, microsoft, mlc-ai, mlx-community.") var author: String?
        @Option(help: "gguf, mlx, safetensors, onnx.") var format: String?
        @Option(help: "How many at most.") var limit = 20
        @Argument(help: "Words of its name, publisher, capability or licence.") var words: [String] = []

        private struct Report: Encodable {
            struct Entry: Encodable {
                let entry: CatalogEntry
                let fit: String
            }

            let catalog: [Entry]
            let online: [ModelOffer]
        }

        func validate() throws {
            guard (1...100).contains(limit) else { throw ValidationError("--limit takes 1 to 100.") }
        }

        func run() async throws {
            let access = try ModelAccess()
            let text = words.joined(separator: " ")
            let known = access.catalog.search(text).filter { entry in
                (format.map { entry.format.name == $0 } ?? true)
                    && (author.map { entry.repository.lowercased().hasPrefix($0.lowercased() + "/") } ?? true)
                    && (all || access.fit(of: entry.estimatedMemory).canRun)
            }
            var offers: [ModelOffer] = []
            if online {
                let query = ModelQuery(text: text, author: author, format: format, limit: limit)
                offers = try await access.manager().providers.provider("huggingface").discoverModels(query)
            }
            if output.json {
                let entries = known.map {
                    Report.Entry(entry: $0, fit: access.fit(of: $0.estimatedMemory).words)
                }
                return try JSONText.print(Report(catalog: entries, online: offers))
            }
            if known.isEmpty, offers.isEmpty {
                return try Console.print(
                    online
                        ? "Nothing was found."
                        : "The catalog has nothing like it. To ask Hugging Face: add --online"
                )
            }
            if !known.isEmpty { try print(known, access) }
            if !offers.isEmpty { try print(offers) }
            try Console.print("\nGet one with: breeze models pull MODEL")
        }

        private func print(_ entries: [CatalogEntry], _ access: ModelAccess) throws {
            var table = Table("MODEL", "CAN DO", "FORMAT", "SIZE", "LICENCE", "HERE")
            for entry in entries {
                table.add(
                    entry.id,
                    entry.capabilities.map(\.rawValue).joined(separator: ", "),
                    entry.format.name,
                    entry.downloadBytes.map(Quantity.bytes) ?? "?",
                    (entry.license ?? "not stated")
                        + (entry.status == .approved ? "" : " (\(entry.status.rawValue))"),
                    access.fit(of: entry.estimatedMemory).words
                )
            }
            try table.print()
        }

        private func print(_ offers: [ModelOffer]) throws {
            var table = Table("AT HUGGING FACE", "DOWNLOADS", "LICENCE")
            for offer in offers {
                table.add(
                    "hf:" + offer.name.printable,
                    offer.downloads.map { $0.formatted(.number.grouping(.automatic)) } ?? "",
                    (offer.license ?? "not stated").printable + (offer.isGated ? ", gated" : "")
                )
            }
            try Console.print("")
            try table.print()
        }
    }

    struct Recommend: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "recommend",
            abstract: "Say which models suit this device, and why.",
            discussion: """
                One model a capability: the best that this device can run and whose licence allows commercial use.

                Example:
                  breeze models recommend
                """
        )

        @OptionGroup var output: OutputOptions

        func run() throws {
            let access = try ModelAccess()
            let (device, budget, _) = access.memory
            let found = access.catalog.recommendations(deviceMemory: device, budget: budget)
            if output.json { return try JSONText.print(["recommendations": found]) }
            for item in found {
                let size = item.entry.downloadBytes.map(Quantity.bytes) ?? "size not known"
                try Console.print("\(Style.output.bold(item.capability.rawValue))  \(item.entry.id), \(size)")
                try Console.print("  \(item.reason)")
                try Console.print("  breeze models pull \(item.entry.id)")
            }
            if found.isEmpty {
                try Console.print("This device has too little memory for every model of the catalog.")
            }
        }
    }
}
