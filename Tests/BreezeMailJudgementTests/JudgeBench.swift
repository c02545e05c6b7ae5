#if Hub
import BreezeCore
import BreezeMail
import BreezeMailIndex
import BreezeMailParser
import BreezeMailSearch
import BreezeMailSigns
import BreezeMailTestSupport
import Foundation
import Synchronization

@testable import BreezeMailClassifier
@testable import BreezeMailJudgement

/// An indexed mailbox, what judges it, and a few words that the heads know.
final class JudgeBench: Sendable {
    let mail: SearchBench
    let reader = PlainReader()
    let judge: MailJudge

    static let heads = HeadTrainer(version: "test", encoder: "bag-of-words", provenance: []).heads(corpus)

    init(heads: MailHeads = JudgeBench.heads, embedder: Bool = true) throws {
        mail = try SearchBench()
        judge = MailJudge(
            index: mail.index,
            vectors: mail.vectors,
            embedder: embedder ? mail.encoder : nil,
            reader: reader,
            classifier: MailClassifier(heads: heads)
        )
    }

    /// Another version's judge over the same index.
    func judge(heads: MailHeads) -> MailJudge {
        MailJudge(
            index: mail.index,
            vectors: mail.vectors,
            embedder: mail.encoder,
            reader: reader,
            classifier: MailClassifier(heads: heads)
        )
    }

    func queue(_ change: (inout ProcessingSettings) -> Void = { _ in }, _ judge: MailJudge? = nil)
        -> AIProcessingQueue
    {
        var settings = ProcessingSettings()
        settings.embedding.conditions = .always
        settings.embedding.batch = 4
        settings.embedding.sleep = { _ in }
        change(&settings)
        return AIProcessingQueue(judge ?? self.judge, embedder: mail.encoder, settings: settings)
    }

    /// Without `change`: of sentences that the heads were trained on, each with its kind.
    func fill() async throws {
        for (number, each) in Self.sentences.enumerated() {
            try mail.write(number + 1, "Note", each.text, from: "S\(number) <s\(number)@mail.example>")
        }
        try await mail.indexMail()
    }

    /// By the number that it was written with.
    func message(_ number: Int) async throws -> Int64 {
        try await mail.index.messages(withID: "m\(number)@example.org")[0].id
    }

    func judged(_ number: Int) async throws -> JudgedMessage? {
        try await judge.judged(try await message(number))
    }

    func category(_ number: Int) async throws -> MailCategory? { try await judged(number)?.verdict.category }

    static let sentences: [(text: String, category: MailCategory?, isUnwanted: Bool, isPhishing: Bool)] = [
        ("cheap pills for everybody", nil, true, false),
        ("confirm your password at once", nil, true, true),
        ("dinner at eight on friday", .primary, false, false),
        ("half price on all our boots", .promotions, false, false),
        ("your parcel leaves the house", .updates, false, false),
        ("she follows your pictures now", .social, false, false),
        ("the patch does not apply here", .forums, false, false),
    ]

    private static let corpus: [LabelledMail] = (0..<20).flatMap { _ in
        sentences.map { each in
            LabelledMail(
                words: MailWords(subject: "", text: each.text),
                vector: unit(BagOfWords.vector(each.text)),
                corpus: "a",
                isUnwanted: each.isUnwanted,
                isPhishing: each.isPhishing,
                category: each.category
            )
        }
    }

    private static func unit(_ vector: [Float]) -> [Float] {
        let length = vector.reduce(0) { $0 + $1 * $1 }.squareRoot()
        return vector.map { $0 / length }
    }
}

/// Reads messages in this process.
final class PlainReader: FactsReading {
    struct State: Sendable {
        var orders: [FactsOrder] = []
        /// Called with each order before it is answered.
        var before: (@Sendable (FactsOrder) throws -> Void)?
    }

    let state = Mutex(State())

    func facts(_ order: FactsOrder) async throws -> [Result<MailFacts, BreezeError>] {
        let before = state.withLock { state in
            state.orders.append(order)
            return state.before
        }
        try before?(order)
        let domains = PlainDomains()
        let signs = SignReader(domains: domains, settings: SignSettings(trustedServers: order.trustedServers))
        return order.places.map { place in
            guard let source = try? place.source(), let message = try? GMimeMessageParser().parse(source)
            else {
                return .failure(BreezeError(.inputOutput, "There is no message."))
            }
            return .success(MailFacts(message, reader: signs, domains: domains))
        }
    }
}
#endif
