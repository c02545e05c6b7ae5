public import BreezeCore
public import Foundation

/// Reads what the files of some formats say of their model. An app may bring its own, for a format that Breeze
/// does not know or to read one of Breeze's in another way: ``MetadataRegistry``.
public protocol MetadataExtractor: Sendable {
    var supportedFormats: [ModelFormat] { get }

    /// The format of a file or folder of the extractor's own; `nil` for any other. Asked only for what the
    /// bytes of Breeze's own formats do not explain.
    func format(of url: URL) throws -> ModelFormat?

    /// - Parameter url: the model's file, or its folder.
    /// - Returns: what is stated, and nothing that is guessed.
    /// - Throws: ``BreezeError`` `.invalidFile` naming the file and the fault, `.unsupported` naming what is
    ///   not read, `.inputOutput` where a file cannot be read.
    func extractMetadata(from url: URL) throws -> ModelMetadata
}

extension MetadataExtractor {
    public func format(of url: URL) throws -> ModelFormat? { nil }
}
