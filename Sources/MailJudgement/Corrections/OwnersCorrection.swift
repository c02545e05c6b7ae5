#if Hub
package import BreezeMailClassifier
import BreezeMailIndex
import Foundation

/// Something that the owner said, as it is kept: what about, and what is learned from it.
package struct OwnersCorrection: Sendable {
    package var rule: PersonalJudgement.Rule
    /// Of the message that it is about, where the index has it.
    package var subject: String?
    var lesson: Lesson?
    var before: Before?

    /// What it took the place of, and what counts again when it is taken back.
    struct Before: Codable, Hashable, Sendable {
        var value: String
        var made: Int64
        var lesson: Lesson?
    }

    /// ``Correction/lesson``.
    private struct Note: Codable {
        var scope: PersonalJudgement.Scope
        var lesson: Lesson?
        var before: Before?
    }

    init(_ rule: PersonalJudgement.Rule, lesson: Lesson?, before: Before?) {
        self.rule = rule
        self.lesson = lesson
        self.before = before
    }

    /// `nil` for one that is about something else, or that nobody understands.
    init?(_ correction: Correction) {
        guard let word = OwnersWord(kind: correction.kind, value: correction.value) else { return nil }
        let note = correction.lesson.flatMap { try? JSONDecoder().decode(Note.self, from: Data($0.utf8)) }
        rule = PersonalJudgement.Rule(
            note?.scope ?? Self.scope(of: correction.key),
            correction.key,
            word,
            made: correction.made
        )
        (lesson, before) = (note?.lesson, note?.before)
        lesson?.word = word
    }

    /// Of a key without a note: what another program wrote. Message-IDs and addresses look the same, and one of a
    /// sender's harms no message.
    private static func scope(of key: String) -> PersonalJudgement.Scope {
        key.contains("@") ? .sender : .list
    }

    package var kind: String { rule.word.kind }

    func correction() throws -> Correction {
        let note = try JSONEncoder().encode(Note(scope: rule.scope, lesson: lesson, before: before))
        return Correction(
            kind: kind,
            key: rule.key,
            value: rule.word.value,
            made: rule.made,
            lesson: String(decoding: note, as: UTF8.self)
        )
    }

    /// What counts when this is taken back; `nil` where nothing did before.
    var undone: OwnersCorrection? {
        guard let before, let word = OwnersWord(kind: kind, value: before.value) else { return nil }
        let rule = PersonalJudgement.Rule(rule.scope, rule.key, word, made: before.made)
        return OwnersCorrection(rule, lesson: before.lesson, before: nil)
    }

    var asBefore: Before { Before(value: rule.word.value, made: rule.made, lesson: lesson) }
}

/// For scripts and the panel.
extension PersonalJudgement.Rule: Encodable {
    private enum Key: CodingKey { case kind, scope, key, value, made }

    package func encode(to encoder: any Encoder) throws {
        var told = encoder.container(keyedBy: Key.self)
        try told.encode(word.kind, forKey: .kind)
        try told.encode(scope, forKey: .scope)
        try told.encode(key, forKey: .key)
        try told.encode(word.value, forKey: .value)
        try told.encode(made, forKey: .made)
    }
}

extension OwnersCorrection: Encodable {
    private enum Key: CodingKey { case subject }

    package func encode(to encoder: any Encoder) throws {
        try rule.encode(to: encoder)
        var told = encoder.container(keyedBy: Key.self)
        try told.encodeIfPresent(subject, forKey: .subject)
    }
}

extension OwnersWord {
    /// As in ``Correction/kind``.
    package var kind: String { if case .category = self { "category" } else { "spam" } }

    /// As in ``Correction/value``.
    package var value: String {
        switch self {
        case .category(let category): category.rawValue
        case .spam: "spam"
        case .phishing: "phishing"
        case .wanted: "no"
        }
    }

    package init?(kind: String, value: String) {
        switch (kind, value.lowercased()) {
        case ("category", let name):
            guard let category = MailCategory(rawValue: name) else { return nil }
            self = .category(category)
        case ("spam", "spam"), ("spam", "yes"): self = .spam
        case ("spam", "phishing"): self = .phishing
        case ("spam", "no"): self = .wanted
        default: return nil
        }
    }
}
#endif
