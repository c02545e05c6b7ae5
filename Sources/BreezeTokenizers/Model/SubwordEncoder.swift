/// One pass over a text.
struct SubwordEncoder {
    private(set) var sink: TokenSink
    /// Where each id comes from, where that is wanted.
    private(set) var ranges: [Range<Int>] = []
    private(set) var cache: WordCache
    private(set) var memory = PatternMatcher.Memory()

    private let model: SubwordModel
    private let wantsOffsets: Bool

    init(_ model: SubwordModel, cache: consuming WordCache, wantsOffsets: Bool) {
        self.model = model
        self.cache = cache
        self.wantsOffsets = wantsOffsets
        sink = TokenSink(wantsLengths: wantsOffsets)
    }

    /// Leaves none behind: a second owner would make the next encoder copy it.
    mutating func takeCache() -> WordCache {
        let taken = cache
        cache = WordCache()
        return taken
    }

    /// Steps taken: the measure of work that the linearity test reads.
    var work: Int { sink.scratch.merger.work + sink.scratch.lattice.work + memory.work }

    mutating func encode(_ text: [UInt8], parsesSpecial: Bool) {
        let segments = model.rawTokens.segments(of: text, parsesSpecial: parsesSpecial, &sink.scratch.hashes)
        for segment in segments {
            switch segment {
            case .token(let id, let range): append(id, range)
            case .text(let range):
                let part = WorkingText(raw: text, range, tracksOrigins: wantsOffsets)
                encode(model.normalizer.apply(part, &memory), parsesSpecial: parsesSpecial)
            }
        }
    }

    private mutating func encode(_ text: WorkingText, parsesSpecial: Bool) {
        guard !model.normalizedTokens.isEmpty else { return encodePieces(of: text) }
        let segments = model.normalizedTokens.segments(
            of: text.bytes,
            parsesSpecial: parsesSpecial,
            &sink.scratch.hashes
        )
        for segment in segments {
            switch segment {
            case .token(let id, let range): append(id, text.origin(of: range))
            case .text(let range): encodePieces(of: text.part(range))
            }
        }
    }

    private mutating func append(_ id: Int32, _ range: Range<Int>) {
        sink.append(id, length: 0)
        if wantsOffsets { ranges.append(range) }
    }

    private mutating func encodePieces(of text: WorkingText) {
        let (text, pieces) = model.preTokenizer.split(text, &memory)
        if !wantsOffsets { sink.ids.reserveCapacity(sink.ids.count + pieces.count) }
        switch model.algorithm {
        case .bytePair(let model): encode(text, pieces, with: model)
        case .unigram(let model): encode(text, pieces, with: model)
        }
    }

    private mutating func encode(_ text: WorkingText, _ pieces: [Range<Int>], with model: some PieceModel) {
        for piece in pieces {
            let first = sink.ids.count
            model.encode(text.bytes, piece, &cache, &sink)
            guard wantsOffsets else { continue }
            var position = piece.lowerBound
            for index in first..<sink.ids.count {
                let end = position + Int(sink.lengths[index])
                ranges.append(text.origin(of: position..<end))
                position = end
            }
        }
    }
}

/// What finds the tokens of one piece.
protocol PieceModel {
    func encode(_ text: [UInt8], _ piece: Range<Int>, _ cache: inout WordCache, _ sink: inout TokenSink)
}
