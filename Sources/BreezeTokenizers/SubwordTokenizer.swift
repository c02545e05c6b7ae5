/// A tokenizer of the byte-pair or the unigram kind, whatever file it comes from.
///
/// ```swift
/// let tokenizer = try SubwordTokenizer(directory: modelDirectory)
/// let ids = tokenizer.encode("a private brain for the device")
/// print(tokenizer.decode(ids))
/// ```
public struct SubwordTokenizer: Tokenizer {
    let model: SubwordModel
    private let caches = WordCacheLender()

    init(_ model: SubwordModel) {
        self.model = model
    }

    public var vocabularySize: Int { model.decoder.vocabulary.count }

    public func encode(_ text: String) -> [Int32] {
        encode(text, specialTokens: .parsed)
    }

    public func encode(_ text: String, specialTokens: SpecialTokens) -> [Int32] {
        run(text, specialTokens, wantsOffsets: false).sink.ids
    }

    public func encodeWithOffsets(_ text: String, specialTokens: SpecialTokens) -> [TokenSpan] {
        let encoder = run(text, specialTokens, wantsOffsets: true)
        return zip(encoder.sink.ids, encoder.ranges).map(TokenSpan.init)
    }

    public func encode(_ text: String, limit: Int) throws -> TokenizedText {
        let frame = model.single.frame.count
        let room = try FrameLimit.room(in: limit, frameLength: frame)
        let ids = encode(text)
        let kept = ids.prefix(room)
        return model.single.filled(first: kept, truncatedCount: ids.count - kept.count)
    }

    public func encode(
        _ first: String,
        _ second: String,
        limit: Int,
        truncation: PairTruncation
    ) throws -> TokenizedText {
        guard let template = model.pair else { throw FrameLimit.noPairs }
        let room = try FrameLimit.room(in: limit, frameLength: template.frame.count)
        let one = encode(first)
        let two = encode(second)
        guard let kept = truncation.lengths(first: one.count, second: two.count, room: room) else {
            throw FrameLimit.firstTooLong(ids: one.count, frame: template.frame.count, limit: limit)
        }
        return template.filled(
            first: one.prefix(kept.first),
            second: two.prefix(kept.second),
            truncatedCount: one.count + two.count - kept.first - kept.second
        )
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

    func run(_ text: String, _ specialTokens: SpecialTokens, wantsOffsets: Bool) -> SubwordEncoder {
        var encoder = SubwordEncoder(model, cache: caches.take(), wantsOffsets: wantsOffsets)
        encoder.encode(Array(text.utf8), parsesSpecial: specialTokens == .parsed)
        caches.give(back: encoder.takeCache())
        return encoder
    }
}
