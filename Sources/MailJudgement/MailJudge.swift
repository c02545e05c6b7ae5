#if Hub
package import BreezeCore
import BreezeMail
package import BreezeMailClassifier
package import BreezeMailIndex
package import BreezeMailSearch
import BreezeMailSigns
package import Foundation
import Synchronization

/// Judges the mail of an index, keeps the verdicts in it, and learns from its owner.
///
/// What it keeps is the classifier's own verdict and, apart from it, the category and the warning that come of it with
/// everything that the owner said: a correction changes these at once, and no mail is read again for it.
package final class MailJudge: Sendable {
    package let index: MailIndex
    package let vectors: MailVectors
    package let classifier: MailClassifier
    let encoder: MailEncoder?
    let limits: JudgeLimits
    /// Of the owner, by whose Authentication-Results the sender is known.
    let trustedServers: [String]
    /// Where the owner's list of known phishing domains lies, if there is one.
    private let knownPhishing: URL?
    private let reader: any FactsReading
    private let fingerprint: String
    private let personal = Mutex<(mark: PersonalMark, judgement: PersonalJudgement)?>(nil)

    /// `embedder` gets requests that may not leave the device; without one words and headers judge alone.
    package init(
        index: MailIndex,
        vectors: MailVectors,
        embedder: (any InferenceService)?,
        reader: any FactsReading,
        classifier: MailClassifier,
        trustedServers: [String] = [],
        knownPhishing: URL? = nil,
        limits: JudgeLimits = JudgeLimits()
    ) {
        self.index = index
        self.vectors = vectors
        self.reader = reader
        self.classifier = classifier
        fingerprint = classifier.heads.fingerprint
        self.trustedServers = trustedServers
        self.knownPhishing = knownPhishing
        self.limits = limits
        encoder = embedder.map { MailEncoder(service: $0, model: nil) }
    }

    /// Verdicts of another version are made again: of other rules, heads, trusted servers, or another list of domains.
    var version: String {
        let servers = trustedServers.isEmpty ? "" : "." + trustedServers.sorted().joined(separator: ",")
        let list = list.map { ".\($0.imported)-\($0.count)" } ?? ""
        return "\(MailClassifier.rules).\(fingerprint)\(servers)\(list)"
    }

    /// `nil` where there is none, or it is damaged. It may have been imported since the last time.
    private var list: KnownPhishing? { knownPhishing.flatMap { try? KnownPhishing(contentsOf: $0) } }

    var table: ResultTable { ResultTable(index: index, version: version, encoder: classifier.heads.encoder) }

    // MARK: - Judging

    /// Judges messages anew, with the vectors that they have, and keeps it.
    func judge(_ messages: [Int64], _ given: [Int64: [Float]] = [:]) async throws {
        let sources = try await table.sources(messages)
        let facts = try await facts(of: sources)
        let kept = try await knownVectors(of: messages)
        let vectors = kept.merging(given) { _, new in new }
        let judged = zip(sources, facts).map { source, facts in
            let vector = vectors[source.message]
            return ResultTable.Entry(
                message: source.message,
                sender: facts.sender,
                hasVector: vector != nil,
                verdict: classifier.verdict(facts, vector: vector)
            )
        }
        try await table.write(judged)
        try await settle(messages, kept)
    }

    /// What each is judged by: the message where it lies, else what the index has of it.
    private func facts(of sources: [ResultTable.Source]) async throws -> [MailFacts] {
        let wanted = sources.indices.filter { sources[$0].place != nil }
        let read = try await read(wanted.compactMap { sources[$0].place })
        var facts = sources.map(\.facts)
        for (index, answer) in zip(wanted, read) {
            // Another message may lie there by now.
            if case .success(let whole) = answer, whole.contentID?.hasPrefix(sources[index].digest) == true {
                facts[index] = whole
            }
        }
        return facts
    }

    /// A message that breaks the program that reads it is found by halves, and the others are read.
    private func read(_ places: [PageOrder]) async throws -> [Result<MailFacts, BreezeError>] {
        guard !places.isEmpty else { return [] }
        do {
            return try await reader.facts(
                FactsOrder(
                    places: places,
                    trustedServers: trustedServers,
                    knownPhishing: list == nil ? nil : knownPhishing?.path
                )
            )
        } catch let error as BreezeError where error.code == .runFailed {
            guard places.count > 1 else { return [.failure(error)] }
            let half = places.count / 2
            return try await read(Array(places[..<half])) + read(Array(places[half...]))
        }
    }

    // MARK: - Asking

    /// A message's verdict with what the owner said; `nil` where it was not judged yet.
    package func judged(_ message: Int64) async throws -> JudgedMessage? {
        guard let kept = try await table.kept([message]).first else { return nil }
        let vector = try await vector(of: message)
        let personal = try await personalJudgement()
        return JudgedMessage(
            verdict: personal.verdict(kept.verdict, of: kept.traits, vector: vector),
            traits: kept.traits,
            rules: personal.rules(for: kept.traits)
        )
    }

    /// Judges the message now where that was not done by these heads, within the limits: what the encoder does not
    /// answer in time is left to the queue.
    /// - Throws: ``BreezeError`` `not_found` where the index has no such message.
    package func decide(_ message: Int64, limit: Duration) async throws -> JudgedMessage {
        if try await table.isStale(message) {
            let given = try await embedded(message, limit: limit)
            try await judge([message], given)
        }
        guard let judged = try await judged(message) else {
            throw BreezeError(
                .notFound,
                "The index has no message \(message).",
                remedy: "Bring the index up to date: breeze mail index"
            )
        }
        return judged
    }

    private func embedded(_ message: Int64, limit: Duration) async throws -> [Int64: [Float]] {
        guard let encoder, try await vectors.first(of: [message], in: index).vectors.isEmpty,
            let passage = try await table.sources([message]).first?.facts.passage
        else { return [:] }
        let answer = try? await encoder.embed([passage], as: .passage, .userInitiated, limit: limit)
        try Task.checkCancellation()
        guard let answer, answer.model == classifier.heads.encoder, let vector = answer.vectors.first else {
            return [:]
        }
        return [message: vector]
    }

    /// Messages with a verdict of these heads, and all of them.
    package func progress() async throws -> (done: Int, total: Int) { try await table.progress() }

    func vector(of message: Int64) async throws -> [Float]? { try await knownVectors(of: [message])[message] }

    /// Those that are there and of the encoder that the heads know.
    private func knownVectors(of messages: [Int64]) async throws -> [Int64: [Float]] {
        let found = try await vectors.first(of: messages, in: index)
        return found.model == classifier.heads.encoder ? found.vectors : [:]
    }

    // MARK: - What the owner knows

    /// Kept until a correction or an index run changes it.
    func personalJudgement() async throws -> PersonalJudgement {
        let mark = try await index.read { try PersonalMark($0) }
        if let known = personal.withLock({ $0 }), known.mark == mark { return known.judgement }
        let source = try await index.read { try PersonalSource($0) }
        let judgement = PersonalJudgement(
            rules: source.rules,
            lessons: source.lessons,
            contacts: source.contacts,
            classifier: classifier
        )
        personal.withLock { $0 = (mark, judgement) }
        return judgement
    }

    /// Makes category and warning agree with everything that the owner said.
    /// - Returns: how many messages have another one now.
    @discardableResult
    func settle(_ messages: [Int64]) async throws -> Int {
        var changed = 0
        for start in stride(from: 0, to: messages.count, by: ResultTable.window) {
            try Task.checkCancellation()
            let some = Array(messages[start..<min(start + ResultTable.window, messages.count)])
            changed += try await settle(some, try await knownVectors(of: some))
        }
        return changed
    }

    @discardableResult
    private func settle(_ messages: [Int64], _ vectors: [Int64: [Float]]) async throws -> Int {
        let personal = try await personalJudgement()
        let settled = try await table.kept(messages).map { kept in
            let vector = vectors[kept.message]
            return (kept.message, personal.verdict(kept.verdict, of: kept.traits, vector: vector))
        }
        return try await table.settle(settled)
    }

    /// Settles all mail: what was learned from one message counts for those that are like it.
    /// - Returns: how many messages have another category or warning now.
    @discardableResult
    package func relearn() async throws -> Int {
        var (changed, last) = (0, Int64.max)
        while true {
            try Task.checkCancellation()
            let messages = try await table.judged(before: last, limit: ResultTable.window)
            guard let lowest = messages.last else { return changed }
            changed += try await settle(messages)
            last = lowest
        }
    }
}

/// A message's verdict as its owner sees it.
package struct JudgedMessage: Sendable {
    package var verdict: MailVerdict
    package var traits: PersonalJudgement.Traits
    /// What the owner said that counts for it.
    package var rules: [PersonalJudgement.Rule]
}
#endif
