import BreezeCore
import CSecret
import Foundation

/// A key or a password: whatever prints it, mirrors it or dumps it gets `•••`.
///
/// The memory is overwritten when the last copy is gone. That holds for this value alone: a `String` made by
/// ``reveal()`` lives as long as its user lets it, and is not overwritten.
public struct Secret: Sendable {
    private let storage: Storage

    /// Takes `text` without the blanks and line breaks around it, which come along when it is copied.
    ///
    /// `name` begins the message where the text cannot be a secret: `The Kaggle key`. The message never holds a part
    /// of the text.
    /// - Throws: ``BreezeError`` `.invalidRequest` where it is empty, too long, or holds a control character, which a
    ///   header of HTTP would take for its end.
    public init(_ text: String, named name: String) throws {
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !trimmed.isEmpty else { throw Self.fault("\(name) is empty.") }
        guard trimmed.utf8.count <= Self.longest else {
            throw Self.fault("\(name) is longer than \(Self.longest) bytes.")
        }
        guard !trimmed.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw Self.fault("\(name) holds a control character or a line break.")
        }
        storage = Storage(trimmed)
    }

    private static let longest = 8_192

    private static func fault(_ message: String) -> BreezeError {
        BreezeError(.invalidRequest, message, remedy: "Copy it anew from the service's page.")
    }

    /// The value itself, for the one place that sends it.
    public func reveal() -> String {
        storage.withBytes { String(decoding: $0, as: UTF8.self) }
    }

    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try storage.withBytes(body)
    }

    // Memory that C overwrites. Filled before anybody else sees it and never changed after, until nobody does.
    private final class Storage: @unchecked Sendable {
        private let bytes: UnsafeMutableRawBufferPointer

        init(_ text: String) {
            let count = text.utf8.count
            bytes = .allocate(byteCount: count, alignment: 1)
            bytes.copyBytes(from: text.utf8)
        }

        func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
            try withExtendedLifetime(self) { try body(UnsafeRawBufferPointer(bytes)) }
        }

        deinit {
            csecret_wipe(bytes.baseAddress, bytes.count)
            bytes.deallocate()
        }
    }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "•••" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Overwrites bytes that held a secret.
func wipe(_ bytes: inout [UInt8]) {
    bytes.withUnsafeMutableBytes { csecret_wipe($0.baseAddress, $0.count) }
}
