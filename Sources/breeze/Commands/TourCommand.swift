import ArgumentParser
import BreezeCore
import Foundation

struct TourCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tour",
        abstract: "See what Breeze does, on real input, in a few seconds.",
        discussion: """
            Texts of your own, as arguments or one a line on standard input, are sorted into the tour's \
            categories.

            Examples:
              breeze tour
              breeze tour --mailbox ~/Mail                 indexed for this once, and only read
              breeze tour "Could we talk on Friday?" "My order never came."
            """
    )

    @OptionGroup var options: EngineOptions
    @OptionGroup(title: "Request options") var request: RequestOptions

    @Option(help: "A mailbox that the tour indexes and searches.", completion: .directory)
    var mailbox: String?

    @Argument(help: "Texts to sort; without any, standard input's lines or texts of ours.")
    var texts: [String] = []

    private struct Report: Encodable {
        var lookup: TourLookup?
        var sorted: [TourSorted]?
        var mail: TourMail?
        var chat: TourChat?
        /// Why the first two are missing.
        var failure: BreezeError?
        var timings: [TourTiming] = []
    }

    func run() async throws {
        let texts = try gatherTexts()
        let printer = TourPrinter(isQuiet: options.json)
        var tour = Tour(try await Composition(options), request)
        var report = Report()
        try printer.welcome()
        do {
            try printer.heading(1, "Meaning, not words")
            let lookup = try await tour.lookUp()
            report.lookup = lookup
            try printer.show(lookup)
            try printer.heading(2, "Your own categories, from four examples each")
            let sorted = try await tour.sort(texts)
            report.sorted = sorted
            try printer.show(sorted)
        } catch let error as BreezeError where error.code != .cancelled {
            report.failure = error
            try printer.show(error)
        }
        if let mailbox {
            try printer.heading(3, "Mail, by words and by meaning")
            let mail = try await tour.readMail(at: URL(filePath: mailbox))
            report.mail = mail
            try printer.show(mail)
        }
        try printer.heading(mailbox == nil ? 3 : 4, "Chat")
        let chat = try await tour.chat()
        report.chat = chat
        try printer.show(chat)
        report.timings = tour.timings
        try printer.show(tour.timings)
        if options.json { try JSONText.print(report) }
    }

    private func gatherTexts() throws -> [String] {
        if !texts.isEmpty { return texts }
        guard Self.inputIsGiven, StandardInput.isReady(within: 250) else { return TourTexts.unsorted }
        let data = try StandardInput.read(limit: TextFile.maximumInput)
        let lines = TextLines.split(try TextFile.text(data, from: "Standard input")).filter { !$0.isBlank }
        return lines.isEmpty ? TourTexts.unsorted : lines
    }

    /// A pipe or a file, and not a terminal or /dev/null.
    private static var inputIsGiven: Bool {
        var status = stat()
        guard fstat(STDIN_FILENO, &status) == 0 else { return false }
        return [S_IFIFO, S_IFREG].contains(status.st_mode & S_IFMT)
    }
}
