import BreezeCore
import Foundation

/// Reads a file line by line: where each lies, and how it begins.
struct MboxLines {
    struct Line {
        var start: Int64
        /// Behind its line end.
        var end: Int64
        /// Its first bytes, without the line end.
        var prefix: [UInt8]
        var isBlank: Bool
    }

    private let handle: FileHandle
    private let path: String
    private let size: Int64
    private var buffer: [UInt8] = []
    /// Of the buffer's first byte in the file.
    private var base: Int64
    private var at = 0

    private static let chunk = 1 << 20
    private static let longestPrefix = 400

    init(_ file: URL, at offset: Int64) throws {
        path = file.path
        do {
            handle = try FileHandle(forReadingFrom: file)
            size = Int64(try handle.seekToEnd())
            try handle.seek(toOffset: UInt64(max(0, min(offset, size))))
        } catch {
            throw Self.unreadable(file.path, error)
        }
        base = max(0, min(offset, size))
    }

    mutating func next() throws -> Line? {
        var prefix: [UInt8] = []
        var start: Int64?
        while true {
            if at == buffer.count, try !fill() {
                guard let start else { return nil }
                return line(start, base + Int64(at), prefix)
            }
            let begun = start ?? base + Int64(at)
            start = begun
            let end = buffer.withUnsafeBytes { memory in
                memory[at...].firstIndex(of: 10)
            }
            let stop = end ?? buffer.count
            prefix += buffer[at..<min(stop, at + max(0, Self.longestPrefix - prefix.count))]
            at = end.map { $0 + 1 } ?? buffer.count
            if end != nil { return line(begun, base + Int64(at), prefix) }
        }
    }

    /// Moves past `length` bytes behind `offset` where a separator or the end of the file stands there.
    /// - Returns: where the message ends; `nil` where the length is wrong, and nothing has moved.
    mutating func skip(to offset: Int64, plus length: Int64) throws -> Int64? {
        guard length <= size - offset else { return nil }
        let end = offset + length
        var after = end
        // The empty line between messages is not counted.
        let probe = try bytes(at: end, count: 8)
        if probe.starts(with: [13, 10]) {
            after += 2
        } else if probe.first == 10 {
            after += 1
        }
        let follows = try bytes(at: after, count: 5)
        guard after == size || follows == Array("From ".utf8) else { return nil }
        do { try handle.seek(toOffset: UInt64(after)) } catch { throw Self.unreadable(path, error) }
        (buffer, base, at) = ([], after, 0)
        return end
    }

    private func line(_ start: Int64, _ end: Int64, _ prefix: [UInt8]) -> Line {
        let bare = prefix.last == 13 ? prefix.dropLast() : prefix[...]
        return Line(start: start, end: end, prefix: Array(bare), isBlank: bare.isEmpty)
    }

    private mutating func fill() throws -> Bool {
        base += Int64(buffer.count)
        at = 0
        do {
            buffer = Array(try handle.read(upToCount: Self.chunk) ?? Data())
        } catch {
            throw Self.unreadable(path, error)
        }
        return !buffer.isEmpty
    }

    /// The file's position is as before afterwards.
    private func bytes(at offset: Int64, count: Int) throws -> [UInt8] {
        do {
            let before = try handle.offset()
            try handle.seek(toOffset: UInt64(offset))
            let found = try handle.read(upToCount: count) ?? Data()
            try handle.seek(toOffset: before)
            return Array(found)
        } catch {
            throw Self.unreadable(path, error)
        }
    }

    private static func unreadable(_ path: String, _ error: any Error) -> BreezeError {
        BreezeError(
            .inputOutput,
            "\(path) cannot be read.",
            remedy: "Check that it is a file and that you may read it.",
            underlying: error
        )
    }
}
