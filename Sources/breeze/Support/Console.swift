import BreezeCore
import Foundation

/// The reader of standard output went away, as `head` does once it has enough.
struct OutputClosed: Error {}

/// The three standard streams. Writes go out at once, so that a pipe's reader sees an answer grow.
enum Console {
    static let isInputTerminal = isatty(STDIN_FILENO) == 1
    static let isOutputTerminal = isatty(STDOUT_FILENO) == 1
    static let isErrorTerminal = isatty(STDERR_FILENO) == 1

    static func print(_ line: String) throws {
        try write(line + "\n")
    }

    static func write(_ text: String) throws {
        guard !write(text, to: STDOUT_FILENO) else { return }
        let number = errno
        guard number != EPIPE else { throw OutputClosed() }
        throw BreezeError(
            .inputOutput,
            "Standard output cannot be written: \(String(cString: strerror(number))).",
            remedy: "Check where the output goes, and the free space there."
        )
    }

    /// A line on standard error. Nobody can be told when that one is closed.
    static func printError(_ line: String) {
        _ = write(line + "\n", to: STDERR_FILENO)
    }

    static func writeError(_ text: String) {
        _ = write(text, to: STDERR_FILENO)
    }

    private static func write(_ text: String, to descriptor: Int32) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)[...]
            while !rest.isEmpty {
                let written = UnsafeRawBufferPointer(rebasing: rest)
                    .withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
                if written < 0 {
                    if errno == EINTR || errno == EAGAIN { continue }
                    return false
                }
                rest = rest.dropFirst(written)
            }
            return true
        }
    }
}

extension String {
    /// Without the control characters that could steer a terminal: for texts that came from elsewhere.
    var printable: String {
        guard unicodeScalars.contains(where: \.steersTerminal) else { return self }
        return String(String.UnicodeScalarView(unicodeScalars.map { $0.steersTerminal ? "\u{FFFD}" : $0 }))
    }
}

extension Unicode.Scalar {
    fileprivate var steersTerminal: Bool {
        properties.generalCategory == .control && self != "\n" && self != "\t"
    }
}
