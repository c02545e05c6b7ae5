/// Turns text into the ids a model was trained on.
public protocol Tokenizer: Sendable {
    /// Number of ids; every id that ``encode(_:)`` returns is below it.
    var vocabularySize: Int { get }

    /// The ids of `text`, without the special tokens that frame a sequence.
    func encode(_ text: String) -> [Int32]
}
