import BreezeCore
public import Foundation

/// Finds the adapter for a model, and keeps what it makes: a tokenizer is loaded once, however many ask, and goes
/// when its model does.
///
/// ```swift
/// let registry = TokenizerRegistry()
/// let tokenizer = try await registry.tokenizer(for: modelFolder)
/// await registry.release(modelFolder)
/// ```
public actor TokenizerRegistry {
    private var adapters: [any TokenizerAdapter]
    private var loads: [URL: Task<any Tokenizer, any Error>] = [:]

    /// Knows every format of this module; bundles first, because what lies in them is found by their name.
    public init() {
        adapters = [
            BundleAdapter.coreML, BundleAdapter.tflite, WordPieceAdapter(), BytePairAdapter(),
            SentencePieceAdapter(),
        ]
    }

    /// An app's own adapter is asked before the others, and takes the place of one of its format.
    public func register(_ adapter: any TokenizerAdapter) {
        adapters.removeAll { $0.format == adapter.format }
        adapters.insert(adapter, at: 0)
    }

    public var formats: [TokenizerFormat] { adapters.map(\.format) }

    /// - Throws: `unsupported` where no adapter knows the model, and what its adapter throws; a failed load may be
    ///   tried again.
    public func tokenizer(for modelPath: URL) async throws -> any Tokenizer {
        let key = modelPath.standardizedFileURL
        if let load = loads[key] { return try await load.value }
        guard let adapter = adapters.first(where: { $0.accepts(modelPath: modelPath) }) else {
            throw BreezeError(
                .unsupported,
                "No tokenizer was found at \(modelPath.path(percentEncoded: false)).",
                remedy: "Copy the model's tokenizer.json, tokenizer.model or vocab.txt beside it."
            )
        }
        let load = Task.detached { try adapter.createTokenizer(modelPath: modelPath) }
        loads[key] = load
        do {
            return try await load.value
        } catch {
            // Another one may have taken its place while this one failed.
            if loads[key] == load { loads[key] = nil }
            throw error
        }
    }

    /// Forgets the model's tokenizer; who still holds it keeps it.
    public func release(_ modelPath: URL) {
        loads[modelPath.standardizedFileURL] = nil
    }

    public var loadedCount: Int { loads.count }
}
