public import BreezeCore
public import Foundation

/// Makes a runner of each GGUF model that chats or embeds.
public struct LlamaRunnerFactory: RunnerFactory {
    public let backend = "llama"
    private let deviceMemory: Int64?
    private let locate: @Sendable (ModelInfo) throws -> URL

    /// `deviceMemory` are the bytes that the device has in all, by which a large or a small model is preferred;
    /// `locate` gives a model's file.
    public init(deviceMemory: Int64?, locate: @escaping @Sendable (ModelInfo) throws -> URL) {
        self.deviceMemory = deviceMemory
        self.locate = locate
    }

    public func canMakeRunner(for model: ModelInfo) -> Bool {
        model.format == .gguf && model.capabilities.contains { [.chat, .embedding].contains($0) }
    }

    public func makeRunner(for model: ModelInfo, settings: LoadSettings) throws -> any Runner {
        LlamaRunner(
            model: model,
            file: try locate(model),
            settings: settings,
            standing: ModelStanding(model, deviceMemory: deviceMemory)
        )
    }
}
