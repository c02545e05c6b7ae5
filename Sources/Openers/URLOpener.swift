package import BreezeCore

/// Has the system open a URL: the answer goes to whichever program claimed its scheme.
package protocol URLOpener: Sendable {
    /// Returns when the system took it, not when anybody read it.
    /// - Throws: ``BreezeError`` `.unavailable` where no program answers to the scheme, or the system has no way.
    func open(_ url: String) async throws(BreezeError)
}

enum OpenerFault {
    /// The URL itself is in no message: it holds an answer.
    static func nobody(_ url: String, _ why: String) -> BreezeError {
        let scheme = url.prefix { $0 != ":" }
        return BreezeError(
            .unavailable,
            "The answer could not be brought to \(scheme):// (\(why)).",
            remedy: "Check that the app is installed, and registered for its scheme."
        )
    }
}
