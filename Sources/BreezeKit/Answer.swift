public import BreezeCore

/// An answer as the app wants it, and the account of how it came about.
public struct Answer<Value: Sendable>: Sendable {
    public let value: Value
    public let result: InferenceResult

    /// The way that it took, and why not another.
    public var transport: TransportReport? { result.transport }
}

extension Answer where Value == String {
    public var text: String { value }
}

extension Answer: CustomStringConvertible {
    public var description: String { String(describing: value) }
}

/// What a request may say beside its question.
public struct AskingOptions: Sendable {
    /// Names the request in ``BreezeClient/cancel(_:)``.
    public var id: String
    public var configuration: InferenceConfig
    public var privacy: PrivacyScope
    /// Only a runner bound to this model may answer.
    public var modelID: String?

    public init(
        id: String = InferenceRequest.newID(),
        configuration: InferenceConfig = InferenceConfig(),
        privacy: PrivacyScope = .userSettings,
        modelID: String? = nil
    ) {
        self.id = id
        self.configuration = configuration
        self.privacy = privacy
        self.modelID = modelID
    }
}
