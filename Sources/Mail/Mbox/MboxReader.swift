import BreezeCore
public import Foundation

/// Splits an mbox file into its messages, one at a time, with little of it in memory.
///
/// A separator is a `From ` line with a month and a time, at the beginning of the file or after an empty line. Where a
/// message has a Content-Length after which a separator or the end of the file stands, that length holds and nothing
/// in between is taken for a separator (mboxcl, mboxcl2).
public struct MboxReader {
    private var lines: MboxLines
    /// `nil` asks for what each message shows: without a Content-Length it is ``MboxQuoting/reversible``.
    private let quoting: MboxQuoting?
    private var pending: MboxLines.Line?
    private var isAfterBlank = true

    /// It begins at `offset`, the ``MboxEntry/offset`` of a message.
    /// - Throws: ``BreezeError`` `.inputOutput` where the file cannot be opened.
    public init(_ file: URL, from offset: Int64 = 0, quoting: MboxQuoting? = nil) throws {
        lines = try MboxLines(file, at: offset)
        self.quoting = quoting
    }

    /// The next message; `nil` at the end. What precedes the first separator is no message.
    /// - Throws: ``BreezeError`` `.inputOutput` where the file cannot be read.
    public mutating func next() throws -> MboxEntry? {
        guard let separator = try separator() else { return nil }
        let start = separator.end
        var end = start
        var declared: Int64?
        var isInHeaders = true
        isAfterBlank = false
        while let line = try lines.next() {
            if isAfterBlank, Self.isSeparator(line.prefix) {
                pending = line
                return entry(separator, start, max(start, line.start - Int64(blankLength)), nil)
            }
            isAfterBlank = line.isBlank
            if line.isBlank { blankLength = Int(line.end - line.start) }
            end = line.end
            if isInHeaders {
                declared = Self.contentLength(line.prefix) ?? declared
                if line.isBlank {
                    isInHeaders = false
                    if let declared, let after = try lines.skip(to: line.end, plus: declared) {
                        isAfterBlank = true
                        return entry(separator, start, after, .some(.none))
                    }
                }
            }
        }
        // The last message too is as long as it will be when another one follows it.
        return entry(separator, start, isAfterBlank ? max(start, end - Int64(blankLength)) : end, nil)
    }

    private var blankLength = 0

    private func entry(_ separator: MboxLines.Line, _ start: Int64, _ end: Int64, _ found: MboxQuoting?)
        -> MboxEntry
    {
        MboxEntry(
            offset: separator.start,
            start: start,
            length: end - start,
            quoting: quoting ?? found ?? .reversible
        )
    }

    private mutating func separator() throws -> MboxLines.Line? {
        if let line = pending {
            pending = nil
            return line
        }
        while let line = try lines.next() {
            if isAfterBlank, Self.isSeparator(line.prefix) { return line }
            isAfterBlank = line.isBlank
        }
        return nil
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// `From sender Thu Nov 19 08:00:00 2026`, with or without a sender and a zone.
    package static func isSeparator(_ line: [UInt8]) -> Bool {
        guard line.starts(with: Array("From ".utf8)) else { return false }
        let words = String(decoding: line.prefix(300), as: UTF8.self).split(separator: " ")
        guard words.contains(where: { months.contains(String($0)) }) else { return false }
        return words.contains { word in
            let pieces = word.split(separator: ":")
            return pieces.count >= 2 && pieces.count <= 3
                && pieces.allSatisfy { !$0.isEmpty && $0.utf8.count <= 2 && Int($0) != nil }
        }
    }

    private static func contentLength(_ line: [UInt8]) -> Int64? {
        let name = "content-length:"
        guard line.count > name.utf8.count, line.count < 60 else { return nil }
        let text = String(decoding: line, as: UTF8.self)
        guard text.lowercased().hasPrefix(name) else { return nil }
        return Int64(text.dropFirst(name.count).trimmed).flatMap { $0 >= 0 ? $0 : nil }
    }
}
