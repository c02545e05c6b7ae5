/// One pass over a text: normalises, splits into words and looks their pieces up as it goes.
///
/// The work is linear in the length of the text: a word longer than the model allows is counted and not
/// stored, and a shorter one costs at most its length times the longest token's.
struct WordPieceEncoder {
    /// The first ids, as many as were asked for.
    private(set) var ids: [Int32] = []
    /// The number of ids of the whole text.
    private(set) var count = 0
    /// Bytes hashed and scalars reordered so far: the measure of work that the linearity test reads.
    private(set) var work = 0
    private(set) var map: ScalarMap
    /// Where each id comes from, where that is wanted.
    private(set) var ranges: [Range<Int>] = []

    private let model: WordPieceModel
    private let limit: Int
    private let parsesSpecial: Bool
    private let wantsOffsets: Bool
    private var word: [UInt8] = []
    private var wordLength = 0
    private var pieces: [Int32] = []
    /// Marks of non-zero combining class that wait for the end of their run, which orders them.
    private var marks: [UInt32] = []
    /// Symbols and letters that may become an added token of the normalised text, and are in no word yet.
    private var held: [UInt8] = []
    private var hashes: [UInt64] = []
    /// The scalar in hand, and where the bytes of the word, the marks and what is held come from.
    private var origin = 0..<0
    private var wordOrigins: [Range<Int>] = []
    private var markOrigins: [Range<Int>] = []
    private var heldOrigins: [Range<Int>] = []
    private var pieceEnds: [Int] = []
    /// Of a word that is longer than what is stored of it.
    private var wordRange: Range<Int>?

    init(
        _ model: WordPieceModel,
        map: ScalarMap,
        limit: Int,
        parsesSpecial: Bool = true,
        wantsOffsets: Bool = false
    ) {
        self.model = model
        self.map = map
        self.limit = limit
        self.parsesSpecial = parsesSpecial
        self.wantsOffsets = wantsOffsets
        word.reserveCapacity(4 * model.maximumWordLength)
        hashes.reserveCapacity(max(model.initial.longest, model.continuing.longest))
    }

    mutating func encode(_ text: [UInt8]) {
        var position = 0
        while position < text.count {
            if model.added.mayStart(with: text[position]),
                let match = model.added.match(in: text, at: position, hashes: &hashes)
            {
                work += hashes.count
                if let id = match.id, parsesSpecial || !model.added.specials.contains(id) {
                    releaseHeld()
                    endWord()
                    append(id, position..<match.end)
                } else {
                    encodeScalars(of: text, from: position, to: match.end)
                }
                position = match.end
            } else {
                position = encodeScalar(of: text, at: position)
            }
        }
        releaseHeld()
        endWord()
    }

    private mutating func encodeScalars(of text: [UInt8], from start: Int, to end: Int) {
        var position = start
        while position < end { position = encodeScalar(of: text, at: position) }
    }

    @inline(__always)
    private mutating func encodeScalar(of text: [UInt8], at position: Int) -> Int {
        let byte = text[position]
        if wantsOffsets { origin = position..<position + UTF8Decoding.length(byte) }
        if byte < 0x80 {
            add(map.entries[Int(byte)])
            return position + 1
        }
        let (value, length) = UTF8Decoding.scalar(in: text, at: position)
        add(map.entry(for: value))
        return position + length
    }

    @inline(__always)
    private mutating func add(_ entry: ScalarMap.Entry) {
        let kind = entry.kind
        if kind == .letter, marks.isEmpty, held.isEmpty {
            extendWord(entry.value)
        } else if kind == .space, held.isEmpty {
            endWord()
        } else {
            addUncommon(entry)
        }
    }

    private mutating func addUncommon(_ entry: ScalarMap.Entry) {
        switch entry.kind {
        case .dropped: break
        case .space:
            releaseHeld()
            endWord()
        case .barrier: orderMarks()
        case .letter where !hold(entry.value):
            orderMarks()
            extendWord(entry.value)
        case .isolated where !hold(entry.value): isolate(entry.value)
        case .letter, .isolated: break  // held
        case .mark:
            releaseHeld()
            // More of them than a word may have make it unknown, in whatever order.
            if marks.count <= model.maximumWordLength {
                marks.append(entry.value)
                if wantsOffsets { markOrigins.append(origin) }
            } else {
                wordLength += 1
            }
        case .expansion:
            for part in map.expanded(entry) { addUncommon(part) }
        }
    }

    private mutating func isolate(_ value: UInt32) {
        endWord()
        extendWord(value)
        endWord()
    }

