import BreezeCore
import BreezeHub
import BreezeScheme
import BreezeSchemeStore
import Foundation

/// Apps that ask by URL, and what they wait for.
struct SchemeApps {
    /// `nil` where none ever asked.
    private let store: SchemeStore?

    init() throws {
        let place = SchemePlace(BreezePaths(environment: ProcessInfo.processInfo.environment))
        store = try SchemeDesk(place.file).store
    }

    func questions() throws -> [SchemeStore.StandingQuestion] {
        try store?.questions(at: SchemeDesk.now) ?? []
    }
    func all() throws -> [SchemeApp] { try store?.apps() ?? [] }

    /// By its id or its callback, of which each is one app's; `nil` where none is meant. Its name is of its own
    /// choosing, and may be another app's.
    func find(_ name: String) throws -> SchemeApp? {
        try all().first { $0.id.text == name || $0.callback.name == name }
    }

    func revoke(_ app: SchemeApp) throws { try store?.revoke(app.id, at: SchemeDesk.now) }
    func remove(_ app: SchemeApp) throws { try store?.remove(app.id) }

    /// - Throws: ``BreezeError`` `.notFound` where it waits no more, `.invalidRequest` for a word that answers
    ///   something else.
    func answer(_ id: String, _ word: String) throws {
        let known = try questions().filter { $0.id.hasPrefix(id) }
        guard let standing = known.first, known.count == 1 else {
            throw BreezeError(
                .notFound,
                known.isEmpty ? "No question \(id) waits." : "\(known.count) questions begin with \(id).",
                remedy: "See what waits: breeze apps"
            )
        }
        let answers = standing.question.answers + [(word: "refuse", answer: .refuse)]
        guard let answer = answers.first(where: { $0.word == word })?.answer else {
            throw BreezeError(
                .invalidRequest,
                "\"\(word)\" does not answer it.",
                remedy: "It takes \(answers.map(\.word).joined(separator: ", "))."
            )
        }
        guard try store?.answer(standing.id, answer) == true else {
            throw BreezeError(
                .notFound,
                "The question waits no more.",
                remedy: "The app may ask again."
            )
        }
    }
}
