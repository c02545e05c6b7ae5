import BreezeCore

extension VocabularyBuilder {
    private var visibleSpace: [UInt8] { Array("\u{2581}".utf8) }

    /// SentencePiece's byte-pair encoding: two neighbours merge where together they are a token, the greatest
    /// score first. All such pairs are found here, so that encoding is that of any other byte-pair model.
    func sentencePieceModel() throws(BreezeError) -> SubwordModel {
        var symbols = SymbolNumbers(table, count: source.tokens.count)
        var model = BytePairModel(symbols: .bytes([]), merges: MergeTable(capacity: source.tokens.count * 2))
        let ranks = scoreRanks()
        for (id, token) in source.tokens.enumerated() where mayBeMade(id) {
            var place = 0
            while place < token.count {
                place += UTF8Decoding.length(token[place])
                guard place < token.count, let left = part(Array(token[..<place]), &symbols),
                    let right = part(Array(token[place...]), &symbols)
                else { continue }
                model.merges.add(left, right, rank: ranks[id], id: Int32(id))
            }
        }
        model.firstPseudoID = Int32(source.tokens.count)
        model.symbols = .characters(.init(table: symbols.table, byteIDs: byteIDs))
        model.unknownID = Int32(source.specialIDs.unknown ?? 0)
        model.joinsUnknown = true
        if source.escapesSpaces, !source.spaceIsSuffix, table.id(of: visibleSpace) != nil {
            model.isCut = WordCut.isPossible(with: source.tokens)
        }
        var result = SubwordModel(algorithm: .bytePair(model), decoder: decoder())
        try addCommonParts(to: &result, addsBeginning: true, addsEnd: false)
        return result
    }

    func unigramModel() throws(BreezeError) -> SubwordModel {
        guard source.scores.count == source.tokens.count else { throw invalid("its tokens have no scores") }
        guard let unknown = source.specialIDs.unknown else { throw invalid("it names no unknown token") }
        var model = UnigramModel()
        let normal = source.tokens.indices.filter { kind($0) == .normal }.map { source.scores[$0] }
        let lowest = normal.min() ?? 0
        model.unknownID = Int32(unknown)
        model.unknownScore = Double(lowest - Float(UnigramModel.unknownPenalty))
        model.scores = source.scores.map(Double.init)
        for (id, token) in source.tokens.enumerated() where mayBeMade(id) && !token.isEmpty {
            // What a user wants whole costs nothing, whatever the file says.
            if kind(id) == .userDefined { model.scores[id] = 0 }
            guard model.trie.insert(token, id: Int32(id)) else {
                throw invalid("its tokens are too long in all")
            }
        }
        model.byteIDs = source.followsSentencePiece && source.tokenKinds.contains(.byte) ? byteIDs : []
        model.isSinglePrecision = source.followsSentencePiece
        model.findCuts(source.tokens)
        var result = SubwordModel(algorithm: .unigram(model), decoder: decoder())
        try addCommonParts(to: &result, addsBeginning: false, addsEnd: true)
        return result
    }

    func wordPieceModel() throws(BreezeError) -> WordPieceModel {
        let file = TokenizerFile(name: name, bytes: [])
        var builder = try WordPieceModelBuilder(
            file: file,
            tokenCount: source.tokens.count,
            normalization: BertNormalization()
        )
        for (id, token) in source.tokens.enumerated() {
            try builder.addToken(token, id: id, wordStart: visibleSpace, isSpecial: kind(id) != .normal)
        }
        for (id, token) in source.tokens.enumerated() where kind(id) == .control {
            try builder.addAddedToken(.init(content: token, id: id, options: .null, isSpecial: true))
        }
        guard let beginning = source.specialIDs.beginning, let end = source.specialIDs.separator,
            let unknown = source.specialIDs.unknown
        else { throw invalid("it does not name the tokens that frame a text") }
        return try builder.finished(
            unknown: source.tokens[unknown],
            maximumWordLength: 100,
            single: .single(cls: Int32(beginning), sep: Int32(end)),
            pair: .bertPair(cls: Int32(beginning), sep: Int32(end)),
            decoding: [.metaspace(visibleSpace, dropsFirst: true)]
        )
    }

