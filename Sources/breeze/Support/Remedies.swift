import BreezeCore
import Foundation

/// What to do where nothing can answer, per capability. Says what this build can do and no more.
enum Remedies {
    /// The encoder that `make setup` fetches, once it did.
    static var encoderModel: String {
        let folders = EnvironmentFolders(ProcessInfo.processInfo.environment)
        let fetched = folders.cache.map { "\($0)/models-src/all-minilm-l6-v2" }
        if let fetched, FileManager.default.fileExists(atPath: fetched) {
            return "breeze models import \"\(fetched)\""
        }
        return "make run   (or, with an encoder of your own: \(modelCommand))"
    }

    static let modelCommand = "breeze models import PATH"

    static let chatModel = """
        A GGUF file that you have, from Ollama, LM Studio or a download, comes in with: \(modelCommand)
        Any chat model will do; Qwen3-1.7B in Q4_K_M is a good beginning. Without one only a mock can chat: \
        breeze chat --mock "hello"
        """

    static func noRunner(for capability: AICapability) -> String {
        switch capability {
        case .chat: chatModel
        case .embedding, .classification: "Install the encoder with: \(encoderModel)"
        case .rerank:
            """
            Import a cross-encoder, for example ms-marco-MiniLM-L6-v2: \(modelCommand)
            Without one, breeze similar orders texts by their embeddings.
            """
        default:
            """
            This build has no runner for \(capability) yet; mocks show how it will look: add --mock.
            See what would answer: breeze route \(capability)
            """
        }
    }
}
