public import Foundation

/// One question to the brain, whatever its kind. What a capability needs of it:
///
/// | capability | reads |
/// |---|---|
/// | chat | ``messages``, or ``prompt`` as one user turn |
/// | vlm, ocr | ``imageData`` and ``prompt``, or images within ``messages`` |
/// | asr | ``audioData`` |
/// | tts, guardian | ``prompt`` |
/// | embedding | ``inputs``, or ``prompt`` as the one input; ``inputType`` |
/// | classification | ``inputs`` or ``prompt``; ``categories``, unless the model has labels of its own |
/// | rerank | ``prompt`` as the query, ``inputs`` as the documents |
public struct InferenceRequest: Sendable, Identifiable {
    /// Names the request in `cancel(_:)` and in its result; two that run at once must differ.
    public var id: String
    public var capability: AICapability
    public var prompt: String?
    public var messages: [ChatMessage]?
    /// Several texts that are answered together, in order.
    public var inputs: [String]?
    /// An encoded image (PNG, JPEG, …).
    public var imageData: Data?
    /// An encoded recording (WAV, …).
    public var audioData: Data?
    public var categories: [ClassificationCategory]?
    /// What the texts of an embedding request are to each other; only models that were trained on the
    /// difference heed it.
    public var inputType: InputType?
    public var configuration: InferenceConfig {
        get { settings.value }
        set { settings.value = newValue }
    }
    /// Only a runner bound to this model may answer.
    public var modelID: String?
    /// Only this runner may answer.
    public var runnerID: String?
    public var privacy: PrivacyScope
    /// Mocks answer only where this is set, or where ``runnerID`` names one.
    public var allowsMocks: Bool
    public var priority: RequestPriority
    /// Who asks, so that one who asks much does not hold up the others; `nil` is the program's own. A hub sets
    /// it to whom it let in, whatever the request says.
    public var client: String?
    /// Receives each chunk, on no particular thread, before the result is returned. Not part of the Codable
    /// form.
    public var streamingCallback: (@Sendable (InferenceChunk) -> Void)?

    private var settings: Boxed<InferenceConfig>

    public init(
        _ capability: AICapability,
        prompt: String? = nil,
        id: String = Self.newID(),
        messages: [ChatMessage]? = nil,
        inputs: [String]? = nil,
        imageData: Data? = nil,
        audioData: Data? = nil,
        categories: [ClassificationCategory]? = nil,
        inputType: InputType? = nil,
        configuration: InferenceConfig = InferenceConfig(),
        modelID: String? = nil,
        runnerID: String? = nil,
        privacy: PrivacyScope = .userSettings,
        allowsMocks: Bool = false,
        priority: RequestPriority = .normal,
        client: String? = nil,
        streamingCallback: (@Sendable (InferenceChunk) -> Void)? = nil
    ) {
        self.id = id
        self.capability = capability
        self.prompt = prompt
        self.messages = messages
        self.inputs = inputs
        self.imageData = imageData
        self.audioData = audioData
        self.categories = categories
        self.inputType = inputType
        settings = Boxed(configuration)
        self.modelID = modelID
        self.runnerID = runnerID
        self.privacy = privacy
        self.allowsMocks = allowsMocks
        self.priority = priority
        self.client = client
        self.streamingCallback = streamingCallback
    }
}

/// The part that a text plays in a search. Asymmetric embedding models (e5, bge) put different words before
/// each.
public enum InputType: String, Codable, Hashable, Sendable {
    /// What is looked for.
    case query
    /// What is looked through.
    case passage
}

/// How far a request may travel.
public enum PrivacyScope: String, Codable, Sendable {
    /// Network runners that the user consented to may answer.
    case userSettings
    /// Nothing leaves the device: no setting, consent or fallback lifts this.
    case onDevice
}

extension InferenceRequest {
    /// A random UUID. Foundation's own opens a device file for each on Linux.
    public static func newID() -> String {
        var random = SystemRandomNumberGenerator()
        // RFC 9562: version 4, variant 10.
        let high = random.next() & ~0xF000 | 0x4000
        let low = random.next() & ~(3 << 62) | 1 << 63
        return withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { bytes in
            UUID(uuid: bytes.load(as: uuid_t.self)).uuidString.lowercased()
        }
    }

    /// The texts of an embedding or classification request: ``inputs``, else ``prompt`` alone, else none.
    public var texts: [String] { inputs ?? prompt.map { [$0] } ?? [] }

    /// The turns of a chat request: ``messages``, else ``prompt`` as the user's one turn, else none.
    public var conversation: [ChatMessage] { messages ?? prompt.map { [ChatMessage(.user, $0)] } ?? [] }
}

extension InferenceRequest: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, capability, prompt, messages, inputs, imageData, audioData, categories, inputType
        case configuration, modelID, runnerID, privacy, allowsMocks, priority, client
    }

    /// Only `capability` must be there; unknown fields are passed over.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try values.decode(AICapability.self, forKey: .capability),
            prompt: try values.decodeIfPresent(String.self, forKey: .prompt),
            id: try values.decodeIfPresent(String.self, forKey: .id) ?? Self.newID(),
            messages: try values.decodeIfPresent([ChatMessage].self, forKey: .messages),
            inputs: try values.decodeIfPresent([String].self, forKey: .inputs),
            imageData: try values.decodeIfPresent(Data.self, forKey: .imageData),
            audioData: try values.decodeIfPresent(Data.self, forKey: .audioData),
            categories: try values.decodeIfPresent([ClassificationCategory].self, forKey: .categories),
            inputType: try values.decodeIfPresent(InputType.self, forKey: .inputType),
            configuration: try values.decodeIfPresent(InferenceConfig.self, forKey: .configuration)
                ?? InferenceConfig(),
            modelID: try values.decodeIfPresent(String.self, forKey: .modelID),
            runnerID: try values.decodeIfPresent(String.self, forKey: .runnerID),
            privacy: try values.decodeIfPresent(PrivacyScope.self, forKey: .privacy) ?? .userSettings,
            allowsMocks: try values.decodeIfPresent(Bool.self, forKey: .allowsMocks) ?? false,
            priority: try values.decodeIfPresent(RequestPriority.self, forKey: .priority) ?? .normal,
            client: try values.decodeIfPresent(String.self, forKey: .client)
        )
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(id, forKey: .id)
        try values.encode(capability, forKey: .capability)
        try values.encodeIfPresent(prompt, forKey: .prompt)
        try values.encodeIfPresent(messages, forKey: .messages)
        try values.encodeIfPresent(inputs, forKey: .inputs)
        try values.encodeIfPresent(imageData, forKey: .imageData)
        try values.encodeIfPresent(audioData, forKey: .audioData)
        try values.encodeIfPresent(categories, forKey: .categories)
        try values.encodeIfPresent(inputType, forKey: .inputType)
        try values.encode(configuration, forKey: .configuration)
        try values.encodeIfPresent(modelID, forKey: .modelID)
        try values.encodeIfPresent(runnerID, forKey: .runnerID)
        try values.encode(privacy, forKey: .privacy)
        try values.encode(allowsMocks, forKey: .allowsMocks)
        try values.encode(priority, forKey: .priority)
        try values.encodeIfPresent(client, forKey: .client)
    }
}