    /// A token, or a character of one.
    private func part(_ bytes: [UInt8], _ symbols: inout SymbolNumbers) -> Int32? {
        if let id = table.id(of: bytes) { return mayBeMade(Int(id)) ? id : nil }
        return symbols.number(of: bytes, isMerged: true)
    }

    /// Whether text becomes the token. To llama.cpp each one is text; SentencePiece keeps control tokens, bytes
    /// and the unknown token apart.
    private func mayBeMade(_ id: Int) -> Bool {
        switch kind(id) {
        case .normal: true
        case .userDefined: true
        case .unused: !source.followsSentencePiece
        case .control, .unknown, .byte: !source.followsSentencePiece && source.kind == .sentencePiece
        }
    }

    /// Equal scores have equal ranks: then the leftmost pair is first.
    private func scoreRanks() -> [UInt32] {
        guard !source.scores.isEmpty else { return Array(repeating: 0, count: source.tokens.count) }
        var ranks: [Float: UInt32] = [:]
        for score in Set(source.scores).sorted(by: >) { ranks[score] = UInt32(ranks.count) }
        return source.scores.map { ranks[$0] ?? 0 }
    }

    private func addCommonParts(
        to model: inout SubwordModel,
        addsBeginning: Bool,
        addsEnd: Bool
    ) throws(BreezeError) {
        model.single = try frame(addsBeginning: addsBeginning, addsEnd: addsEnd)
        if source.followsSentencePiece || source.kind == .unigram {
            model.normalizer.steps = [.sentencePiece(try sentencePieceNormalizer())]
            if source.followsSentencePiece {
                model.normalizedTokens =
                    source.kind == .sentencePiece ? addedTokens(userDefinedOnly: true) : .init()
            } else {
                model.rawTokens = addedTokens()
            }
        } else {
            if source.addsSpacePrefix ?? true { model.normalizer.steps.append(.prepend(visibleSpace)) }
            model.normalizer.steps.append(.replace(.text([0x20]), with: visibleSpace))
            model.rawTokens = addedTokens()
        }
    }

    private func sentencePieceNormalizer() throws(BreezeError) -> SentencePieceNormalizer {
        var normalizer = SentencePieceNormalizer()
        if !source.characterMap.isEmpty {
            let fault: PatternFault
            do throws(PatternFault) {
                normalizer.map = try CharacterMap(source.characterMap)
                fault = PatternFault(reason: "")
            } catch { fault = error }
            if normalizer.map == nil { throw invalid(fault.reason) }
        }
        normalizer.addsPrefix = source.addsSpacePrefix ?? true
        normalizer.removesExtraSpaces = source.removesExtraSpaces
        normalizer.escapesSpaces = source.escapesSpaces
        normalizer.spaceIsSuffix = source.spaceIsSuffix
        for (id, token) in source.tokens.enumerated() where kind(id) == .userDefined && !token.isEmpty {
            _ = normalizer.untouched.insert(token, id: Int32(id))
        }
        normalizer.findPlainBytes()
        return normalizer
    }

    private func decoder() -> TokenDecoder {
        let space: [UInt8] = [0x20]
        if source.followsSentencePiece { return sentencePieceDecoder() }
        var steps: [DecodingStep] = [.replace(visibleSpace, with: space), .byteFallback, .fuse]
        if source.addsSpacePrefix ?? true { steps.append(.strip(space, left: 1, right: 0)) }
        return TokenDecoder(vocabulary: vocabulary, steps: steps)
    }

    private func sentencePieceDecoder() -> TokenDecoder {
        var steps: [DecodingStep] = [.replace(visibleSpace, with: [0x20]), .byteFallback, .fuse]
        if source.addsSpacePrefix ?? true || source.removesExtraSpaces {
            steps.insert(.dropLeading(visibleSpace, all: source.removesExtraSpaces), at: 0)
        }
        var decoder = TokenDecoder(vocabulary: vocabulary, steps: steps)
        for id in source.tokens.indices {
            switch kind(id) {
            case .unknown: decoder.overrides[Int32(id)] = Array(" \u{2047} ".utf8)
            case .control: decoder.overrides[Int32(id)] = []
            default: break
            }
        }
        return decoder
    }
}
