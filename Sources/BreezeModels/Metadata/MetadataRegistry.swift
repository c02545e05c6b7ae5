public import BreezeCore
public import Foundation
import Synchronization

/// The extractors of an app and of Breeze. The first that was registered for a format reads it; the app's come
/// before Breeze's own.
public final class MetadataRegistry: Sendable {
    private let own: Mutex<[any MetadataExtractor]>

    /// What Breeze brings along.
    static let builtIn: [any MetadataExtractor] = [
        GGUFMetadataExtractor(), SafetensorsMetadataExtractor(), MLXMetadataExtractor(),
        ONNXMetadataExtractor(), TFLiteMetadataExtractor(), ExecuTorchMetadataExtractor(),
        CoreMLMetadataExtractor(), MLCMetadataExtractor(), WhisperMetadataExtractor(),
        PicoLLMMetadataExtractor(),
    ]

    public init(_ extractors: [any MetadataExtractor] = []) {
        own = Mutex(extractors)
    }

    /// Behind those that the app registered before.
    public func register(_ extractor: any MetadataExtractor) {
        own.withLock { $0.append(extractor) }
    }

    /// `nil` where nobody reads the format.
    public func extractor(for format: ModelFormat) -> (any MetadataExtractor)? {
        all.first { $0.supportedFormats.contains(format) }
    }

    /// What the file or folder is, and where the model lies in it.
    /// - Throws: what ``FormatDetector/detect(_:)`` throws, where no extractor of the app knows it either.
    public func detect(_ url: URL) throws -> DetectedModel {
        do {
            let found = try FormatDetector.detect(url)
            // A name is the last resort: an app's extractor may look at the bytes.
            if found.evidence == .content { return found }
            return try recognized(url) ?? found
        } catch let error as BreezeError where [.invalidFile, .unsupported].contains(error.code) {
            if let found = try recognized(url) { return found }
            throw error
        }
    }

    /// Detects the format and reads the metadata.
    /// - Throws: ``BreezeError`` as ``detect(_:)`` and ``MetadataExtractor/extractMetadata(from:)`` do.
    public func metadata(of url: URL) throws -> ModelMetadata {
        let found = try detect(url)
        guard let extractor = extractor(for: found.format) else {
            throw BreezeError(
                .unsupported,
                "\(url.path) is of the format \(found.format.name), which nothing here reads.",
                remedy: "Register a MetadataExtractor for it."
            )
        }
        return try extractor.extractMetadata(from: found.url)
    }

    private var all: [any MetadataExtractor] { own.withLock { $0 } + Self.builtIn }

    private func recognized(_ url: URL) throws -> DetectedModel? {
        for extractor in own.withLock({ $0 }) {
            guard let format = try extractor.format(of: url) else { continue }
            return DetectedModel(format: format, url: url, layout: .file, evidence: .content)
        }
        return nil
    }
}
