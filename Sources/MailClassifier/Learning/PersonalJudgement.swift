import Foundation

/// What a mailbox's owner knows on top of the classifier: what they said of messages, senders and lists, whom they write
/// to, and who wrote before.
///
/// A value without state: the same lessons always give the same verdicts, in whatever order they were asked for.
public struct PersonalJudgement: Sendable {
    /// What a rule is about.
    public enum Scope: String, Codable, CaseIterable, Hashable, Sendable {
        case message, sender, list
    }

    /// The owner's word for a message, for all of a sender, or for all of a list.
    public struct Rule: Hashable, Sendable {
        public var scope: Scope
        /// A Message-ID, an address in lower case, or a list's identifier.
        public var key: String
        public var word: OwnersWord
        /// Seconds since 1970.
        public var made: Int64

        public init(_ scope: Scope, _ key: String, _ word: OwnersWord, made: Int64) {
            self.scope = scope
            self.key = key
            self.word = word
            self.made = made
        }
    }

    /// What is known of a message besides its verdict.
    public struct Traits: Hashable, Sendable {
        public var messageID: String
        public var sender: String?
        public var list: String?
        /// Earlier messages of the sender that nothing spoke against.
        public var earlier: Int

        public init(messageID: String, sender: String?, list: String?, earlier: Int = 0) {
            self.messageID = messageID
            self.sender = sender
            self.list = list
            self.earlier = earlier
        }
    }

    private struct Key: Hashable {
        var scope: Scope
        var name: String
        var isCategory: Bool
    }

    private var rules: [Key: Rule] = [:]
    private var counts: [Key: [OwnersWord: Int]] = [:]
    private let contacts: Set<String>
    private let head: PersonalHead
    private let dimension: Int
    private let thresholds: MailClassifier.Thresholds

    /// What half a message's worth of doubt is: one word of the owner about a sender's message counts 5.3 for the next
    /// one's category, which is more than its text and its want of other signs do, or 3 for its risk; and two that
    /// contradict each other nothing.
    private static let doubt = (category: 0.005, risk: 0.05)
    private static let contact = -4.0
    private static let mostOfHistory = 1.5

    /// `lessons` hold one for each message that the owner said something of, in that order; `contacts` are addresses in
    /// lower case that the owner writes to.
    public init(
        rules: [Rule],
        lessons: [Lesson],
        contacts: Set<String>,
        classifier: MailClassifier
    ) {
        self.contacts = contacts
        thresholds = classifier.thresholds
        dimension = classifier.heads.dimension
        head = PersonalHead(lessons, encoder: classifier.heads.encoder, dimension: dimension)
        for rule in rules {
            self.rules[Key(scope: rule.scope, name: rule.key, isCategory: rule.word.isCategory)] = rule
        }
        for lesson in lessons {
            for (scope, name) in [(Scope.sender, lesson.sender), (.list, lesson.list)] {
                guard let name else { continue }
                let key = Key(scope: scope, name: name, isCategory: lesson.word.isCategory)
                counts[key, default: [:]][lesson.word, default: 0] += 1
            }
        }
    }

    /// The classifier's own `verdict`, made with `vector` or without one, and what the owner knows besides.
    public func verdict(_ verdict: MailVerdict, of message: Traits, vector: [Float]?) -> MailVerdict {
        let vector = vector.flatMap { $0.count == dimension ? $0 : nil }
        var verdict = verdict
        judgeCategory(&verdict, message, vector)
        judgeRisk(&verdict, message, vector)
        return verdict
    }

    /// The rules that count for a message: at most one for its category and one for its risk, the narrowest.
    public func rules(for message: Traits) -> [Rule] {
        [true, false].compactMap { rule(for: message, isCategory: $0) }
    }

    private func rule(for message: Traits, isCategory: Bool) -> Rule? {
        for (scope, name) in [
            (Scope.message, message.messageID), (.sender, message.sender), (.list, message.list),
        ] {
            guard let name, let rule = rules[Key(scope: scope, name: name, isCategory: isCategory)] else {
                continue
            }
            return rule
        }
        return nil
    }

    // MARK: - Category

