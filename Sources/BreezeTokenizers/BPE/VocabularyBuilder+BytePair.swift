import BreezeCore

extension VocabularyBuilder {
    func bytePairModel() throws(BreezeError) -> SubwordModel {
        let words = try PreTokenizerCatalog.words(source.preTokenizer ?? "default", file: name)
        guard !source.merges.isEmpty else { throw invalid("it has no merges") }
        var model = BytePairModel(
            symbols: words.isByteLevel ? .bytes(byteSymbols()) : .characters(.init(byteIDs: byteIDs)),
            merges: MergeTable(capacity: source.merges.count)
        )
        var symbols = SymbolNumbers(table, count: source.tokens.count)
        for (rank, merge) in source.merges.enumerated() {
            let (left, right) = try parts(of: merge)
            guard let id = table.id(of: left + right), let one = symbols.number(of: left, isMerged: true),
                let two = symbols.number(of: right, isMerged: true)
            else { throw invalid("its merge \(Self.quoted(merge)) names a token that it does not have") }
            // Of a pair that is there twice the first rank counts.
            model.merges.add(one, two, rank: UInt32(truncatingIfNeeded: rank), id: id)
        }
        if case .characters(var characters) = model.symbols {
            characters.table = symbols.table
            model.symbols = .characters(characters)
        }
        if words.ignoresMerges { model.wholeWords = wholeWords(isByteLevel: words.isByteLevel) }
        var result = SubwordModel(
            algorithm: .bytePair(model),
            decoder: TokenDecoder(
                vocabulary: vocabulary,
                steps: decodingSteps(isByteLevel: words.isByteLevel)
            )
        )
        result.rawTokens = addedTokens()
        result.preTokenizer.steps = words.steps
        if !words.isByteLevel {
            result.normalizer.steps = [.replace(.text([0x20]), with: Array("\u{2581}".utf8))]
        }
        result.single = try frame(addsBeginning: words.addsBeginning, addsEnd: false)
        return result
    }

    private func decodingSteps(isByteLevel: Bool) -> [DecodingStep] {
        isByteLevel ? [.byteLevel] : [.replace(Array("\u{2581}".utf8), with: [0x20]), .byteFallback, .fuse]
    }

    /// `Ġ t`: the space between the two is not their first character.
    private func parts(of merge: [UInt8]) throws(BreezeError) -> (left: [UInt8], right: [UInt8]) {
        guard let space = merge.dropFirst().firstIndex(of: 0x20), space + 1 < merge.count else {
            throw invalid("its merge \(Self.quoted(merge)) is not two tokens")
        }
        return (Array(merge[..<space]), Array(merge[(space + 1)...]))
    }

    private func byteSymbols() -> [Int32] {
        (UInt8.min ... .max).map { table.id(of: ByteAlphabet.symbol(of: $0)) ?? SymbolMerger.unknown }
    }

    private func wholeWords(isByteLevel: Bool) -> TokenTable {
        guard isByteLevel else { return table }
        var words = TokenTable(capacity: source.tokens.count)
        for (id, token) in source.tokens.enumerated() where kind(id) == .normal {
            if let bytes = ByteAlphabet.decoded(token), !bytes.isEmpty {
                _ = words.insert(bytes, id: Int32(id))
            }
        }
        return words
    }
}

/// Ids for tokens, and beyond them for characters that are none but that merges begin with.
struct SymbolNumbers {
    private(set) var table: TokenTable
    private var next: Int32

    init(_ table: TokenTable, count: Int) {
        self.table = table
        next = Int32(count)
    }

    /// `nil` for what is neither a token nor, where merges may begin with it, one character.
    mutating func number(of symbol: [UInt8], isMerged: Bool) -> Int32? {
        if let id = table.id(of: symbol) { return id }
        guard isMerged, let first = symbol.first, UTF8Decoding.length(first) == symbol.count else {
            return nil
        }
        defer { next += 1 }
        return table.insert(symbol, id: next) ? next : nil
    }
}
