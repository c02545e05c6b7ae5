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

    private let model: WordPieceModel
    private let limit: Int
    private var word: [UInt8] = []
    private var wordLength = 0
    private var pieces: [Int32] = []
    /// Marks of non-zero combining class that wait for the end of their run, which orders them.
    private var marks: [UInt32] = []
    private var hashes: [UInt64] = []

    init(_ model: WordPieceModel, map: ScalarMap, limit: Int) {
        self.model = model
        self.map = map
        self.limit = limit
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
                if let id = match.id {
                    endWord()
                    append(id)
                } else {
                    encodeScalars(of: text, from: position, to: match.end)
                }
                position = match.end
            } else {
                position = encodeScalar(of: text, at: position)
            }
        }
        endWord()
    }

    private mutating func encodeScalars(of text: [UInt8], from start: Int, to end: Int) {
        var position = start
        while position < end { position = encodeScalar(of: text, at: position) }
    }

    @inline(__always)
    private mutating func encodeScalar(of text: [UInt8], at position: Int) -> Int {
        let byte = text[position]
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
        if kind == .letter, marks.isEmpty {
            extendWord(entry.value)
        } else if kind == .space {
            endWord()
        } else {
            addUncommon(entry)
        }
    }

    private mutating func addUncommon(_ entry: ScalarMap.Entry) {
        switch entry.kind {
        case .dropped: break
        case .space: endWord()
        case .barrier: orderMarks()
        case .letter:
            orderMarks()
            extendWord(entry.value)
        case .isolated:
            endWord()
            extendWord(entry.value)
            endWord()
        case .mark:
            // More of them than a word may have make it unknown, in whatever order.
            if marks.count <= model.maximumWordLength { marks.append(entry.value) } else { wordLength += 1 }
        case .expansion:
            for part in map.expanded(entry) { addUncommon(part) }
        }
    }

    @inline(__always)
    private mutating func extendWord(_ value: UInt32) {
        wordLength += 1
        if wordLength <= model.maximumWordLength { UTF8Decoding.append(value, to: &word) }
    }

    /// Canonical ordering: by combining class, and by place where that is the same.
    private mutating func orderMarks() {
        guard !marks.isEmpty else { return }
        work += marks.count
        let keyed = marks.enumerated().map { place, value in
            (Unicode.Scalar(value).map(BertScalarRules.combiningClass) ?? 0, place, value)
        }
        marks.removeAll(keepingCapacity: true)
        for (_, _, value) in keyed.sorted(by: { ($0.0, $0.1) < ($1.0, $1.1) }) { extendWord(value) }
    }

    private mutating func endWord() {
        orderMarks()
        guard wordLength > 0 else { return }
        if wordLength > model.maximumWordLength || !splitWord() {
            append(model.unknownID)
        } else {
            for piece in pieces { append(piece) }
        }
        word.removeAll(keepingCapacity: true)
        wordLength = 0
    }

    /// Cuts the word into the longest pieces from its start; `false` when some part of it is no token.
    private mutating func splitWord() -> Bool {
        pieces.removeAll(keepingCapacity: true)
        var start = 0
        while start < word.count {
            let found =
                start == 0
                ? model.initial.longestPrefix(of: word, from: 0, to: word.count, hashes: &hashes)
                : model.continuing.longestPrefix(of: word, from: start, to: word.count, hashes: &hashes)
            work += hashes.count
            guard let found else { return false }
            pieces.append(found.id)
            start = found.end
        }
        return true
    }

    @inline(__always)
    private mutating func append(_ id: Int32) {
        if ids.count < limit { ids.append(id) }
        count += 1
    }
}
