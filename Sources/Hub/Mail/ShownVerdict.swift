#if Hub
import BreezeMailClassifier
import BreezeMailJudgement

/// A message's verdict, and what the owner said that counts for it.
struct ShownVerdict: Encodable {
    private let judged: JudgedMessage

    private enum Key: CodingKey { case corrections, repliesOffered }

    init(_ judged: JudgedMessage) {
        self.judged = judged
    }

    func encode(to encoder: any Encoder) throws {
        try judged.verdict.encode(to: encoder)
        var own = encoder.container(keyedBy: Key.self)
        try own.encode(judged.rules, forKey: .corrections)
        // Whether an answer or a summary may stand beside it.
        try own.encode(judged.verdict.offersReplies, forKey: .repliesOffered)
    }
}
#endif
