import BreezeCore

/// Checks a vocabulary and builds what encodes with it.
struct VocabularyBuilder {
    let source: TokenizerVocabulary
    let name: String
    var table: TokenTable

    static let largestVocabulary = 1 << 22

    /// - Throws: `invalid_file` for a vocabulary that is empty, too large, has a token twice, or lists of another
    ///   length.
    init(_ source: TokenizerVocabulary, name: String) throws(BreezeError) {
        self.source = source
        self.name = name
        let count = source.tokens.count
        table = TokenTable(capacity: min(count, Self.largestVocabulary))
        guard (1...Self.largestVocabulary).contains(count) else { throw invalid("it has \(count) tokens") }
        guard source.scores.isEmpty || source.scores.count == count else {
            throw invalid("it has \(count) tokens and \(source.scores.count) scores")
        }
        guard source.tokenKinds.isEmpty || source.tokenKinds.count == count else {
            throw invalid("it has \(count) tokens and \(source.tokenKinds.count) kinds")
        }
        guard source.scores.allSatisfy(\.isFinite) else { throw invalid("one of its scores is no number") }
        for (id, token) in source.tokens.enumerated() where !token.isEmpty {
            guard String(validating: token, as: UTF8.self) != nil else {
                throw invalid("token \(id) is no valid UTF-8")
            }
            guard table.insert(token, id: Int32(id)) else {
                throw invalid("\(Self.quoted(token)) is in it twice")
            }
        }
        let ids = source.specialIDs
        for id in [ids.beginning, ids.end, ids.unknown, ids.separator].compactMap(\.self) {
            guard source.tokens.indices.contains(id) else {
                throw invalid("its special id \(id) is that of no token: there are \(count)")
            }
        }
    }

    func invalid(_ reason: String) -> BreezeError {
        TokenizerFile.invalid(name, reason)
    }

    static func quoted(_ token: [UInt8]) -> String {
        let text = String(decoding: token, as: UTF8.self)
        return "\"\(text.count > 40 ? text.prefix(40) + "…" : text)\""
    }

    func kind(_ id: Int) -> TokenizerVocabulary.TokenKind {
        source.tokenKinds.isEmpty ? .normal : source.tokenKinds[id]
    }

    /// Control, unknown and user-defined tokens, which are found in the text before it is divided.
    func addedTokens(userDefinedOnly: Bool = false) -> AddedVocabulary {
        var added = AddedVocabulary()
        for id in source.tokens.indices {
            let kind = kind(id)
            guard kind == .userDefined || (!userDefinedOnly && (kind == .control || kind == .unknown)) else {
                continue
            }
            // An empty one is never found.
            _ = added.insert(
                .init(id: Int32(id), content: source.tokens[id], isSpecial: kind != .userDefined)
            )
        }
        return added
    }

    var vocabulary: Vocabulary {
        let special = source.tokens.indices.filter { [.control, .unknown].contains(kind($0)) }
        return Vocabulary(source.tokens, special: Set(special.map(Int32.init)))
    }

    /// The ids of `<0x00>` to `<0xFF>`; empty where one is missing.
    var byteIDs: [Int32] {
        let ids = (0..<256).compactMap { table.id(of: ByteAlphabet.fallback(UInt8($0))) }
        return ids.count == 256 ? ids : []
    }

    func frame(addsBeginning: Bool, addsEnd: Bool) throws(BreezeError) -> SequenceTemplate {
        var parts: [SequenceTemplate.Part] = []
        if source.addsBeginning ?? addsBeginning {
            guard let id = source.specialIDs.beginning else {
                throw invalid("texts begin with a token that it does not name")
            }
            parts.append(.init(content: .frame([Int32(id)])))
        }
        parts.append(.init(content: .first))
        if source.addsEnd ?? addsEnd {
            guard let id = source.specialIDs.end else {
                throw invalid("texts end with a token that it does not name")
            }
            parts.append(.init(content: .frame([Int32(id)])))
        }
        return SequenceTemplate(parts: parts)
    }
}

extension TokenizerVocabulary {
    /// The tokenizer of this vocabulary; `name` is the file's, for errors.
    ///
    /// - Throws: `invalid_file` naming the fault; `unsupported` for a pre-tokenizer that is not known.
    public func makeTokenizer(named name: String) throws -> any Tokenizer {
        let builder = try VocabularyBuilder(self, name: name)
        return switch kind {
        case .bytePair: SubwordTokenizer(try builder.bytePairModel())
        case .sentencePiece: SubwordTokenizer(try builder.sentencePieceModel())
        case .unigram: SubwordTokenizer(try builder.unigramModel())
        case .wordPiece: WordPieceTokenizer(try builder.wordPieceModel())
        }
    }
}
