public import Foundation

/// A piece of an answer on its way. Pieces of one request arrive in order; the last one of a stream that did
/// not fail is a ``Content/result(_:)``.
public struct InferenceChunk: Hashable, Sendable {
    /// What is large stands apart, so that the many small pieces are not of its size.
    public enum Content: Hashable, Sendable {
        /// The next part of the text, never split inside a character.
        case text(String)
        /// The next part of what a model thinks aloud before it answers.
        case reasoning(String)
        indirect case toolCall(ToolCall)
        /// The next part of an audio file.
        case audio(Data)
        /// The vector of the text at `index` of the request.
        case embedding(index: Int, vector: [Float])
        /// The categories of the text at `index` of the request.
        case classification(index: Int, Classification)
        /// Where long work stands that comes before the answer: no part of it.
        indirect case progress(Progress)
        indirect case result(InferenceResult)
    }

    public struct Progress: Codable, Hashable, Sendable {
        /// What is being done, for a person: `learning from examples`.
        public var stage: String
        public var completed: Int
        public var total: Int

        public init(stage: String, completed: Int, total: Int) {
            self.stage = stage
            self.completed = completed
            self.total = total
        }

        /// What is done of the whole, 0…1; 0 where the whole is not known.
        public var part: Double { total > 0 ? min(1, max(0, Double(completed) / Double(total))) : 0 }
    }

    public var requestID: String
    public var content: Content

    public init(requestID: String, _ content: Content) {
        self.requestID = requestID
        self.content = content
    }

    /// The text that this piece adds to the answer; `nil` for the other kinds.
    public var text: String? {
        if case .text(let text) = content { text } else { nil }
    }

    /// Whether it is a part of the answer itself.
    public var isAnswer: Bool {
        if case .progress = content { false } else { true }
    }

    public var result: InferenceResult? {
        if case .result(let result) = content { result } else { nil }
    }
}
