import ArgumentParser
import BreezeCore
import BreezeModels
import Foundation

extension ModelsCommand {
    struct Verify: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "verify",
            abstract: "Hash installed models anew and say whether they are what was installed.",
            discussion: """
                Exit code 1 where one is not.

                Examples:
                  breeze models verify
                  breeze models verify qwen3-0.6b-q4_k_m
                """
        )

        @OptionGroup var output: OutputOptions
        @Argument(help: "The models' ids; all of them by default.") var ids: [String] = []

        func run() async throws {
            let store = try ModelAccess().store
            let listing = try store.list()
            let progress = ProgressLine(json: output.json)
            var reports: [VerificationReport] = []
            for id in ids.isEmpty ? listing.models.map(\.info.id) : ids {
                let report = try await store.verify(id) { step in
                    progress.show("checking \(id)", completed: step.completed, total: step.total)
                }
                reports.append(report)
            }
            progress.end()
            if output.json { try JSONText.print(["reports": reports]) }
            if !output.json {
                for report in reports {
                    let size = "\(Quantity.count(report.files, "file")), \(Quantity.bytes(report.bytes))"
                    try Console.print(
                        "\(report.isIntact ? "intact" : Style.output.bad("damaged"))  \(report.id), \(size)"
                    )
                    for fault in report.faults {
                        try Console.print(
                            "  \(fault.file.printable) hashes to \(fault.found), not \(fault.expected)"
                        )
                    }
                }
                if reports.isEmpty { try Console.print("No model is installed.") }
                for damage in listing.damaged where ids.isEmpty {
                    try Console.print("\(Style.output.bad("damaged"))  \(damage.reason.printable)")
                }
            }
            let isWhole = reports.allSatisfy(\.isIntact) && (listing.damaged.isEmpty || !ids.isEmpty)
            guard isWhole else { throw ExitCode(1) }
        }
    }

    struct Rollback: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rollback",
            abstract: "Put the model back that was replaced last.",
            discussion: """
                A second call puts the newer one back.

                Example:
                  breeze models rollback qwen3-0.6b-q4_k_m
                """
        )

        @OptionGroup var output: OutputOptions
        @Argument(help: "The model's id.") var id: String

        func run() async throws {
            let manifest = try await ModelAccess().store.rollback(id)
            if output.json { return try JSONText.print(manifest) }
            try Console.print(
                "\(id) is again what came from \((manifest.info.source ?? "its source").printable)."
            )
        }
    }

    struct Prune: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "prune",
            abstract: "Remove what nothing needs: replaced versions and files without a model.",
            discussion: """
                Examples:
                  breeze models prune
                  breeze models prune --downloads      also downloads that are not whole
                """
        )

        @OptionGroup var output: OutputOptions
        @Flag(help: "Also downloads that are not whole and that nobody is at.") var downloads = false

        func run() async throws {
            let freed = try await ModelAccess().store.prune(downloads: downloads)
            if output.json { return try JSONText.print(["freedBytes": freed]) }
            try Console.print(
                freed > 0 ? "\(Quantity.bytes(freed)) are free again." : "There was nothing to remove."
            )
        }
    }

    struct Usage: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "usage",
            abstract: "Say what the models take on disk, and what removing each gives back.",
            discussion: """
                Example:
                  breeze models usage
                """
        )

        @OptionGroup var output: OutputOptions

        func run() throws {
            let usage = try ModelAccess().store.usage()
            if output.json { return try JSONText.print(usage) }
            var table = Table("MODEL", "ON DISK", "REMOVING GIVES BACK")
            for model in usage.models.sorted(by: { $0.bytes > $1.bytes }) {
                table.add(model.id, Quantity.bytes(model.bytes), Quantity.bytes(model.ownBytes))
            }
            if !usage.models.isEmpty { try table.print() }
            let parts: [(String, Int64)] = [
                ("models", usage.blobs), ("made from models", usage.derived),
                ("replaced versions", usage.previous), ("unfinished downloads", usage.downloads),
            ]
            for (name, bytes) in parts where bytes > 0 {
                try Console.print("\(name): \(Quantity.bytes(bytes))")
            }
            let quota = usage.quota.map { " of \(Quantity.bytes($0))" } ?? ""
            let free = usage.free.map { "; \(Quantity.bytes($0)) are free on the disk" } ?? ""
            try Console.print("in all: \(Quantity.bytes(usage.total))\(quota)\(free)")
        }
    }

    struct Licenses: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "licenses",
            abstract: "Show the licences of all that is installed.",
            discussion: """
                A licence that nobody stated, or whose terms nobody read, needs review.

                Example:
                  breeze models licenses
                """,
            aliases: ["licences"]
        )

        @OptionGroup var output: OutputOptions

        private struct Row: Encodable {
            let model: String
            let license: ModelLicense
        }

        func run() throws {
            let rows = try ModelAccess().store.list().models.map {
                Row(model: $0.info.id, license: $0.license)
            }
            if output.json { return try JSONText.print(["licenses": rows]) }
            if rows.isEmpty { return try Console.print("No model is installed.") }
            var table = Table("MODEL", "LICENCE", "COMMERCIAL USE", "REDISTRIBUTION", "STATUS")
            for row in rows {
                table.add(
                    row.model,
                    (row.license.name ?? "not stated").printable,
                    row.license.commercialUse.rawValue,
                    row.license.redistribution.rawValue,
                    row.license.status.rawValue
                )
            }
            try table.print()
            for row in rows {
                guard let attribution = row.license.attribution else { continue }
                try Console.print("\n\(row.model): \(attribution.printable)")
            }
        }
    }
}
