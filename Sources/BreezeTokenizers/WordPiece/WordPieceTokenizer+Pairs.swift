import BreezeCore

extension WordPieceTokenizer {
    /// How many ids frame a pair; `nil` where the tokenizer states no frame for pairs.
    public var pairFrameLength: Int? { model.pair?.frame.count }

    public func encode(
        _ first: String,
        _ second: String,
        limit: Int,
        truncation: PairTruncation
    ) throws -> TokenizedText {
        guard let template = model.pair else {
            throw BreezeError(
                .unsupported,
                "This tokenizer does not say how two texts become one sequence.",
                remedy: "Choose a model that was made for pairs of texts, such as a reranker."
            )
        }
        let room = try room(in: limit, frameLength: template.frame.count)
        let one = run(first, limit: room)
        let two = run(second, limit: room)
        guard let kept = truncation.lengths(first: one.count, second: two.count, room: room) else {
            throw Self.firstTooLong(ids: one.count, frame: template.frame.count, limit: limit)
        }
        return template.filled(
            first: one.ids.prefix(kept.first),
            second: two.ids.prefix(kept.second),
            truncatedCount: one.count + two.count - kept.first - kept.second
        )
    }

    private static func firstTooLong(ids: Int, frame: Int, limit: Int) -> BreezeError {
        BreezeError(
            .invalidParameter,
            "The first text takes \(ids) ids and the frame \(frame), which leaves no room for the second "
                + "within \(limit).",
            remedy: "Shorten the first text, or set a limit of \(ids + frame + 1) or more."
        )
    }
}
