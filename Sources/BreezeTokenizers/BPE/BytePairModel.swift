/// Byte-pair encoding: a word's characters, or bytes, merged by rank.
struct BytePairModel: PieceModel, Sendable {
    /// What a word's first symbols are.
    enum Symbols: Sendable {
        /// Bytes, by the id of each; ``SymbolMerger/unknown`` for one that is no token.
        case bytes([Int32])
        case characters(Characters)
    }

    struct Characters: Sendable {
        /// Characters that are tokens, or that only merges know: those have ids behind the vocabulary's.
        var table = TokenTable()
        /// The ids of `<0x00>` to `<0xFF>` for characters that are no token; empty where there are none.
        var byteIDs: [Int32] = []
        /// Marks symbols that do not begin a word (`##`), and the one that ends it (`</w>`).
        var continuingPrefix: [UInt8] = []
        var wordSuffix: [UInt8] = []

        var isPlain: Bool { continuingPrefix.isEmpty && wordSuffix.isEmpty }
    }

    var symbols: Symbols
    var merges: MergeTable
    /// Ids from here on are symbols that are no tokens; the bytes of each.
    var firstPseudoID: Int32 = .max
    var pseudoSymbols: [[UInt8]] = []
    /// Whole words that are tokens are not merged at all; `nil` where merging decides.
    var wholeWords: TokenTable?
    /// Stands for a character that nothing knows; `nil` drops it.
    var unknownID: Int32?
    var joinsUnknown = false
    /// A word may be cut before each visible space, because no token crosses that.
    var isCut = false

    func encode(_ text: [UInt8], _ piece: Range<Int>, _ cache: inout WordCache, _ sink: inout TokenSink) {
        guard isCut else { return encodeWord(text, piece, &cache, &sink) }
        var start = piece.lowerBound
        while start < piece.upperBound {
            let end = WordCut.end(ofWordAt: start, in: text, piece.upperBound)
            encodeWord(text, start..<end, &cache, &sink)
            start = end
        }
    }

    @inline(__always)
    private func encodeWord(
        _ text: [UInt8],
        _ word: Range<Int>,
        _ cache: inout WordCache,
        _ sink: inout TokenSink
    ) {
        guard !sink.wantsLengths, let key = cache.key(text, word) else { return merge(text, word, &sink) }
        if cache.append(key, to: &sink.ids) { return }
        let start = sink.ids.count
        merge(text, word, &sink)
        cache.keep(key, sink.ids[start...])
    }

    private func merge(_ text: [UInt8], _ word: Range<Int>, _ sink: inout TokenSink) {
        if let wholeWords, let id = wholeWords.id(in: text, word) {
            sink.append(id, length: word.count)
            return
        }
        sink.scratch.merger.removeAll()
        switch symbols {
        case .bytes(let ids):
            for position in word { sink.scratch.merger.append(ids[Int(text[position])], length: 1) }
        case .characters(let characters): characters.append(text, word, to: &sink.scratch)
        }
        sink.scratch.merger.merge(merges)
        emit(text, word, &sink)
    }

    private func emit(_ text: [UInt8], _ word: Range<Int>, _ sink: inout TokenSink) {
        var followsUnknown = false
        var position = word.lowerBound
        for index in sink.scratch.merger.ids.indices {
            let id = sink.scratch.merger.ids[index]
            let length = Int(sink.scratch.merger.lengths[index])
            defer { position += length }
            if id >= 0, id < firstPseudoID {
                sink.append(id, length: length)
                followsUnknown = false
            } else if case .characters(let characters) = symbols, !characters.byteIDs.isEmpty {
                for byte in text[position..<position + length] {
                    sink.append(characters.byteIDs[Int(byte)], length: 1)
                }
                followsUnknown = false
            } else if followsUnknown, joinsUnknown {
                sink.extendLast(by: length)
            } else if let unknownID {
                sink.append(unknownID, length: length)
                followsUnknown = true
            }
        }
    }
}

extension BytePairModel.Characters {
    fileprivate func append(_ text: [UInt8], _ word: Range<Int>, to scratch: inout EncodingScratch) {
        var position = word.lowerBound
        while position < word.upperBound {
            let end = position + UTF8Decoding.length(text[position])
            let id = isPlain ? table.id(in: text, position..<end) : id(of: text[position..<end], in: word)
            if let id {
                scratch.merger.append(id, length: end - position)
            } else if byteIDs.isEmpty {
                scratch.merger.append(SymbolMerger.unknown, length: end - position)
            } else {
                for byte in text[position..<end] { scratch.merger.append(byteIDs[Int(byte)], length: 1) }
            }
            position = end
        }
    }

    private func id(of character: ArraySlice<UInt8>, in word: Range<Int>) -> Int32? {
        var symbol = character.startIndex == word.lowerBound ? [] : continuingPrefix
        symbol += character
        if character.endIndex == word.upperBound { symbol += wordSuffix }
        return table.id(of: symbol)
    }
}
