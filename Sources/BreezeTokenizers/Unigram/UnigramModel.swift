/// A unigram language model: of all ways to divide a text into tokens the one with the greatest sum of scores.
struct UnigramModel: Sendable {
    var trie = TokenTrie()
    /// Log probabilities, by id.
    var scores: [Double] = []
    var unknownID: Int32 = 0
    /// Unknown characters cost this.
    var unknownScore = 0.0
    /// The ids of `<0x00>` to `<0xFF>`, for unknown characters; empty where there are none.
    var byteIDs: [Int32] = []
    /// SentencePiece keeps sums in single precision: rounding decides between near equals.
    var isSinglePrecision = false
    /// Neighbouring unknown characters become one token.
    var joinsUnknown = true

    /// SentencePiece's K_UNK_PENALTY.
    static let unknownPenalty = 10.0

    func encode(_ text: [UInt8], _ piece: Range<Int>, _ cache: inout WordCache, _ sink: inout TokenSink) {
        let key = sink.wantsLengths || isSinglePrecision ? nil : cache.key(text, piece)
        if let key, cache.append(key, to: &sink.ids) { return }
        let start = sink.ids.count
        sink.scratch.lattice.search(self, text, piece)
        emit(text, &sink)
        if let key { cache.keep(key, sink.ids[start...]) }
    }

    private func emit(_ text: [UInt8], _ sink: inout TokenSink) {
        var followsUnknown = false
        for step in sink.scratch.lattice.path.reversed() {
            let isUnknown = step.id == unknownID
            if isUnknown, !byteIDs.isEmpty {
                for byte in text[step.start..<step.end] { sink.append(byteIDs[Int(byte)], length: 1) }
            } else if isUnknown, followsUnknown, joinsUnknown {
                sink.extendLast(by: step.end - step.start)
            } else {
                sink.append(step.id, length: step.end - step.start)
            }
            followsUnknown = isUnknown
        }
    }
}

/// The best way to each place of a text, and the way to its end.
struct UnigramLattice {
    struct Step {
        let id: Int32
        let start: Int
        let end: Int
    }

    /// From the end to the beginning.
    private(set) var path: [Step] = []
    /// Steps taken so far: the measure of work that the linearity test reads.
    private(set) var work = 0

    private var ids: [Int32] = []
    private var starts: [Int32] = []

    /// For each place only the best way there is kept, so the work is the text's length times the longest token's.
    mutating func search(_ model: UnigramModel, _ text: [UInt8], _ piece: Range<Int>) {
        let count = piece.count
        ids = Array(repeating: model.unknownID, count: count + 1)
        starts = Array(repeating: -1, count: count + 1)
        let isSingle = model.isSinglePrecision
        var best = [Double](repeating: 0, count: count + 1)
        var place = 0
        while place < count {
            let base = best[place]
            let length = UTF8Decoding.length(text[piece.lowerBound + place])
            var hasSingle = false
            var node = TokenTrie.root
            var end = place
            while end < count, let next = model.trie.child(of: node, text[piece.lowerBound + end]) {
                node = next
                end += 1
                guard let id = model.trie.id(at: node) else { continue }
                let sum = base + model.scores[Int(id)]
                let candidate = isSingle ? Double(Float(sum)) : sum
                if starts[end] < 0 || candidate > best[end] {
                    best[end] = candidate
                    ids[end] = id
                    starts[end] = Int32(place)
                }
                if end - place == length { hasSingle = true }
            }
            work += end - place + 1
            if !hasSingle {
                let sum = base + model.unknownScore
                let candidate = isSingle ? Double(Float(sum)) : sum
                let end = place + length
                if starts[end] < 0 || candidate > best[end] {
                    best[end] = candidate
                    ids[end] = model.unknownID
                    starts[end] = Int32(place)
                }
            }
            place += length
        }
        collect(piece)
    }

    private mutating func collect(_ piece: Range<Int>) {
        path.removeAll(keepingCapacity: true)
        var end = piece.count
        while end > 0 {
            let start = Int(starts[end])
            path.append(Step(id: ids[end], start: piece.lowerBound + start, end: piece.lowerBound + end))
            end = start
        }
    }
}
