/// A vector and what it stands for.
public struct VectorEntry: Hashable, Sendable {
    /// The caller's, such as the number of a passage.
    public let id: Int64
    public let vector: QuantizedVector

    public init(id: Int64, vector: QuantizedVector) {
        self.id = id
        self.vector = vector
    }
}
