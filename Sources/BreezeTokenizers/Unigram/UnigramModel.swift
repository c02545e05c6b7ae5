/// A unigram language model: of all ways to divide a text into tokens the one with the greatest sum of scores.
struct UnigramModel: PieceModel, Sendable {
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
    private var largestScore = 0.0
    /// What each byte says about where a text may be cut.
    private var cuts = [Cut](repeating: .none, count: 256)

    private enum Cut: UInt8 {
        case none
        /// No token has the byte: before it and behind it.
        case around
        /// Before the visible space, which begins with the byte: no token has one behind another character.
        case beforeSpace
    }

    /// How far a text is encoded.
    private struct Progress {
        var sum = 0.0
        var followsUnknown = false
    }

    /// SentencePiece's K_UNK_PENALTY.
    static let unknownPenalty = 10.0

    /// To be called when everything else is there, with all of the vocabulary.
    mutating func findCuts(_ tokens: [[UInt8]]) {
        largestScore = scores.reduce(unknownScore.magnitude) { max($0, $1.magnitude) }
        for byte in 0..<0x80 { cuts[byte] = .around }
        for token in tokens {
            for byte in token { cuts[Int(byte)] = .none }
        }
        if let first = WordCut.visibleSpace.first, trie.id(of: WordCut.visibleSpace) != nil,
            WordCut.isPossible(with: tokens)
        {
            cuts[Int(first)] = .beforeSpace
        }
    }

    func encode(_ text: [UInt8], _ piece: Range<Int>, _ cache: inout WordCache, _ sink: inout TokenSink) {
        var start = piece.lowerBound
        var end = end(ofWordAt: start, in: text, piece.upperBound)
        guard end < piece.upperBound else { return encodeAlone(text, piece, &cache, &sink) }
        var progress = Progress()
        while start < piece.upperBound {
            if cuts[Int(text[start])] == .around {
                add(unknownScore, to: &progress.sum)
                append(.init(id: unknownID, start: start, end: end), of: text, &progress, &sink)
            } else {
                encodeWord(text, start..<end, &progress, &cache, &sink)
            }
            start = end
            if start < piece.upperBound { end = self.end(ofWordAt: start, in: text, piece.upperBound) }
        }
    }

    @inline(__always)
    private func end(ofWordAt start: Int, in text: [UInt8], _ end: Int) -> Int {
        var position = start
        switch cuts[Int(text[start])] {
        case .none: break
        case .around: return start + 1
        // A run of visible spaces begins one word.
        case .beforeSpace: while position < end, WordCut.isSpace(text, position, end) { position += 3 }
        }
        while position < end {
            switch cuts[Int(text[position])] {
            case .none: break
            case .around: return position
            case .beforeSpace: if WordCut.isSpace(text, position, end) { return position }
            }
            position += 1
        }
        return position
    }

    private func encodeAlone(
        _ text: [UInt8],
        _ piece: Range<Int>,
        _ cache: inout WordCache,
        _ sink: inout TokenSink
    ) {
        let key = sink.wantsLengths ? nil : cache.key(text, piece, .alone)
        if let key, cache.append(key, to: &sink.ids) { return }
        let start = sink.ids.count
        _ = sink.scratch.lattice.search(self, text, piece, from: 0, isSingle: isSinglePrecision)
        var progress = Progress()
        emit(text, &progress, &sink)
        if let key { cache.keep(key, sink.ids[start...]) }
    }

    /// A word of a text whose sum is `sum` up to there. By itself it may be divided in another way, because near
    /// equals are decided by rounding; so what is kept for it holds as far from zero as its margin is greater than
    /// all rounding, and beyond that it is encoded where it stands.
    private func encodeWord(
        _ text: [UInt8],
        _ word: Range<Int>,
        _ progress: inout Progress,
        _ cache: inout WordCache,
        _ sink: inout TokenSink
    ) {
        let distance = Float(progress.sum.magnitude)
        if !sink.wantsLengths, let key = cache.key(text, word, .inText) {
            let first = sink.ids.count
            if cache.append(key, within: distance, to: &sink.ids) {
                for index in first..<sink.ids.count {
                    add(scores[Int(sink.ids[index])], to: &progress.sum)
                }
                progress.followsUnknown = false
                return
            }
            if !cache.holds(key), encodeNew(text, word, key, &progress, &cache, &sink) { return }
        }
        progress.sum = sink.scratch.lattice.search(
            self,
            text,
            word,
            from: progress.sum,
            isSingle: isSinglePrecision
        )
        emit(text, &progress, &sink)
    }

    /// Encodes a word from zero, to keep it; `false` where that does not hold for where it stands.
    private func encodeNew(
        _ text: [UInt8],
        _ word: Range<Int>,
        _ key: WordCache.Key,
        _ progress: inout Progress,
        _ cache: inout WordCache,
        _ sink: inout TokenSink
    ) -> Bool {
        _ = sink.scratch.lattice.search(self, text, word, from: 0, isSingle: false)
        // What an unknown character adds is not told by its id.
        let isKnown = sink.scratch.lattice.path.allSatisfy { $0.id != unknownID }
        let reach = isKnown ? reach(sink.scratch.lattice.margin, word.count) : -1
        guard Float(progress.sum.magnitude) <= reach else {
            cache.keep(key, sink.scratch.lattice.path.reversed().map(\.id)[...], within: reach)
            return false
        }
        let first = sink.ids.count
        emit(text, &progress, &sink)
        cache.keep(key, sink.ids[first...], within: reach)
        for index in first..<sink.ids.count { add(scores[Int(sink.ids[index])], to: &progress.sum) }
        return true
    }

    @inline(__always)
    private func add(_ score: Double, to sum: inout Double) {
        sum = isSinglePrecision ? Double(Float(sum + score)) : sum + score
    }

    /// How far from zero a text's sum may be for a choice with this margin to stand.
    ///
    /// A sum of magnitude m is off by half a unit in its last place, m × 2⁻²⁴ or m × 2⁻⁵³, and a way through a
    /// word has a sum for each step at the most; two ways are compared. The margin itself was computed in double
    /// precision from zero.
    private func reach(_ margin: Double, _ steps: Int) -> Float {
        let steps = Double(steps)
        let span = steps * largestScore
        let rounding = isSinglePrecision ? 0x1p-24 : 0x1p-53
        let safe = margin - 4 * steps * span * 0x1p-53
        // A hundredth for the bound's own second-order terms, a thousandth for its conversion.
        return Float(0.999 * (safe / (2.02 * steps * rounding) - span))
    }

    private func emit(_ text: [UInt8], _ progress: inout Progress, _ sink: inout TokenSink) {
        for index in sink.scratch.lattice.path.indices.reversed() {
            append(sink.scratch.lattice.path[index], of: text, &progress, &sink)
        }
    }

    @inline(__always)
    private func append(
        _ step: UnigramLattice.Step,
        of text: [UInt8],
        _ progress: inout Progress,
        _ sink: inout TokenSink
    ) {
        let isUnknown = step.id == unknownID
        if isUnknown, !byteIDs.isEmpty {
            for position in step.start..<step.end { sink.append(byteIDs[Int(text[position])], length: 1) }
        } else if isUnknown, progress.followsUnknown, joinsUnknown {
            sink.extendLast(by: step.end - step.start)
        } else {
            sink.append(step.id, length: step.end - step.start)
        }
        progress.followsUnknown = isUnknown
    }
}
