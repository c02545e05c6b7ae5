#if Hub
package import BreezeCore
package import BreezeScheme
package import Foundation

/// A question as whoever shows it to the owner gets it: all of it.
package struct ShownQuestion: Encodable, Sendable {
    package let id: String
    package let time: Date
    /// `run` or `pair`.
    package let kind: String
    /// The app's callback scheme.
    package let callback: String
    /// To run: what it would do, with which words, and the sizes of what else is in it in bytes.
    package private(set) var capability: AICapability?
    package private(set) var prompt: String?
    package private(set) var hiddenCharacters: Int?
    package private(set) var attachments: [Int]?
    package private(set) var warning: String?
    /// To pair: as the app calls itself, what it asks for, the code that both show, and whose place it takes.
    package private(set) var name: String?
    package private(set) var asked: [String: SchemeReach]?
    package private(set) var code: String?
    package private(set) var replaced: [String]?

    package init(_ standing: SchemeStore.StandingQuestion) {
        id = standing.id
        time = Date(timeIntervalSince1970: Double(standing.time) / 1_000)
        switch standing.question {
        case .run(let question):
            (kind, callback) = ("run", question.callback)
            (capability, prompt) = (question.capability, question.prompt)
            (hiddenCharacters, attachments) = (question.hiddenCharacters, question.attachments)
            warning = RunQuestion.warning
        case .pair(let question):
            (kind, callback) = ("pair", question.callback)
            (name, asked) = (question.name, question.asked)
            (code, replaced) = (question.code, question.replaced)
        }
    }
}

/// A paired app as the owner sees it.
package struct ShownSchemeApp: Encodable, Sendable {
    package let id: String
    package let name: String
    package let callback: String
    package let granted: [String: SchemeReach]
    package let paired: Date
    /// `nil` while it may ask.
    package let revoked: Date?

    package init(_ app: SchemeApp) {
        (id, name, callback) = (app.id.text, app.name, app.callback.name)
        granted = app.granted
        paired = Date(timeIntervalSince1970: Double(app.paired) / 1_000)
        revoked = app.revoked.map { Date(timeIntervalSince1970: Double($0) / 1_000) }
    }
}
#endif
