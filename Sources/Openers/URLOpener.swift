public import BreezeCore

/// Has the system open a URL: it goes to whichever program claimed its scheme.
public protocol URLOpener: Sendable {
    /// Returns when the system took it, not when anybody read it.
    /// - Throws: ``BreezeError`` `.unavailable` where no program answers to the scheme, or the system has no way.
    func open(_ url: String) async throws(BreezeError)
}

enum OpenerFault {
    /// The URL itself is in no message: it holds a question, or an answer.
    static func nobody(_ url: String, _ why: String) -> BreezeError {
        let scheme = url.prefix { $0 != ":" }
        return BreezeError(
            .unavailable,
            "The system did not open \(scheme):// (\(why)).",
            remedy: "Check that the app for it is installed, and registered for its scheme."
        )
    }
}