    /// Keeps a scalar back while it may belong to an added token of the normalised text; `false` when it does
    /// not, and then nothing else is held any more.
    private mutating func hold(_ value: UInt32) -> Bool {
        guard !model.normalizedTokens.isEmpty else { return false }
        while true {
            if value < 0x80 {
                held.append(UInt8(value))
                if wantsOffsets { heldOrigins.append(origin) }
                work += held.count
                if model.normalizedTokens.isPrefix(held) { return true }
                held.removeLast()
                if wantsOffsets { heldOrigins.removeLast() }
            }
            if held.isEmpty { return false }
            releaseHeld(keepingPrefix: value < 0x80)
        }
    }

    /// Puts what is held where it belongs: tokens to the ids, anything else to words.
    ///
    /// `keepingPrefix` leaves an end of it held that some token begins with; the whole is known to be none.
    private mutating func releaseHeld(keepingPrefix: Bool = false) {
        guard !held.isEmpty else { return }
        var rest = held
        var restOrigins = heldOrigins
        let here = origin
        defer { origin = here }
        held.removeAll(keepingCapacity: true)
        heldOrigins.removeAll(keepingCapacity: true)
        while !rest.isEmpty {
            work += rest.count
            if let match = model.normalizedTokens.longestPrefix(of: rest) {
                endWord()
                append(match.id, wantsOffsets ? Self.span(restOrigins.prefix(match.length)) : 0..<0)
                rest.removeFirst(match.length)
                if wantsOffsets { restOrigins.removeFirst(match.length) }
            } else {
                let byte = rest.removeFirst()
                if wantsOffsets { origin = restOrigins.removeFirst() }
                if NormalizedTokens.isSymbol(byte) { isolate(UInt32(byte)) } else { extendWord(UInt32(byte)) }
            }
            if keepingPrefix, model.normalizedTokens.isPrefix(rest) {
                held = rest
                heldOrigins = restOrigins
                return
            }
        }
    }

    @inline(__always)
    private mutating func extendWord(_ value: UInt32) {
        wordLength += 1
        if wordLength <= model.maximumWordLength { UTF8Decoding.append(value, to: &word) }
        if wantsOffsets { followOrigin() }
    }

    private mutating func followOrigin() {
        while wordOrigins.count < word.count { wordOrigins.append(origin) }
        wordRange = Self.span([wordRange ?? origin, origin])
    }

    private static func span(_ origins: some Collection<Range<Int>>) -> Range<Int> {
        (origins.map(\.lowerBound).min() ?? 0)..<(origins.map(\.upperBound).max() ?? 0)
    }

    /// Canonical ordering: by combining class, and by place where that is the same.
    private mutating func orderMarks() {
        guard !marks.isEmpty else { return }
        work += marks.count
        let keyed = marks.enumerated().map { place, value in
            (Unicode.Scalar(value).map(BertScalarRules.combiningClass) ?? 0, place, value)
        }
        marks.removeAll(keepingCapacity: true)
        let here = origin
        for (_, place, value) in keyed.sorted(by: { ($0.0, $0.1) < ($1.0, $1.1) }) {
            if wantsOffsets { origin = markOrigins[place] }
            extendWord(value)
        }
        origin = here
        markOrigins.removeAll(keepingCapacity: true)
    }

    private mutating func endWord() {
        orderMarks()
        guard wordLength > 0 else { return }
        if wordLength > model.maximumWordLength || !splitWord() {
            append(model.unknownID, wordRange ?? 0..<0)
        } else {
            appendPieces()
        }
        if wantsOffsets {
            wordOrigins.removeAll(keepingCapacity: true)
            wordRange = nil
        }
        word.removeAll(keepingCapacity: true)
        wordLength = 0
    }

    private mutating func appendPieces() {
        guard wantsOffsets else {
            for piece in pieces { append(piece, 0..<0) }
            return
        }
        var start = 0
        for (piece, end) in zip(pieces, pieceEnds) {
            append(piece, Self.span(wordOrigins[start..<end]))
            start = end
        }
    }

    /// Cuts the word into the longest pieces from its start; `false` when some part of it is no token.
    private mutating func splitWord() -> Bool {
        pieces.removeAll(keepingCapacity: true)
        pieceEnds.removeAll(keepingCapacity: true)
        var start = 0
        while start < word.count {
            let found =
                start == 0
                ? model.initial.longestPrefix(of: word, from: 0, to: word.count, hashes: &hashes)
                : model.continuing.longestPrefix(of: word, from: start, to: word.count, hashes: &hashes)
            work += hashes.count
            guard let found else { return false }
            pieces.append(found.id)
            if wantsOffsets { pieceEnds.append(found.end) }
            start = found.end
        }
        return true
    }

    @inline(__always)
    private mutating func append(_ id: Int32, _ range: Range<Int>) {
        if ids.count < limit {
            ids.append(id)
            if wantsOffsets { ranges.append(range) }
        }
        count += 1
    }
}
