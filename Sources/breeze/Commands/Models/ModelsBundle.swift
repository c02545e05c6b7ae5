import ArgumentParser
import BreezeCatalog
import BreezeCore
import Foundation

extension ModelsCommand {
    struct CheckBundle: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check-bundle",
            abstract: "Check that an app's package holds no more than 200 MB of models.",
            discussion: """
                Larger models are downloaded once and shared through Breeze. Exit code 1 where there are more; for \
                the build of an app.

                Example:
                  breeze models check-bundle build/MyApp.app
                """
        )

        @OptionGroup var output: OutputOptions
        @Argument(help: "The app's package, a folder.") var path: String

        func run() throws {
            let check = try BundleCheck(package: URL(fileURLWithPath: path))
            if output.json {
                try JSONText.print(check)
            } else {
                for model in check.models {
                    try Console.print(
                        "\(model.path.printable)  \(model.format.name), \(Quantity.bytes(model.bytes))"
                    )
                }
                let all =
                    "\(Quantity.count(check.models.count, "model file")), \(Quantity.bytes(check.bytes))"
                let limit = Quantity.bytes(BundleCheck.limit)
                try Console.print(
                    check.isAllowed
                        ? "\(all): allowed" : "\(all): more than the \(limit) that an app may bring along"
                )
            }
            guard check.isAllowed else { throw ExitCode(1) }
        }
    }
}
