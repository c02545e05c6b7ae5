/// What a model is loaded with: threads, context size. Two instances of one model with different settings are
/// two loaded models.
public struct LoadSettings: Codable, Hashable, Sendable {
    public var values: [String: JSONValue]

    public init(_ values: [String: JSONValue] = [:]) {
        self.values = values
    }
}