    private func judgeCategory(_ verdict: inout MailVerdict, _ message: Traits, _ vector: [Float]?) {
        if let rule = rule(for: message, isCategory: true), case .category(let category) = rule.word {
            verdict.category = category
            verdict.confidence = 1
            verdict.categories = Dictionary(
                uniqueKeysWithValues: MailCategory.allCases.map { ($0, $0 == category ? 1 : 0) }
            )
            verdict.note(.category, "you", "\(rule.sentence) belongs to \(category.rawValue)", 9)
            return
        }
        var sums = MailCategory.allCases.map { log(max(verdict.categories[$0] ?? 0, 1e-9)) }
        var isMoved = false
        if let vector {
            let shifts = head.categoryShifts(vector)
            for index in sums.indices { sums[index] += shifts[index] }
            let most = MailCategory.best(of: shifts)
            if most.number >= 0.1 {
                isMoved = true
                let like = "like mail that you put into \(most.category.rawValue)"
                verdict.note(.category, "learned", like, most.number)
            }
        }
        for (scope, name) in [(Scope.sender, message.sender), (.list, message.list)] {
            guard let name, let said = counts[Key(scope: scope, name: name, isCategory: true)] else {
                continue
            }
            for (index, category) in MailCategory.allCases.enumerated() {
                guard let count = said[.category(category)] else { continue }
                let weight = log((Double(count) + Self.doubt.category) / Self.doubt.category)
                sums[index] += weight
                isMoved = true
                verdict.note(
                    .category,
                    "corrections",
                    "you put \(count) of \(scope == .sender ? "this sender" : "this list") into \(category.rawValue)",
                    weight
                )
            }
        }
        guard isMoved else { return }
        let probabilities = Softmax.probabilities(sums)
        for (category, probability) in zip(MailCategory.allCases, probabilities) {
            verdict.categories[category] = probability
        }
        (verdict.category, verdict.confidence) = MailCategory.best(of: probabilities)
    }

    // MARK: - Spam and phishing

    private func judgeRisk(_ verdict: inout MailVerdict, _ message: Traits, _ vector: [Float]?) {
        // Whoever fails authentication is not who they say: nothing that is known of the sender speaks for them.
        let isDoubted = verdict.authenticationFailed
        if let rule = rule(for: message, isCategory: false),
            rule.scope == .message || !isDoubted || !rule.isPardon
        {
            verdict.spam = MailVerdict.Risk(certain: rule.word == .spam)
            verdict.phishing = MailVerdict.Risk(certain: rule.word == .phishing)
            let question: MailVerdict.Question = rule.word == .phishing ? .phishing : .spam
            verdict.note(question, "you", "\(rule.sentence) is \(rule.word.name)", rule.isPardon ? -9 : 9)
            return
        }
        for question in [MailVerdict.Question.spam, .phishing] {
            var odds = LogOdds.of(verdict[question].score)
            func count(_ kind: String, _ detail: String, _ weight: Double) {
                odds += weight
                verdict.note(question, kind, detail, weight)
            }
            if let vector {
                let shift = head.shift(question, vector)
                if shift.magnitude >= 0.1 { count("learned", "like mail that you corrected", shift) }
            }
            if let (detail, weight) = said(question, message), weight > 0 || !isDoubted {
                count("corrections", detail, weight)
            }
            if !isDoubted { know(message, count) }
            let score = LogOdds.probability(odds)
            verdict[question] = MailVerdict.Risk(score: score, flagged: score >= thresholds[question])
        }
        // Somebody whom the owner writes to sends no spam, however it reads; their account may be stolen, though.
        if !isDoubted, let sender = message.sender, contacts.contains(sender) { verdict.spam.flagged = false }
    }

    /// What the owner said of other messages of the sender or the list.
    private func said(_ question: MailVerdict.Question, _ message: Traits) -> (String, Double)? {
        var (bad, good) = (0, 0)
        for (scope, name) in [(Scope.sender, message.sender), (.list, message.list)] {
            guard let name, let said = counts[Key(scope: scope, name: name, isCategory: false)] else {
                continue
            }
            bad = max(bad, said[question == .spam ? .spam : .phishing] ?? 0)
            good = max(good, said[.wanted] ?? 0)
        }
        guard bad != good else { return nil }
        let weight = log((Double(bad) + Self.doubt.risk) / (Double(good) + Self.doubt.risk))
        let what = question == .spam ? "spam" : "phishing"
        return ("you called \(bad) of this sender \(what), and \(good) wanted", weight)
    }

    private func know(_ message: Traits, _ count: (String, String, Double) -> Void) {
        if let sender = message.sender, contacts.contains(sender) {
            count("contact", "you write to this sender", Self.contact)
        } else if message.earlier > 0 {
            let weight = -min(Self.mostOfHistory, 0.5 * log2(1 + Double(message.earlier)))
            let many =
                message.earlier >= Self.mostEarlier ? "\(Self.mostEarlier) or more" : "\(message.earlier)"
            count("history", "\(many) earlier from this sender, and nothing against them", weight)
        }
    }

    /// Earlier messages that are counted.
    public static let mostEarlier = 20
}

extension PersonalJudgement.Rule {
    /// Whether it says that something is not to be warned of.
    fileprivate var isPardon: Bool { word == .wanted }

    fileprivate var sentence: String {
        switch scope {
        case .message: "you said: this message"
        case .sender: "you said: mail of this sender"
        case .list: "you said: mail of this list"
        }
    }
}

extension OwnersWord {
    var isCategory: Bool { if case .category = self { true } else { false } }

    var name: String {
        switch self {
        case .category(let category): category.rawValue
        case .spam: "spam"
        case .phishing: "phishing"
        case .wanted: "wanted"
        }
    }
}

extension MailClassifier.Thresholds {
    fileprivate subscript(question: MailVerdict.Question) -> Double { question == .spam ? spam : phishing }
}
