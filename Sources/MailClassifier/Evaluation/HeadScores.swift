/// How good heads are on mail that they never saw, by the ways of the corpora that they are trained on.
public struct HeadScores: Sendable {
    private let trainer: HeadTrainer
    private let mail: [LabelledMail]

    private static let folds = 10
    /// The share of wanted mail that may be lost.
    private static let lost = 0.004

    public init(_ trainer: HeadTrainer, _ mail: [LabelledMail]) {
        self.trainer = trainer
        self.mail = mail
    }

    /// The text's part of the judgement alone: `in-domain` over ten folds of the public corpora together, then trained
    /// on one of them and tried on the other, then the written examples over ten folds of everything.
    public func measure() -> [String: Double] {
        var scores: [String: Double] = [:]
        let old = mail.filter { $0.corpus != "written" }
        let together = old.map { mail in
            var mail = mail
            mail.corpus = "together"
            return mail
        }
        let odds = trainer.heldOut(together, folds: Self.folds) { $0.isUnwanted }
        let inDomain = BinaryScores(odds, together.map(Self.label))
        let threshold = inDomain.threshold(falsePositives: Self.lost)
        scores["in-domain recall at 0.4 % lost"] = inDomain.confusion(at: threshold).recall
        scores["in-domain area under curve"] = inDomain.areaUnderCurve
        let corpora = Set(old.map(\.corpus)).sorted()
        for train in corpora {
            for test in corpora where test != train {
                trainer.progress?("\(train) to \(test)")
                let tried = old.filter { $0.corpus == test }
                let found = trainer.transfer(from: old.filter { $0.corpus == train }, to: tried, Self.label)
                let labels = tried.map(Self.label)
                for (name, odds) in [
                    ("", found.both), (", words", found.words), (", embedding", found.vector),
                ] {
                    scores["\(train) to \(test) area under curve\(name)"] =
                        BinaryScores(odds, labels).areaUnderCurve
                }
                let both = BinaryScores(found.both, labels)
                scores["\(train) to \(test) best F1"] = both.best.f1
                scores["\(train) to \(test) F1 at even odds"] = both.confusion(at: 0).f1
            }
        }
        let written = mail.indices.filter { mail[$0].corpus == "written" }
        let all = trainer.heldOut(mail, folds: Self.folds) { $0.isUnwanted }
        scores["written area under curve"] =
            BinaryScores(written.map { all[$0] }, written.map { Self.label(mail[$0]) }).areaUnderCurve
        return scores
    }

    private static func label(_ mail: LabelledMail) -> Bool { mail.isUnwanted ?? false }
}
