import BreezeCore

/// What a limit leaves for the texts, and what is said where it leaves too little.
enum FrameLimit {
    static func room(in limit: Int, frameLength: Int) throws(BreezeError) -> Int {
        guard limit >= frameLength else {
            throw BreezeError(
                .invalidParameter,
                "A limit of \(limit) ids leaves no room: the frame alone takes \(frameLength).",
                remedy: "Set a limit of \(frameLength + 1) or more."
            )
        }
        return limit - frameLength
    }

    static var noPairs: BreezeError {
        BreezeError(
            .unsupported,
            "This tokenizer does not say how two texts become one sequence.",
            remedy: "Choose a model that was made for pairs of texts, such as a reranker."
        )
    }

    static func firstTooLong(ids: Int, frame: Int, limit: Int) -> BreezeError {
        BreezeError(
            .invalidParameter,
            "The first text takes \(ids) ids and the frame \(frame), which leaves no room for the second "
                + "within \(limit).",
            remedy: "Shorten the first text, or set a limit of \(ids + frame + 1) or more."
        )
    }
}
