/// Everything that a tokenizer's file says, checked, and in the form that encoding needs.
struct SubwordModel: Sendable {
    enum Algorithm: Sendable {
        case bytePair(BytePairModel)
        case unigram(UnigramModel)
    }

    var algorithm: Algorithm
    /// Looked for in the raw text, and in the text as it is after normalisation.
    var rawTokens = AddedVocabulary()
    var normalizedTokens = AddedVocabulary()
    var normalizer = Normalizer()
    var preTokenizer = PreTokenizer()
    var decoder: TokenDecoder
    var single = SequenceTemplate(parts: [.init(content: .first)])
    var pair: SequenceTemplate?
}
