public import Foundation

/// A model in a format that says nothing of text, with its tokenizer's files inside or beside it.
public struct BundleAdapter: TokenizerAdapter {
    public let format: TokenizerFormat
    private let extensions: Set<String>
    private let parts: [any TokenizerAdapter] = [
        WordPieceAdapter(), BytePairAdapter(), SentencePieceAdapter(),
    ]

    /// A `.tflite` file.
    public static let tflite = BundleAdapter(format: .tfliteBundle, extensions: ["tflite", "task"])
    /// An `.mlpackage` or `.mlmodelc`, which are folders, or an `.mlmodel`.
    public static let coreML = BundleAdapter(
        format: .coreMLBundle,
        extensions: ["mlpackage", "mlmodelc", "mlmodel"]
    )

    private init(format: TokenizerFormat, extensions: Set<String>) {
        self.format = format
        self.extensions = extensions
    }

    public func accepts(modelPath: URL) -> Bool {
        guard isBundle(modelPath) || holdsBundle(modelPath) else { return false }
        return places(modelPath).contains { place in parts.contains { $0.accepts(modelPath: place) } }
    }

    public func createTokenizer(modelPath: URL) throws -> any Tokenizer {
        for place in places(modelPath) {
            for part in parts where part.accepts(modelPath: place) {
                return try part.createTokenizer(modelPath: place)
            }
        }
        throw TokenizerKind.missing("tokenizer.json, tokenizer.model or vocab.txt", modelPath)
    }

    private func isBundle(_ url: URL) -> Bool { extensions.contains(url.pathExtension.lowercased()) }

    private func holdsBundle(_ url: URL) -> Bool {
        let names = try? FileManager.default.contentsOfDirectory(atPath: url.path(percentEncoded: false))
        return names?.contains { isBundle(URL(filePath: $0)) } ?? false
    }

    /// Inside first: what a bundle brings is its own.
    private func places(_ url: URL) -> [URL] {
        guard isBundle(url) else { return [url] }
        let inside = [url, url.appending(path: "Resources"), url.appending(path: "Data")]
        return inside.filter { TokenizerFolder($0).url == $0 } + [url.deletingLastPathComponent()]
    }
}
