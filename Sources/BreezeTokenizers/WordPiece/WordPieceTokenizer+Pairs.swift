extension WordPieceTokenizer {
    /// How many ids frame a pair; `nil` where the tokenizer states no frame for pairs.
    public var pairFrameLength: Int? { model.pair?.frame.count }

    public func encode(
        _ first: String,
        _ second: String,
        limit: Int,
        truncation: PairTruncation
    ) throws -> TokenizedText {
        guard let template = model.pair else { throw FrameLimit.noPairs }
        let room = try room(in: limit, frameLength: template.frame.count)
        let one = run(first, limit: room)
        let two = run(second, limit: room)
        guard let kept = truncation.lengths(first: one.count, second: two.count, room: room) else {
            throw FrameLimit.firstTooLong(ids: one.count, frame: template.frame.count, limit: limit)
        }
        return template.filled(
            first: one.ids.prefix(kept.first),
            second: two.ids.prefix(kept.second),
            truncatedCount: one.count + two.count - kept.first - kept.second
        )
    }
}
