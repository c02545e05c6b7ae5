/// Looks over the bytes of a message before a MIME parser builds objects of them, and says which to leave out: a
/// hundred megabytes of headers or of boundaries would become gigabytes of objects.
///
/// It knows lines, header blocks and boundaries and no more. Feed it the message in pieces of any size; it keeps
/// little of it.
public struct MessageGuard {
    /// What to read, in order; the rest is left out.
    public private(set) var kept: [Range<Int64>] = []
    public private(set) var droppedHeaders = 0
    /// The number of the part at which the message was ended.
    public private(set) var endedAtPart: Int?

    private let limits: MailLimits
    private var boundaries: Set<[UInt8]> = []
    private var parts = 1
    private var offset: Int64 = 0
    private var keptFrom: Int64 = 0
    private var block: HeaderBlock? = HeaderBlock()
    /// The beginning of a line whose end has not come yet, and whether more of it was not kept.
    private var partial: [UInt8] = []
    private var partialStart: Int64?

    /// Enough of a line to know what it is.
    private static let longestPrefix = 1_024
    private static let mostBoundaries = 20_000
    /// More holes than this are an attack: the message ends at the last.
    private static let mostRanges = 500

    private struct HeaderBlock {
        var count = 0
        var bytes: Int64 = 0
        var valueBytes: Int64 = 0
        var isDropping = false
        var isMessage = false
    }

    public init(limits: MailLimits = MailLimits()) {
        self.limits = limits
    }

    public mutating func feed(_ bytes: UnsafeRawBufferPointer) {
        var start = 0
        while start < bytes.count, endedAtPart == nil {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
            guard let end = rest.firstIndex(of: 10) else {
                if partialStart == nil { partialStart = offset }
                partial += rest.prefix(Self.longestPrefix - min(partial.count, Self.longestPrefix))
                offset += Int64(rest.count)
                return
            }
            let length = Int64(end + 1)
            if let begun = partialStart {
                partial += rest.prefix(min(end, Self.longestPrefix - min(partial.count, Self.longestPrefix)))
                partial.withUnsafeBytes { line($0, at: begun, length: offset - begun + length) }
                partial = []
                partialStart = nil
            } else {
                line(UnsafeRawBufferPointer(rebasing: rest[..<end]), at: offset, length: length)
            }
            offset += length
            start += end + 1
        }
    }

    /// Call once, after the last piece.
    public mutating func finish() {
        if let begun = partialStart, endedAtPart == nil {
            partial.withUnsafeBytes { line($0, at: begun, length: offset - begun) }
        }
        keep(until: endedAtPart == nil ? offset : keptFrom)
    }

    private mutating func keep(until end: Int64) {
        if end > keptFrom { kept.append(keptFrom..<end) }
        keptFrom = max(keptFrom, end)
    }

    private mutating func drop(_ start: Int64, _ length: Int64) {
        keep(until: start)
        keptFrom = start + length
        if kept.count > Self.mostRanges { end(at: start) }
    }

    private mutating func end(at start: Int64) {
        keep(until: start)
        keptFrom = start
        endedAtPart = parts
    }

    private mutating func line(_ raw: UnsafeRawBufferPointer, at start: Int64, length: Int64) {
        let line = raw.last == 13 ? UnsafeRawBufferPointer(rebasing: raw.dropLast()) : raw
        if line.count >= 3, line[0] == 45, line[1] == 45, !boundaries.isEmpty, isBoundary(line) {
            parts += 1
            if parts > limits.parts { return end(at: start) }
            block = HeaderBlock()
            return
        }
        guard block != nil else {
            // A part's header block may stand where this does not look for one.
            if line.count > 10, line.count < Self.longestPrefix { learn(line) }
            return
        }
        header(line, at: start, length: length)
    }

    private mutating func header(_ line: UnsafeRawBufferPointer, at start: Int64, length: Int64) {
        guard var current = block else { return }
        if line.isEmpty {
            // The headers of an attached message follow; those in a digest's part without headers do not show.
            block = current.isMessage ? HeaderBlock() : nil
            return
        }
        defer { if block != nil { block = current } }
        let first = line[0]
        if start == 0, Self.hasPrefix(line, "From ") || Self.hasPrefix(line, ">From ") {
            return drop(start, length)
        }
        if start == 0, line.starts(with: [0xEF, 0xBB, 0xBF]) { drop(start, 3) }
        let isContinuation = (first == 32 || first == 9) && current.count > 0
        current.bytes += length
        if !isContinuation {
            current.count += 1
            current.valueBytes = 0
            current.isDropping = false
            if Self.hasPrefix(line, "content-type:") { current.isMessage = Self.contains(line, "message/") }
        }
        current.valueBytes += length
        let isOver =
            current.count > limits.headers || current.bytes > limits.headerBytes
            || current.valueBytes > limits.headerValueBytes
        if isOver || current.isDropping {
            if !current.isDropping { droppedHeaders += 1 }
            current.isDropping = true
            return drop(start, length)
        }
        learn(line)
    }

    /// Takes the boundary of a `boundary=` parameter into the set.
    private mutating func learn(_ line: UnsafeRawBufferPointer) {
        guard boundaries.count < Self.mostBoundaries, line.contains(61),
            let at = Self.index(of: "boundary", in: line), let sign = line[at...].firstIndex(of: 61)
        else { return }
        var value = line[(sign + 1)...]
        while let byte = value.first, byte == 32 || byte == 9 { value = value.dropFirst() }
        let boundary: [UInt8]
        if value.first == 34 {
            boundary = Array(value.dropFirst().prefix { $0 != 34 })
        } else {
            boundary = Array(value.prefix { $0 != 59 && $0 != 32 && $0 != 9 })
        }
        if !boundary.isEmpty, boundary.count <= 256 { boundaries.insert(boundary) }
    }

    private func isBoundary(_ line: UnsafeRawBufferPointer) -> Bool {
        var end = line.count
        while end > 2, line[end - 1] == 32 || line[end - 1] == 9 { end -= 1 }
        guard end > 2, end <= 300 else { return false }
        return boundaries.contains(Array(line[2..<end]))
    }

    private static func hasPrefix(_ line: UnsafeRawBufferPointer, _ prefix: StaticString) -> Bool {
        guard line.count >= prefix.utf8CodeUnitCount else { return false }
        return (0..<prefix.utf8CodeUnitCount).allSatisfy { line[$0] | 0x20 == prefix.utf8Start[$0] | 0x20 }
    }

    private static func contains(_ line: UnsafeRawBufferPointer, _ word: StaticString) -> Bool {
        index(of: word, in: line) != nil
    }

    /// Without regard to case; `word` is in lower case.
    private static func index(of text: StaticString, in line: UnsafeRawBufferPointer) -> Int? {
        let word = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        guard line.count >= word.count else { return nil }
        for start in 0...(line.count - word.count) where line[start] | 0x20 == word[0] {
            if (1..<word.count).allSatisfy({ line[start + $0] | 0x20 == word[$0] }) { return start }
        }
        return nil
    }
}
