extension WordPieceTokenizer {
    public func encode(_ text: String, specialTokens: SpecialTokens) -> [Int32] {
        run(text, limit: .max, parsesSpecial: specialTokens == .parsed).ids
    }

    public func encodeWithOffsets(_ text: String, specialTokens: SpecialTokens) -> [TokenSpan] {
        let encoder = run(text, limit: .max, parsesSpecial: specialTokens == .parsed, wantsOffsets: true)
        return zip(encoder.ids, encoder.ranges).map(TokenSpan.init)
    }

    public func decode(_ ids: some Sequence<Int32>, skippingSpecialTokens: Bool) -> String {
        model.decoder.decode(ids, skipsSpecial: skippingSpecialTokens)
    }

    public func streamingDecoder(skippingSpecialTokens: Bool) -> StreamingDecoder {
        StreamingDecoder(model.decoder, skipsSpecial: skippingSpecialTokens)
    }

    public func token(_ id: Int32) -> String? {
        model.decoder.vocabulary.token(id).map { String(decoding: $0, as: UTF8.self) }
    }

    public func isSpecial(_ id: Int32) -> Bool {
        model.decoder.vocabulary.isSpecial(id)
    }
}
