/// Text between its raw form and its ids: bytes, and for each byte where in the raw text it comes from.
struct WorkingText: Sendable {
    /// Valid UTF-8.
    var bytes: [UInt8]
    /// `nil` while nobody asked for offsets.
    private(set) var origins: [Range<Int>]?
    /// Whether the raw text begins with it.
    let isFirst: Bool

    init(bytes: [UInt8], origins: [Range<Int>]?, isFirst: Bool) {
        self.bytes = bytes
        self.origins = origins
        self.isFirst = isFirst
    }

    /// A part of the raw text as it is.
    init(raw: [UInt8], _ range: Range<Int>, tracksOrigins: Bool) {
        bytes = range.count == raw.count ? raw : Array(raw[range])
        isFirst = range.lowerBound == 0
        guard tracksOrigins else { return }
        var origins: [Range<Int>] = []
        origins.reserveCapacity(range.count)
        var position = range.lowerBound
        while position < range.upperBound {
            let length = UTF8Decoding.length(raw[position])
            for _ in 0..<length { origins.append(position..<position + length) }
            position += length
        }
        self.origins = origins
    }

    func part(_ range: Range<Int>) -> WorkingText {
        if range == 0..<bytes.count { return self }
        return WorkingText(
            bytes: Array(bytes[range]),
            origins: origins.map { Array($0[range]) },
            isFirst: isFirst && range.lowerBound == 0
        )
    }

    /// Where the bytes of a range come from.
    func origin(of range: Range<Int>) -> Range<Int> {
        guard let origins, !range.isEmpty else { return 0..<0 }
        var found = origins[range.lowerBound]
        for place in range.dropFirst() {
            found =
                min(
                    found.lowerBound,
                    origins[place].lowerBound
                )..<max(found.upperBound, origins[place].upperBound)
        }
        return found
    }

    /// The same text rewritten, part by part.
    func rewritten(_ body: (inout Rewriter) -> Void) -> WorkingText {
        var rewriter = Rewriter(self)
        body(&rewriter)
        return WorkingText(bytes: rewriter.bytes, origins: rewriter.origins, isFirst: isFirst)
    }

    struct Rewriter {
        let source: WorkingText
        private(set) var bytes: [UInt8] = []
        private(set) var origins: [Range<Int>]?

        fileprivate init(_ source: WorkingText) {
            self.source = source
            bytes.reserveCapacity(source.bytes.count + 16)
            if source.origins != nil { origins = [] }
        }

        mutating func keep(_ range: Range<Int>) {
            source.bytes.withUnsafeBufferPointer {
                bytes.append(contentsOf: UnsafeBufferPointer(rebasing: $0[range]))
            }
            if let known = source.origins { origins?.append(contentsOf: known[range]) }
        }

        mutating func dropLast(_ count: Int) {
            bytes.removeLast(count)
            origins?.removeLast(count)
        }

        /// What stands in for `range`; where that is empty it is counted to the character behind it.
        mutating func replace(_ range: Range<Int>, with new: some Collection<UInt8>) {
            bytes += new
            guard let known = source.origins else { return }
            let origin: Range<Int>
            if range.isEmpty {
                let end = known.last?.upperBound ?? 0
                origin = range.lowerBound < known.count ? known[range.lowerBound] : end..<end
            } else {
                origin = source.origin(of: range)
            }
            origins?.append(contentsOf: repeatElement(origin, count: new.count))
        }
    }
}

extension UTF8Decoding {
    /// The bytes of the scalar that begins with this byte.
    @inline(__always)
    static func length(_ first: UInt8) -> Int {
        first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    }
}
