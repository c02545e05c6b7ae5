import ArgumentParser
import BreezeArchives

/// What unpacks an archive: Breeze starts it itself and reads its answer from standard output.
struct ExtractCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "extract",
        abstract: "Unpack one archive for the program that started this one.",
        discussion: """
            Breeze starts it by itself, so that a damaged archive takes nobody along. It gives up the \
            network before it opens the archive.

            Example:
              breeze extract voice.tar.gz folder '{"totalBytes":1000000,"ratio":100,"entries":100,\
            "nameLength":1000,"depth":32}'
            """,
        shouldDisplay: false
    )

    @Argument(help: "The archive, the folder that it goes into, and the limits as JSON.")
    var order: [String] = []

    func run() throws {
        let code = ExtractionService.run(order)
        if code != 0 { throw ExitCode(code) }
    }
}
