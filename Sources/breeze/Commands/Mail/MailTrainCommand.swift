import ArgumentParser
import BreezeCore
import BreezeMailClassifier
import Foundation

struct MailTrainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "train-heads",
        abstract: "Train what judges mail, from public corpora and written examples.",
        discussion: """
            The folder of corpora holds spamassassin-2002.tar.xz and enron-spam-text.tar.xz, that of examples files of \
            one JSON object a line, as Examples/MailTraining of Breeze's source does. The same data gives the same heads. \
            With --measure they are tried on mail that was held back, which takes as long again several times over, and \
            what was found is written into them.

            Examples:
              breeze mail train-heads --data ../shared/data/mail --examples Examples/MailTraining \
            --measure heads.json
              breeze mail train-heads --data ../shared/data/mail --examples Examples/MailTraining \
            --leave-out spamassassin trial.json
              breeze mail eval --heads trial.json --label easy-ham-1=ham ~/spamassassin
            """
    )

    @OptionGroup var options: EngineOptions
    @Option(help: ArgumentHelp("Where the corpora lie.", valueName: "folder"), completion: .directory)
    var data: String
    @Option(
        help: ArgumentHelp("Where the written examples lie.", valueName: "folder"),
        completion: .directory
    )
    var examples: String
    @Option(
        name: .customLong("leave-out"),
        help: ArgumentHelp(
            "What not to learn from, to try the heads on it; may be repeated.",
            valueName: "corpus"
        )
    )
    var leftOut: [TrainingCorpora.Corpus] = []
    @Flag(help: "Say how good they are.") var measure = false
    @Argument(help: "The file to write.", completion: .file()) var file: String

    func validate() throws {
        guard corpora.contains(.written) else {
            throw ValidationError("The written examples alone say what phishing is, and which category.")
        }
        guard !measure || leftOut.isEmpty else {
            throw ValidationError("--measure holds the corpora against each other, and needs all of them.")
        }
    }

    func run() async throws {
        let line = ProgressLine(json: options.json)
        defer { line.clear() }
        let reading = TrainingCorpora(
            data: URL(filePath: data),
            examples: URL(filePath: examples),
            corpora: corpora
        )
        let mail = try await reading.read { line.show($0, detail: "", completed: 0, total: 0) }
        let embedding = TrainingVectors(engine: try await Composition(options).engine)
        let (vectors, encoder) = try await embedding.vectors(mail.map(\.facts.passage)) { done in
            line.show("embedding", detail: "", completed: Int64(done), total: Int64(mail.count))
        }
        let trainer = HeadTrainer(
            version: BreezeVersion.current,
            encoder: encoder,
            provenance: corpora.map(\.provenance)
        ) {
            line.show("training: \($0)", detail: "", completed: 0, total: 0)
        }
        let labelled = zip(mail, vectors).map { $0.labelled($1) }
        var heads = trainer.heads(labelled)
        if measure { heads.scores = HeadScores(trainer, labelled).measure() }
        line.clear()
        try heads.encoded().write(to: URL(filePath: file), options: .atomic)
        if options.json { return try JSONText.print(heads.scores) }
        try Console.print("Trained on \(mail.count) messages: \(file)".printable)
        for (name, score) in heads.scores.sorted(by: { $0.key < $1.key }) {
            try Console.print("  \(name): \(String(format: "%.4f", score))")
        }
    }

    private var corpora: [TrainingCorpora.Corpus] {
        TrainingCorpora.Corpus.allCases.filter { !leftOut.contains($0) }
    }
}
