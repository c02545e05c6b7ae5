public import BreezeCore
public import Foundation

extension BreezeClient {
    /// One turn: an answer to `prompt`.
    public func chat(prompt: String, options: AskingOptions = AskingOptions()) async throws -> Answer<String>
    {
        try await chat([ChatMessage(.user, prompt)], options: options)
    }

    /// The next turn of a conversation.
    public func chat(
        _ messages: [ChatMessage],
        options: AskingOptions = AskingOptions()
    ) async throws -> Answer<String> {
        try await ask(.chat, options, { $0.messages = messages }, Self.text)
    }

    /// As ``chat(prompt:options:)``, piece by piece; the last one is the whole result.
    public func stream(prompt: String, options: AskingOptions = AskingOptions()) -> InferenceStream {
        stream([ChatMessage(.user, prompt)], options: options)
    }

    /// As ``chat(_:options:)``, piece by piece; the last one is the whole result.
    public func stream(
        _ messages: [ChatMessage],
        options: AskingOptions = AskingOptions()
    ) -> InferenceStream {
        var request = Self.request(.chat, options)
        request.messages = messages
        return stream(request)
    }

    /// One vector a text, in their order.
    public func embed(
        _ texts: [String],
        as type: InputType? = nil,
        options: AskingOptions = AskingOptions()
    ) async throws -> Answer<[[Float]]> {
        try await ask(.embedding, options, { ($0.inputs, $0.inputType) = (texts, type) }) { output in
            if case .embeddings(let vectors) = output { vectors } else { nil }
        }
    }

    /// The categories of each text, in their order; without `categories` the model's own.
    public func classify(
        _ texts: [String],
        into categories: [ClassificationCategory]? = nil,
        options: AskingOptions = AskingOptions()
    ) async throws -> Answer<[Classification]> {
        try await ask(.classification, options, { ($0.inputs, $0.categories) = (texts, categories) }) {
            if case .classifications(let found) = $0 { found } else { nil }
        }
    }

    /// What is said in a recording: a whole file (WAV, …).
    public func transcribe(
        _ recording: Data,
        options: AskingOptions = AskingOptions()
    ) async throws -> Answer<Transcript> {
        try await ask(.asr, options, { $0.audioData = recording }) {
            if case .transcript(let transcript) = $0 { transcript } else { nil }
        }
    }

    /// `text` as speech.
    public func speak(_ text: String, options: AskingOptions = AskingOptions()) async throws -> Answer<
        AudioClip
    > {
        try await ask(.tts, options, { $0.prompt = text }) {
            if case .audio(let clip) = $0 { clip } else { nil }
        }
    }

    /// An answer about an image: a whole file (PNG, JPEG, …).
    public func see(
        _ image: Data,
        prompt: String,
        options: AskingOptions = AskingOptions()
    ) async throws -> Answer<String> {
        try await ask(.vlm, options, { ($0.imageData, $0.prompt) = (image, prompt) }, Self.text)
    }

    /// What a guardian says of `text`.
    public func `guard`(
        _ text: String,
        options: AskingOptions = AskingOptions()
    ) async throws -> Answer<GuardianVerdict> {
        try await ask(.guardian, options, { $0.prompt = text }) {
            if case .verdict(let verdict) = $0 { verdict } else { nil }
        }
    }

    private static func text(_ output: InferenceOutput) -> String? {
        if case .text(let text) = output { text } else { nil }
    }

    private static func request(_ capability: AICapability, _ options: AskingOptions) -> InferenceRequest {
        InferenceRequest(
            capability,
            id: options.id,
            configuration: options.configuration,
            modelID: options.modelID,
            privacy: options.privacy
        )
    }

    private func ask<Value>(
        _ capability: AICapability,
        _ options: AskingOptions,
        _ fill: (inout InferenceRequest) -> Void,
        _ value: (InferenceOutput) -> Value?
    ) async throws -> Answer<Value> {
        var request = Self.request(capability, options)
        fill(&request)
        let result = try await run(request)
        guard let value = value(result.output) else {
            throw KitFault.malformed("it is of another kind than \(capability) asks for")
        }
        return Answer(value: value, result: result)
    }
}
