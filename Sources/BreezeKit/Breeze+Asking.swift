public import BreezeCore
public import Foundation

/// What ``BreezeClient`` does, for the one client of the app.
extension Breeze {
    public static func run(_ request: InferenceRequest) async throws -> InferenceResult {
        try await client.run(request)
    }

    public static func chat(
        prompt: String,
        options: AskingOptions = AskingOptions()
    ) async throws -> Answer<String> {
        try await client.chat(prompt: prompt, options: options)
    }

    public static func chat(
        _ messages: [ChatMessage],
        options: AskingOptions = AskingOptions()
    ) async throws -> Answer<String> {
        try await client.chat(messages, options: options)
    }

    public static func stream(
        prompt: String,
        options: AskingOptions = AskingOptions()
    ) throws(BreezeError) -> InferenceStream {
        try client.stream(prompt: prompt, options: options)
    }

    public static func stream(
        _ messages: [ChatMessage],
        options: AskingOptions = AskingOptions()
    ) throws(BreezeError) -> InferenceStream {
        try client.stream(messages, options: options)
    }

    public static func embed(
        _ texts: [String],
        as type: InputType? = nil,
        options: AskingOptions = AskingOptions()
    ) async throws -> Answer<[[Float]]> {
        try await client.embed(texts, as: type, options: options)
    }

    public static func classify(
        _ texts: [String],
        into categories: [ClassificationCategory]? = nil,
        options: AskingOptions = AskingOptions()
    ) async throws -> Answer<[Classification]> {
        try await client.classify(texts, into: categories, options: options)
    }

    public static func transcribe(
        _ recording: Data,
        options: AskingOptions = AskingOptions()
    ) async throws -> Answer<Transcript> {
        try await client.transcribe(recording, options: options)
    }

    public static func speak(
        _ text: String,
        options: AskingOptions = AskingOptions()
    ) async throws -> Answer<AudioClip> {
        try await client.speak(text, options: options)
    }

    public static func see(
        _ image: Data,
        prompt: String,
        options: AskingOptions = AskingOptions()
    ) async throws -> Answer<String> {
        try await client.see(image, prompt: prompt, options: options)
    }

    public static func `guard`(
        _ text: String,
        options: AskingOptions = AskingOptions()
    ) async throws -> Answer<GuardianVerdict> {
        try await client.guard(text, options: options)
    }
}
