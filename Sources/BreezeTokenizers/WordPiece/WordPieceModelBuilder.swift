import BreezeCore

/// Puts a ``WordPieceModel`` together from the parts of a file, and refuses what does not fit.
struct WordPieceModelBuilder {
    private let file: TokenizerFile
    private var model = WordPieceModel()
    private var isTaken: [Bool]
    private var texts: [[UInt8]]
    private var specials: Set<Int32> = []

    /// `tokenCount` is how many tokens will be added in all: their ids have to be 0 ..< `tokenCount`.
    init(file: TokenizerFile, tokenCount: Int, normalization: BertNormalization) throws(BreezeError) {
        guard tokenCount > 0 else { throw file.invalid("its vocabulary is empty") }
        self.file = file
        isTaken = Array(repeating: false, count: tokenCount)
        texts = Array(repeating: [], count: tokenCount)
        model.normalization = normalization
        model.initial = TokenTable(capacity: tokenCount)
        model.continuing = TokenTable(capacity: tokenCount)
        model.vocabularySize = tokenCount
    }

    /// `prefix` is what marks a token that continues a word.
    mutating func addToken(_ token: [UInt8], id: Int, prefix: [UInt8]) throws(BreezeError) {
        let id = try take(id, for: token)
        // An empty token never matches; lists of one token a line have them.
        guard !token.isEmpty else { return }
        guard model.initial.insert(token, id: id) else {
            throw file.invalid("\(quoted(token)) is in it twice")
        }
        guard token.count > prefix.count, token.starts(with: prefix) else { return }
        // Cannot be there twice, because the whole token is not.
        _ = model.continuing.insert(token.dropFirst(prefix.count), id: id)
    }

    /// For vocabularies that mark the tokens that begin a word, and not those that continue one. Special ones
    /// have no mark.
    mutating func addToken(
        _ token: [UInt8],
        id: Int,
        wordStart: [UInt8],
        isSpecial: Bool
    ) throws(BreezeError) {
        let id = try take(id, for: token)
        let begins = token.count > wordStart.count && token.starts(with: wordStart)
        let isNew =
            begins
            ? model.initial.insert(token.dropFirst(wordStart.count), id: id)
            : (isSpecial ? model.initial : model.continuing).id(of: token) == nil
        guard isNew, !token.isEmpty else { throw file.invalid("\(quoted(token)) is in it twice") }
        guard !begins else { return }
        if isSpecial {
            _ = model.initial.insert(token, id: id)
        } else {
            _ = model.continuing.insert(token, id: id)
        }
    }

    mutating func addAddedToken(_ token: AddedToken) throws(BreezeError) {
        let checked = try checkedID(of: token)
        if token.isSpecial { specials.insert(checked) }
        guard !token.isNormalized else {
            try addNormalizedToken(token, id: checked)
            return
        }
        guard
            model.added.insert(
                token.content,
                id: checked,
                wholeWord: token.wholeWord,
                isSpecial: token.isSpecial
            )
        else {
            throw file.invalid("the added token \(quoted(token.content)) is in it twice, or is empty")
        }
    }

    private mutating func addNormalizedToken(_ token: AddedToken, id: Int32) throws(BreezeError) {
        let lowercases = model.normalization.lowercases
        let content = lowercases ? NormalizedTokens.lowercased(token.content) : token.content
        guard !token.wholeWord, NormalizedTokens.canHold(content) else {
            throw file.invalid(
                "its added token \(quoted(token.content)) is looked for in normalised text, which is "
                    + "supported only for short ASCII tokens that begin with a symbol"
            )
        }
        guard model.normalizedTokens.insert(content, id: id) else {
            throw file.invalid("the added token \(quoted(token.content)) is in it twice")
        }
    }

    private mutating func checkedID(of added: AddedToken) throws(BreezeError) -> Int32 {
        let (token, id) = (added.content, added.id)
        guard !added.isNew else { return try take(id, for: token) }
        let known = try self.id(of: token)
        guard Int(known) == id else {
            throw file.invalid("\(quoted(token)) has two ids, \(known) and \(id)")
        }
        return known
    }

    func contains(_ token: [UInt8]) -> Bool {
        model.initial.id(of: token) != nil
    }

    func id(of token: [UInt8]) throws(BreezeError) -> Int32 {
        guard let id = model.initial.id(of: token) else {
            throw file.invalid("the token \(quoted(token)) is missing from its vocabulary")
        }
        return id
    }

    func finished(
        unknown: [UInt8],
        maximumWordLength: Int,
        single: SequenceTemplate,
        pair: SequenceTemplate?,
        decoding: [DecodingStep]
    ) throws(BreezeError) -> WordPieceModel {
        guard (1...100_000).contains(maximumWordLength) else {
            throw file.invalid("max_input_chars_per_word is \(maximumWordLength)")
        }
        for id in single.frame + (pair?.frame ?? []) where id < 0 || Int(id) >= model.vocabularySize {
            throw file.invalid("it frames texts with the id \(id), which no token has")
        }
        var model = model
        model.unknownID = try id(of: unknown)
        model.maximumWordLength = maximumWordLength
        model.single = single
        model.pair = pair
        model.decoder = TokenDecoder(
            vocabulary: Vocabulary(texts, special: specials),
            steps: decoding,
            separator: [0x20]
        )
        return model
    }

    private mutating func take(_ id: Int, for token: [UInt8]) throws(BreezeError) -> Int32 {
        guard isTaken.indices.contains(id), let narrow = Int32(exactly: id) else {
            throw file.invalid(
                "\(quoted(token)) has the id \(id), but the ids of its \(isTaken.count) tokens "
                    + "have to be 0 to \(isTaken.count - 1)"
            )
        }
        guard !isTaken[id] else { throw file.invalid("two tokens have the id \(id)") }
        isTaken[id] = true
        texts[id] = token
        return narrow
    }

    /// A token as an error shows it: short, whatever the file holds.
    private func quoted(_ token: [UInt8]) -> String {
        let text = String(decoding: token, as: UTF8.self)
        return "\"\(text.count > 40 ? text.prefix(40) + "…" : text)\""
    }
}
