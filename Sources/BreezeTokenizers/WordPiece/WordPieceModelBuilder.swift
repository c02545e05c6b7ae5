import BreezeCore

/// Puts a ``WordPieceModel`` together from the parts of a file, and refuses what does not fit.
struct WordPieceModelBuilder {
    private let file: TokenizerFile
    private var model = WordPieceModel()
    private var isTaken: [Bool]

    /// `tokenCount` is how many tokens will be added in all: their ids have to be 0 ..< `tokenCount`.
    init(file: TokenizerFile, tokenCount: Int, normalization: BertNormalization) throws(BreezeError) {
        guard tokenCount > 0 else { throw file.invalid("its vocabulary is empty") }
        self.file = file
        isTaken = Array(repeating: false, count: tokenCount)
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

    /// `isNew` says that the token is not in the vocabulary, so that its id is still free.
    mutating func addAddedToken(_ token: [UInt8], id: Int, wholeWord: Bool, isNew: Bool) throws(BreezeError) {
        let checked: Int32
        if isNew {
            checked = try take(id, for: token)
        } else {
            checked = try self.id(of: token)
            guard Int(checked) == id else {
                throw file.invalid("\(quoted(token)) has two ids, \(checked) and \(id)")
            }
        }
        guard model.added.insert(token, id: checked, wholeWord: wholeWord) else {
            throw file.invalid("the added token \(quoted(token)) is in it twice, or is empty")
        }
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
        prefix: [Int32],
        suffix: [Int32]
    ) throws(BreezeError) -> WordPieceModel {
        guard (1...100_000).contains(maximumWordLength) else {
            throw file.invalid("max_input_chars_per_word is \(maximumWordLength)")
        }
        for id in prefix + suffix where id < 0 || Int(id) >= model.vocabularySize {
            throw file.invalid("it frames texts with the id \(id), which no token has")
        }
        var model = model
        model.unknownID = try id(of: unknown)
        model.maximumWordLength = maximumWordLength
        model.prefix = prefix
        model.suffix = suffix
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
        return narrow
    }

    /// A token as an error shows it: short, whatever the file holds.
    private func quoted(_ token: [UInt8]) -> String {
        let text = String(decoding: token, as: UTF8.self)
        return "\"\(text.count > 40 ? text.prefix(40) + "…" : text)\""
    }
}
