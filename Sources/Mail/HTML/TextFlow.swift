/// Lays out words, line breaks and quotes as plain text: space is collapsed as HTML does, and at most one empty line
/// stands between paragraphs.
struct TextFlow {
    private var bytes: [UInt8] = []
    private var pendingSpace = false
    /// Line ends to write before the next word.
    private var pendingLines = 0
    private var quoteDepth = 0

    /// Bytes so far.
    var count: Int { bytes.count }

    /// Space, or what looks like none: newsletters pad their preview line with it.
    static func isPadding(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180E, 0x200B...0x200F, 0x202A...0x202E,
            0x2060...0x2064, 0xFEFF:
            true
        default: scalar.properties.isWhitespace || scalar.value < 32
        }
    }

    mutating func append(_ run: UnsafeBufferPointer<UInt8>, isPreformatted: Bool) {
        for byte in run {
            switch byte {
            case 10 where isPreformatted: pendingLines = min(pendingLines + 1, 2)
            case 32 where isPreformatted: put(byte)
            case 9, 10, 12, 13, 32: pendingSpace = true
            case 0..<32: break
            default: put(byte)
            }
        }
    }

    mutating func space() { pendingSpace = true }

    mutating func lineBreak() { pendingLines = min(pendingLines + 1, 2) }

    mutating func block(isParagraph: Bool) {
        guard !bytes.isEmpty else { return }
        pendingLines = max(pendingLines, isParagraph ? 2 : 1)
    }

    mutating func beginQuote() {
        pendingLines = max(pendingLines, bytes.isEmpty ? 0 : 1)
        flushLines()
        quoteDepth += 1
        pendingLines = 0
        isAtLineStart = true
    }

    mutating func endQuote() {
        pendingLines = max(pendingLines, 1)
        quoteDepth = max(0, quoteDepth - 1)
    }

    private var isAtLineStart = true

    private mutating func flushLines() {
        for index in 0..<pendingLines {
            // The second of two line ends makes an empty line, which carries the mark of its quote.
            if index > 0, quoteDepth > 0 {
                bytes += [UInt8](repeating: UInt8(ascii: ">"), count: min(quoteDepth, 20))
            }
            bytes.append(10)
            isAtLineStart = true
        }
        pendingLines = 0
    }

    private mutating func put(_ byte: UInt8) {
        if pendingLines > 0 {
            if bytes.isEmpty { pendingLines = 0 }
            flushLines()
        }
        if isAtLineStart {
            if quoteDepth > 0 {
                bytes += [UInt8](repeating: UInt8(ascii: ">"), count: min(quoteDepth, 20))
                bytes.append(32)
            }
            isAtLineStart = false
        } else if pendingSpace {
            bytes.append(32)
        }
        pendingSpace = false
        bytes.append(byte)
    }

    /// What was written since `start`, a ``count`` of earlier.
    func string(from start: Int) -> String {
        String(decoding: bytes[min(start, bytes.count)...], as: UTF8.self)
    }

    mutating func finish() -> String {
        while let last = bytes.last, last == 10 || last == 32 { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }
}
