/// Which text of a pair gives way where both do not fit. What is cut is always the end of a text.
public enum PairTruncation: Sendable, Hashable, CaseIterable {
    /// The longer text, and both evenly once they are equally long: Hugging Face's `longest_first`. Of an
    /// odd number of places the text that was longer gets the larger part, and the second where they were
    /// equal.
    case longestFirst
    /// The second alone, so that a query stays whole before a document: Hugging Face's `only_second`. The
    /// first text has to leave room for one id of the second.
    case onlySecond
}

extension PairTruncation {
    /// How many ids of each text to keep when `room` are free for both; `nil` where that cannot be honoured.
    ///
    /// The closed form of the reference (`tokenizers`, `utils/truncation.rs`), so its result and not that of
    /// the loop in `transformers`, which gives the odd place to the first of two equal texts.
    func lengths(first: Int, second: Int, room: Int) -> (first: Int, second: Int)? {
        guard first + second > room else { return (first, second) }
        switch self {
        case .longestFirst:
            let shorter = min(first, second, room / 2)
            return first > second ? (room - shorter, shorter) : (shorter, room - shorter)
        case .onlySecond:
            return first < room && second > 0 ? (first, room - first) : nil
        }
    }
}
