package import BreezeCore

/// Who may have the owner asked, and when: section 3 of docs/url-scheme.md as a value without I/O.
///
/// Codable, so that hub and handler share it as one row. Times are the hub's, in milliseconds since 1970.
package struct QuestionLine: Codable, Hashable, Sendable {
    package enum Place: Hashable, Sendable {
        /// Show it now.
        case ask
        /// It stands in line; ``next(at:)`` will name it.
        case wait
    }

    /// What becomes of a plain request that the owner was asked about.
    package enum Answer: Hashable, Sendable { case refused, allowed }

    private struct Question: Codable, Hashable {
        let id: String
        let callback: String
        let since: Int64
    }

    static let waitingLimit = 4
    /// How long a question waits, from when it came: in line and before the owner together.
    package static let patience: Int64 = 120_000
    static let pause: Int64 = 10_000
    static let silence: Int64 = 600_000
    static let refusalsInARow = 3

    private var asked: Question?
    private var waiting: [Question] = []
    private var lastAnswer: Int64?
    /// When each callback was refused last.
    private var refused: [String: Int64] = [:]
    private var refusalsSoFar = 0
    private var silentSince: Int64?
    private var ended: [String] = []

    package init() {}

    /// A sound plain request came. One that is shown or waits is told of its end by ``takeEnded(at:)``.
    /// `id` names it in the other calls: the hub's own, never what the request says.
    /// - Throws: ``BreezeError`` `.notPaired` for a callback that was refused a moment ago, `.rateLimited` where there
    ///   is no place.
    package mutating func add(_ id: String, from callback: CallbackScheme, at now: Int64) throws(BreezeError)
        -> Place
    {
        expire(at: now)
        if let time = refused[callback.name], Self.isWithin(Self.silence, of: time, now) {
            throw Self.notAllowed
        }
        if let time = silentSince, Self.isWithin(Self.silence, of: time, now) {
            throw SchemeFault.rateLimited("The owner is not asked now", retryAfter: time + Self.silence - now)
        }
        let question = Question(id: id, callback: callback.name, since: now)
        if asked == nil, waiting.isEmpty, !isPausing(at: now) {
            asked = question
            return .ask
        }
        guard waiting.count < Self.waitingLimit, !waiting.contains(where: { $0.callback == callback.name })
        else {
            throw SchemeFault.rateLimited("Too many questions wait already", retryAfter: Self.patience)
        }
        waiting.append(question)
        return .wait
    }

    /// The question to show now: the one that stands, or the next in line when its time has come; `nil` where none is.
    package mutating func next(at now: Int64) -> String? {
        expire(at: now)
        if asked == nil, !isPausing(at: now), !waiting.isEmpty { asked = waiting.removeFirst() }
        return asked?.id
    }

    /// The owner answered what stood before him. `false` where it stands no longer: then nothing runs.
    package mutating func answer(_ id: String, _ answer: Answer, at now: Int64) -> Bool {
        expire(at: now)
        guard let question = asked, question.id == id else { return false }
        end(question, answer, at: now)
        return true
    }

    /// The requests that ended without the owner's yes since this was called last, each to be told ``notAllowed``.
    package mutating func takeEnded(at now: Int64) -> [String] {
        expire(at: now)
        defer { ended = [] }
        return ended
    }

    /// What a caller is told whom the owner did not allow.
    package static let notAllowed = BreezeError(
        .notPaired,
        "The owner did not allow this request.",
        remedy: "Ask the owner, and send it again in ten minutes; or pair the app: breezeapp://pair."
    )

    private mutating func expire(at now: Int64) {
        refused = refused.filter { Self.isWithin(Self.silence, of: $0.value, now) }
        // One that nobody was shown says nothing about its callback.
        remove { !Self.isWithin(Self.patience, of: $0.since, now) }
        if let question = asked, !Self.isWithin(Self.patience, of: question.since, now) {
            // When it was over, and not when somebody looked.
            end(question, .refused, at: min(now, question.since + Self.patience))
        }
    }

    private mutating func end(_ question: Question, _ answer: Answer, at now: Int64) {
        asked = nil
        lastAnswer = now
        guard answer == .refused else {
            refusalsSoFar = 0
            return
        }
        ended.append(question.id)
        refused[question.callback] = now
        remove { $0.callback == question.callback }
        refusalsSoFar += 1
        guard refusalsSoFar == Self.refusalsInARow else { return }
        refusalsSoFar = 0
        silentSince = now
        remove { _ in true }
    }

    private mutating func remove(where isOver: (Question) -> Bool) {
        ended += waiting.filter(isOver).map(\.id)
        waiting.removeAll(where: isOver)
    }

    private func isPausing(at now: Int64) -> Bool {
        lastAnswer.map { Self.isWithin(Self.pause, of: $0, now) } ?? false
    }

    /// A clock that went back ends what was begun after it.
    package static func isWithin(_ length: Int64, of start: Int64, _ now: Int64) -> Bool {
        now >= start && now - start < length
    }
}
