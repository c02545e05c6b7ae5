/// How likely a model held the tokens of one step, as natural logarithms, before sampling changed anything.
public struct TokenLogprobs: Codable, Hashable, Sendable {
    public struct Entry: Codable, Hashable, Sendable {
        /// The token's number in the model's vocabulary.
        public var id: Int
        /// Its text; U+FFFD stands for the bytes of a character that it holds only a part of.
        public var token: String
        /// UTF-8, which may begin or end inside a character.
        public var bytes: [UInt8]
        public var logprob: Double

        public init(id: Int, token: String, bytes: [UInt8], logprob: Double) {
            self.id = id
            self.token = token
            self.bytes = bytes
            self.logprob = logprob
        }
    }

    /// The token that the answer went on with.
    public var chosen: Entry
    /// The likeliest ones, likeliest first.
    public var top: [Entry]

    public init(chosen: Entry, top: [Entry]) {
        self.chosen = chosen
        self.top = top
    }
}
