import BreezeCore
import Foundation

/// Standard input, read so that a cancelled command does not wait for it.
enum StandardInput {
    /// Milliseconds between two looks at whether the command was cancelled.
    private static let patience: Int32 = 100

    /// Everything up to the end.
    /// - Throws: ``BreezeError/Code/invalidRequest`` for more than `limit` bytes.
    static func read(limit: Int) throws -> Data {
        var data = Data()
        while let piece = try next() {
            data.append(piece)
            guard data.count <= limit else {
                throw BreezeError(
                    .invalidRequest,
                    "Standard input holds more than \(Quantity.bytes(Int64(limit))).",
                    remedy: "Give it in smaller pieces."
                )
            }
        }
        return data
    }

    /// The next bytes; `nil` at the end.
    static func next() throws -> Data? {
        while !isReady(within: patience) { try Task.checkCancellation() }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Foundation.read(STDIN_FILENO, &buffer, buffer.count)
            if count > 0 { return Data(buffer[..<count]) }
            // A stream that is not open at all has nothing to say either.
            if count == 0 || errno == EBADF { return nil }
            if errno == EINTR || errno == EAGAIN { continue }
            throw BreezeError(
                .inputOutput,
                "Standard input cannot be read: \(String(cString: strerror(errno))).",
                remedy: "Check what it is connected to."
            )
        }
    }

    /// Whether reading would return at once: with bytes, or because the end is there.
    static func isReady(within milliseconds: Int32) -> Bool {
        var descriptor = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        let count = poll(&descriptor, 1, milliseconds)
        // A signal that came meanwhile says nothing about the input.
        return count > 0 || (count < 0 && errno != EINTR)
    }
}

/// Lines that a person types.
struct LineReader {
    private var pending = Data()
    private var isAtEnd = false

    /// Without its line break; `nil` at the end.
    mutating func next() throws -> String? {
        while true {
            if let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
                let line = Data(pending[..<end])
                pending = Data(pending[pending.index(after: end)...])
                return try TextFile.text(line, from: "The line")
            }
            if isAtEnd {
                defer { pending = Data() }
                return pending.isEmpty ? nil : try TextFile.text(pending, from: "The line")
            }
            if let piece = try StandardInput.next() { pending.append(piece) } else { isAtEnd = true }
        }
    }
}
