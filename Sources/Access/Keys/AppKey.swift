package import Foundation

/// What is known of a key; the key itself is known to its app alone.
package struct AppKey: Codable, Hashable, Sendable, Identifiable {
    /// The part of the key that may be shown.
    package let id: String
    package let app: String
    /// What the owner calls it.
    package let label: String
    package let created: Date
    /// After a rotation: until when it is taken along with the new one.
    package internal(set) var expires: Date?
    package internal(set) var revoked: Date?
    /// To within a second.
    package internal(set) var lastUsed: Date?

    package func isValid(at time: Date) -> Bool {
        revoked == nil && (expires.map { time < $0 } ?? true)
    }
}

/// A new key: the one time that it can be read.
package struct IssuedKey: Sendable {
    package let key: AppKey
    private let text: String

    init(_ key: AppKey, text: String) {
        self.key = key
        self.text = text
    }

    /// To be shown to whoever will keep it, and nowhere else.
    package func reveal() -> String { text }
}

extension IssuedKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "brz_\(key.id)_•••" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
