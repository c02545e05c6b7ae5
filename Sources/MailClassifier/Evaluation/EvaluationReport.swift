/// How good the judgement is on mail that somebody labelled, and what it takes.
public struct EvaluationReport: Codable, Sendable {
    public var counts: Counts
    public var leftOut: LeftOut
    public var missing: Missing
    public var unreadable: [Unreadable]
    public var thresholds: MailClassifier.Thresholds
    /// Spam and phishing together against wanted mail: flagged as either, by the higher score.
    public var unwanted: RiskFigures
    /// Phishing against wanted mail, by its own score; mail that is labelled as spam is left aside, since few who
    /// collect spam tell phish from it.
    public var phishing: RiskFigures
    /// In the order of their names; each has one label.
    public var folders: [Folder]
    public var categories: CategoryConfusion
    public var calibration: Calibration
    public var speed: SpeedFigures
    /// By what they are about, and the most certain first.
    public var errors: [WrongVerdict]
    public var heads: Heads
    /// What is to be known beside the figures.
    public var notes: [String]

    public struct Counts: Codable, Hashable, Sendable {
        public var messages: Int
        public var wanted: Int
        public var spam: Int
        public var phishing: Int
    }

    public struct LeftOut: Codable, Hashable, Sendable {
        /// The same body as one that counts.
        public var duplicates: Int
        /// Nobody said what they are.
        public var unlabelled: Int

        public init(duplicates: Int = 0, unlabelled: Int = 0) {
            self.duplicates = duplicates
            self.unlabelled = unlabelled
        }
    }

    /// Messages that were judged without something.
    public struct Missing: Codable, Hashable, Sendable {
        public var encoder: Int
        public var headers: Int
    }

    public struct Unreadable: Codable, Hashable, Sendable {
        public var file: String
        public var code: String
        public var message: String

        public init(file: String, code: String, message: String) {
            self.file = file
            self.code = code
            self.message = message
        }
    }

    public struct Folder: Codable, Hashable, Sendable {
        public var name: String
        public var label: String
        public var messages: Int
        /// As spam, as phishing or as both.
        public var flagged: MeasuredShare
        public var flaggedAsSpam: Int
        public var flaggedAsPhishing: Int
    }

    public struct Calibration: Codable, Hashable, Sendable {
        /// Of the score for spam, which phish has too: whether the mail is unwanted.
        public var spam: CalibrationTable
        /// Without the mail that is labelled as spam.
        public var phishing: CalibrationTable
        /// Of the category's confidence: whether it was right.
        public var category: CalibrationTable
    }

    /// What the heads say of themselves.
    public struct Heads: Codable, Hashable, Sendable {
        public var version: String
        public var encoder: String
        public var provenance: [String]
        /// Of the text's part alone, on mail that was held out.
        public var scores: [String: Double]
        public var scoresMadeBy: String
    }

    /// `errors` is how many of the worst are kept, about each subject.
    public init(
        _ judged: [JudgedMail],
        by classifier: MailClassifier,
        leftOut: LeftOut = LeftOut(),
        unreadable: [Unreadable] = [],
        speed: SpeedFigures,
        errors: Int = 10
    ) {
        counts = Counts(
            messages: judged.count,
            wanted: judged.count { $0.label.kind == .wanted },
            spam: judged.count { $0.label.kind == .spam },
            phishing: judged.count { $0.label.kind == .phishing }
        )
        self.leftOut = leftOut
        self.unreadable = unreadable
        self.speed = speed
        missing = Missing(
            encoder: judged.count { $0.missing.contains(.encoder) },
            headers: judged.count { $0.missing.contains(.headers) }
        )
        thresholds = classifier.thresholds
        unwanted = RiskFigures(judged.map(\.unwantedAnswer))
        phishing = RiskFigures(judged.compactMap(\.phishingAnswer))
        folders = Self.folders(judged)
        categories = CategoryConfusion(judged.compactMap(\.categoryAnswer))
        calibration = Calibration(judged)
        self.errors = WrongVerdict.worst(judged.flatMap(\.wrong), errors)
        heads = Heads(classifier.heads)
        notes = [CategoryConfusion.note]
    }

    private static func folders(_ judged: [JudgedMail]) -> [Folder] {
        Dictionary(grouping: judged, by: \.folder).sorted { $0.key < $1.key }.map { name, mail in
            Folder(
                name: name,
                label: mail[0].label.name,
                messages: mail.count,
                flagged: MeasuredShare(mail.count { $0.isFlagged }, of: mail.count),
                flaggedAsSpam: mail.count { $0.spam.flagged },
                flaggedAsPhishing: mail.count { $0.phishing.flagged }
            )
        }
    }
}

extension EvaluationReport.Calibration {
    fileprivate init(_ judged: [JudgedMail]) {
        spam = CalibrationTable(judged.map(\.spam.score), judged.map(\.label.isUnwanted))
        let phishing = judged.compactMap(\.phishingAnswer)
        self.phishing = CalibrationTable(phishing.map(\.score), phishing.map(\.isPositive))
        let placed = judged.filter { $0.categoryAnswer != nil }
        category = CalibrationTable(placed.map(\.confidence), placed.map { $0.category == $0.label.category })
    }
}

extension EvaluationReport.Heads {
    fileprivate init(_ heads: MailHeads) {
        version = heads.version
        encoder = heads.encoder
        provenance = heads.provenance
        scores = heads.scores
        scoresMadeBy = "breeze mail train-heads --measure"
    }
}

extension JudgedMail {
    fileprivate var unwantedAnswer: RiskFigures.Answer {
        RiskFigures.Answer(
            score: max(spam.score, phishing.score),
            isFlagged: isFlagged,
            isPositive: label.isUnwanted
        )
    }

    /// `nil` for spam.
    fileprivate var phishingAnswer: RiskFigures.Answer? {
        label.kind == .spam
            ? nil
            : RiskFigures.Answer(
                score: phishing.score,
                isFlagged: phishing.flagged,
                isPositive: label.kind == .phishing
            )
    }

    /// `nil` for unwanted mail, and where nobody said the category.
    fileprivate var categoryAnswer: (is: MailCategory, said: MailCategory)? {
        label.kind == .wanted ? label.category.map { ($0, category) } : nil
    }
}
