import ArgumentParser
import BreezeCore
import BreezeMailClassifier
import Foundation

struct MailEvalCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "eval",
        abstract: "Judge mail that you labelled, and say how often the judgement is right and what it takes.",
        discussion: """
            In the folder lies one folder for each label, with files of one message each at any depth. Labels are primary, \
            social, promotions, updates and forums (wanted mail of that category), ham or wanted (wanted mail, no category \
            said), spam, and phishing or phish. What else a folder is called, --label says. With --labels a file says of \
            each message what it is, by its Message-ID, and the folders may be any: \
            {"1@a.example": {"category": "updates", "spam": false, "phishing": false}}

            Of messages with the same body the first one counts. Nothing leaves the device, and no index is read or \
            written. The exit code is 1 where files could not be read.

            Examples:
              breeze mail eval ~/labelled
              breeze mail eval --label hard-ham=ham --label spam-2=spam ./corpus
              breeze mail eval --labels labels.json ~/Mail
              breeze mail eval --json --errors 0 ~/labelled | jq .unwanted.recall
            """
    )

    @OptionGroup var options: EngineOptions
    @Option(
        name: .customLong("label"),
        help: ArgumentHelp("What a folder holds; may be repeated.", valueName: "folder=label")
    )
    var names: [String] = []
    @Option(
        help: ArgumentHelp("JSON that says what each message is, by its Message-ID.", valueName: "file"),
        completion: .file()
    )
    var labels: String?
    @Option(
        help: ArgumentHelp(
            "Heads to judge by, in place of Breeze's own: a file of breeze mail train-heads.",
            valueName: "file"
        ),
        completion: .file()
    )
    var heads: String?
    @Option(
        help: ArgumentHelp(
            "How many of the most certain wrong answers to show: on what is wanted, on phish, on categories.",
            valueName: "count"
        )
    )
    var errors = 10
    @Option(
        name: .customLong("trust"),
        help: ArgumentHelp(
            "A mail server of yours, by the name in its Authentication-Results; may be repeated. Else the topmost counts.",
            valueName: "server"
        )
    )
    var trusted: [String] = []
    @Argument(help: "The folder of labelled mail.", completion: .directory) var folder: String

    func validate() throws {
        guard errors >= 0 else { throw ValidationError("--errors takes a number from 0 on.") }
        guard labels == nil || names.isEmpty else {
            throw ValidationError("--label names folders, and --labels has no need of their names.")
        }
        _ = try folderLabels
    }

    func run() async throws {
        let line = ProgressLine(json: options.json)
        defer { line.clear() }
        // Elsewhere a failure to find mail is to stand alone.
        if Console.isErrorTerminal { line.show("reading labelled mail", completed: 0, total: 0) }
        let mailbox =
            if let labels {
                try LabelledMailbox(folder: folder, labels: MailLabelsFile.labels(of: labels))
            } else {
                try LabelledMailbox(folder: folder, names: folderLabels)
            }
        let report = try await judge(mailbox, line)
        try Task.checkCancellation()
        line.clear()
        if mailbox.leftOut.unlabelled > 0 {
            let files = Quantity.count(mailbox.leftOut.unlabelled, "file")
            Console.printError("note: Left out, since nothing says what it is: \(files).")
        }
        if options.json {
            try JSONText.print(report)
        } else {
            for line in MailEvalText(report: report, folder: folder).lines { try Console.print(line) }
        }
        if !report.unreadable.isEmpty { throw ExitCode(1) }
    }

    private func judge(_ mailbox: LabelledMailbox, _ line: ProgressLine) async throws -> EvaluationReport {
        var (judged, unreadable, told) = ([JudgedMail](), mailbox.unreadable, 0)
        let (began, before) = (ContinuousClock.now, ResourceUse.current)
        var (wall, after) = (0.0, before)
        let judging = try MailJudging(options: options, trustedServers: trusted, heads: heads)
        _ = try await judging.judge(mailbox.items.map(\.file), input: nil, line) { answer in
            try Task.checkCancellation()
            let item = mailbox.items[told]
            told += 1
            switch answer.outcome {
            case .success(let verdict):
                judged.append(
                    JudgedMail(
                        verdict,
                        item.label,
                        file: item.file,
                        folder: item.folder,
                        seconds: answer.seconds
                    )
                )
            case .failure(let error): unreadable.append(.init(item.file, error))
            }
            // The encoder's processes end with the engine, and what they took is known for certain while they live.
            guard told == mailbox.items.count else { return }
            (wall, after) = ((ContinuousClock.now - began) / .seconds(1), ResourceUse.current)
        }
        return EvaluationReport(
            judged,
            by: judging.classifier,
            leftOut: mailbox.leftOut,
            unreadable: unreadable,
            speed: SpeedFigures(
                verdicts: judged.map(\.seconds),
                wallSeconds: wall,
                processorSeconds: after.processorSeconds - before.processorSeconds,
                peakResidentBytes: after.peakResidentBytes
            ),
            errors: errors
        )
    }

    /// By the folders' names in lower case.
    private var folderLabels: [String: MailLabel] {
        get throws {
            try names.reduce(into: [:]) { labels, name in
                // A label has no such sign, and a folder may.
                guard let equals = name.lastIndex(of: "="), equals != name.startIndex else {
                    throw ValidationError("--label takes FOLDER=LABEL, not \"\(name)\".")
                }
                let label = String(name[name.index(after: equals)...])
                guard let known = MailLabel(name: label) else {
                    throw ValidationError(
                        "No label is known as \"\(label)\". Known are \(LabelledMailbox.known)."
                    )
                }
                labels[name[..<equals].lowercased()] = known
            }
        }
    }
}

extension EvaluationReport.Unreadable {
    fileprivate init(_ file: String, _ error: BreezeError) {
        self.init(file: file, code: error.code.rawValue, message: error.message)
    }
}
