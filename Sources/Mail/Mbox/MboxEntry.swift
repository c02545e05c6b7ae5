public import Foundation

/// One message in an mbox file.
public struct MboxEntry: Codable, Hashable, Sendable {
    /// Of its `From ` line: where an index goes on after the last message that it knows.
    public var offset: Int64
    /// Of its first header.
    public var start: Int64
    /// Bytes from ``start`` on, without the empty line that separates messages.
    public var length: Int64
    public var quoting: MboxQuoting

    public init(offset: Int64, start: Int64, length: Int64, quoting: MboxQuoting) {
        self.offset = offset
        self.start = start
        self.length = length
        self.quoting = quoting
    }

    /// The message as it was before it was put into the file, at most `limit` bytes of it.
    public func read(from file: URL, limit: Int = .max) throws -> [UInt8] {
        let handle = try FileHandle(forReadingFrom: file)
        defer { try? handle.close() }
        try handle.seek(toOffset: UInt64(max(0, start)))
        let bytes = try handle.read(upToCount: Int(clamping: min(length, Int64(limit)))) ?? Data()
        return quoting.unquoted(Array(bytes))
    }
}

/// How a line of the message that begins with `From ` is told from a separator.
public enum MboxQuoting: String, Codable, Hashable, Sendable {
    /// mboxo: `>` is put before `From `; a line that had it already is changed for good.
    case once
    /// mboxrd: `>` is put before any number of `>` and `From `, and taken away again.
    case reversible
    /// mboxcl2: nothing is changed, the length is in Content-Length.
    case none

    func unquoted(_ bytes: [UInt8]) -> [UInt8] {
        guard self != .none else { return bytes }
        let from = Array("From ".utf8)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var start = 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: 10).map { $0 + 1 } ?? bytes.count
            var line = bytes[start..<end]
            if line.first == UInt8(ascii: ">") {
                let rest = self == .once ? line.dropFirst() : line.drop { $0 == UInt8(ascii: ">") }
                if rest.starts(with: from) { line = line.dropFirst() }
            }
            result += line
            start = end
        }
        return result
    }
}
