/// Everything that a tokenizer file says, checked, and in the form that encoding needs.
struct WordPieceModel: Sendable {
    var normalization = BertNormalization()
    /// Tokens that may begin a word.
    var initial = TokenTable()
    /// Tokens that may continue one, without the prefix that marks them (`##`).
    var continuing = TokenTable()
    var added = AddedTokens()
    var normalizedTokens = NormalizedTokens()
    var unknownID: Int32 = 0
    /// A longer word, counted in scalars, becomes the unknown token as a whole.
    var maximumWordLength = 100
    /// What frames the ids of a text.
    var single = SequenceTemplate(parts: [])
    /// What frames the ids of two; `nil` where the file does not say.
    var pair: SequenceTemplate?
    var vocabularySize = 0
    var decoder = TokenDecoder(vocabulary: Vocabulary([]), steps: [])
}
