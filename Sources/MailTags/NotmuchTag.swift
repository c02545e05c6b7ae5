import BreezeCore
import Foundation

/// A tag of notmuch's. notmuch keeps its tags in its own database and, unless its user told it otherwise, leaves the
/// messages as they are.
public struct NotmuchTag: Hashable, Sendable {
    public let name: String

    /// - Throws: ``BreezeError``: `invalid_parameter` for a name that notmuch does not take.
    public init(_ name: String) throws {
        let isPlain = name.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        guard !name.isEmpty, name.utf8.count <= 200, !name.hasPrefix("-"), isPlain else {
            throw BreezeError(
                .invalidParameter,
                "notmuch takes no such tag: \(name.prefix(60).debugDescription).",
                remedy: "A tag has 1 to 200 bytes, no control characters, and does not begin with a minus."
            )
        }
        self.name = name
    }

    /// What `notmuch tag --batch` reads: a line a message. Ids with control characters, which notmuch cannot be
    /// asked for, are left out.
    public func batch(adding ids: [String]) -> String {
        ids.filter { $0.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control } }
            .map { "+\(escaped) -- id:\"\($0.replacing("\"", with: "\"\""))\"\n" }
            .joined()
    }

    /// As notmuch's batches have it: `%20` for a space.
    private var escaped: String {
        let bytes = name.utf8.flatMap { byte -> [UInt8] in
            if byte > 0x7F || Self.plain.contains(byte) { return [byte] }
            return Array("%\(String(Int(byte) + 256, radix: 16).dropFirst())".utf8)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let plain = Set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789@=.,_+-".utf8
    )
}

#if os(Linux) || os(macOS)
extension NotmuchTag {
    /// Tags the messages that notmuch knows; the others it passes over. Blocks its thread.
    /// - Throws: ``BreezeError``: `unavailable` where there is no notmuch, `run_failed` with its own words where it
    ///   refuses.
    public func add(to ids: [String]) throws {
        let process = Process()
        let (input, errors) = (Pipe(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["notmuch", "tag", "--batch"]
        (process.standardInput, process.standardError) = (input, errors)
        try process.run()
        // Its end is seen by its exit code; a pipe that it closed early must not end this process.
        try? input.fileHandleForWriting.write(contentsOf: Data(batch(adding: ids).utf8))
        try? input.fileHandleForWriting.close()
        let said = (try? errors.fileHandleForReading.readToEnd()) ?? Data()
        process.waitUntilExit()
        switch process.terminationStatus {
        case 0: return
        case 127:
            throw BreezeError(
                .unavailable,
                "There is no notmuch.",
                remedy: "Install it: sudo apt install notmuch"
            )
        default:
            throw BreezeError(
                .runFailed,
                "notmuch did not tag: \(String(decoding: said, as: UTF8.self).prefix(300))",
                remedy: "See what notmuch says of itself: notmuch config list"
            )
        }
    }
}
#endif
