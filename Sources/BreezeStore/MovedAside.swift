#if Hub
package import Foundation

/// A damaged file that was put out of the way, as it was.
package struct MovedAside: Hashable, Sendable {
    package let url: URL
    /// What the check said.
    package let reason: String

    /// What a person has to know of it. `content` is what the file held: `the apps`.
    package func notice(of content: String) -> String {
        "The file with \(content) was damaged (\(reason)) and is now \(url.path); Breeze began a new one. "
            + "To get back what can be read: sqlite3 '\(url.path)' .recover"
    }
}
#endif
