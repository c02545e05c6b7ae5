/// How good heads are on mail that they never saw, by the ways of the corpora that they are trained on.
public struct HeadScores: Sendable {
    private let trainer: HeadTrainer
    private let mail: [LabelledMail]

    private static let folds = 10
    /// Where ten would take too long for what they tell.
    private static let fewFolds = 5
    /// The share of wanted mail that may be lost.
    private static let lost = 0.004

    public init(_ trainer: HeadTrainer, _ mail: [LabelledMail]) {
        self.trainer = trainer
        self.mail = mail
    }

    /// The text's part of the judgement alone, but where it says otherwise: `in-domain` over ten folds of the public
    /// corpora together, then trained on one of them and tried on the other, then over five folds of everything.
    public func measure() -> [String: Double] {
        inDomain().merging(across()) { $1 }.merging(everything()) { $1 }
    }

    private var publicMail: [LabelledMail] { mail.filter { $0.corpus != "written" } }

    private func inDomain() -> [String: Double] {
        let mail = publicMail
        let together = mail.map { mail in
            var mail = mail
            (mail.corpus, mail.part) = ("together", nil)
            return mail
        }
        let odds = trainer.heldOut(together, folds: Self.folds, .spam)
        let all = Self.scores(mail, odds)
        let threshold = all.threshold(falsePositives: Self.lost)
        let hard = mail.indices.filter { mail[$0].part != nil }
        let plain = mail.indices.filter { mail[$0].part == nil }
        let whole = zip(mail, odds).map { $0.probability(.spam, text: $1) }
        var scores = [
            "in-domain area under curve": all.areaUnderCurve,
            "in-domain recall at 0.4 % lost": Self.recall(all),
            "in-domain recall at 0.4 % lost, with sender and links": Self.recall(Self.scores(mail, whole)),
            "in-domain recall at 0.4 % lost, without hard ham": Self.recall(
                Self.scores(plain.map { mail[$0] }, plain.map { odds[$0] })
            ),
        ]
        scores["in-domain hard ham lost at that"] = Self.share(hard) { odds[$0] >= threshold }
        return scores.compactMapValues { $0 }
    }

    private func across() -> [String: Double] {
        var scores: [String: Double] = [:]
        let corpora = Set(publicMail.map(\.corpus)).sorted()
        for train in corpora {
            for test in corpora where test != train {
                trainer.progress?("\(train) to \(test)")
                let tried = mail.filter { $0.corpus == test }
                let found = trainer.transfer(from: mail.filter { $0.corpus == train }, to: tried)
                for (name, odds) in [
                    ("", found.both), (", words", found.words), (", embedding", found.vector),
                ] {
                    scores["\(train) to \(test) area under curve\(name)"] =
                        Self.scores(tried, odds).areaUnderCurve
                }
                let both = Self.scores(tried, found.both)
                scores["\(train) to \(test) best F1"] = both.best.f1
                scores["\(train) to \(test) F1 at even odds"] = both.confusion(at: 0).f1
            }
        }
        return scores
    }

    private func everything() -> [String: Double] {
        var scores: [String: Double] = [:]
        let spam = trainer.heldOut(mail, folds: Self.fewFolds, .spam)
        let phishing = trainer.heldOut(mail, folds: Self.fewFolds, .phishing)
        let categories = trainer.heldOutCategories(mail, folds: Self.fewFolds)
        let written = mail.indices.filter { mail[$0].corpus == "written" }
        scores["written area under curve"] =
            Self.scores(written.map { mail[$0] }, written.map { spam[$0] }).areaUnderCurve
        scores["written area under curve, phishing against wanted"] = {
            let told = written.filter { mail[$0].isUnwanted == mail[$0].isPhishing }
            return Self.scores(told.map { mail[$0] }, told.map { phishing[$0] }).areaUnderCurve
        }()
        let sorted = written.filter { mail[$0].category != nil }
        scores["written category right"] = Self.share(sorted) { categories[$0] == mail[$0].category }
        // As a reader gets it: with sender and links, from the thresholds on.
        let thresholds = MailClassifier.Thresholds()
        func isFlagged(_ index: Int) -> Bool {
            mail[index].probability(.spam, text: spam[index]) >= thresholds.spam
                || mail[index].probability(.phishing, text: phishing[index]) >= thresholds.phishing
        }
        for (name, group) in Dictionary(grouping: mail.indices, by: { Self.name(mail[$0]) }) {
            scores["flagged, \(name)"] = Self.share(group, isFlagged)
        }
        return scores
    }

    private static func name(_ mail: LabelledMail) -> String {
        let kind = mail.isPhishing == true ? "phishing" : mail.isUnwanted == true ? "spam" : "wanted"
        return ([mail.corpus, mail.part, kind] as [String?]).compactMap(\.self).joined(separator: " ")
    }

    private static func share(_ indices: [Int], _ isTrue: (Int) -> Bool) -> Double? {
        indices.isEmpty ? nil : Double(indices.count(where: isTrue)) / Double(indices.count)
    }

    private static func recall(_ scores: BinaryScores) -> Double? {
        scores.confusion(at: scores.threshold(falsePositives: lost)).recall
    }

    private static func scores(_ mail: [LabelledMail], _ odds: [Double]) -> BinaryScores {
        BinaryScores(odds, mail.map { $0.isUnwanted ?? false })
    }
}
