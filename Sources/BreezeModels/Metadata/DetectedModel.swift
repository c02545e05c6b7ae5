public import BreezeCore
public import Foundation

/// What ``FormatDetector`` found a file or folder to be.
public struct DetectedModel: Hashable, Sendable {
    /// How the model lies on disk.
    public enum Layout: String, Codable, Sendable {
        case file
        /// Weights, configuration and tokenizer in one folder.
        case folder
        /// A folder with a manifest, as Core ML's `.mlpackage`.
        case package
        /// A Core ML model made ready for a device, as `.mlmodelc`.
        case compiled
    }

    public enum Evidence: String, Codable, Sendable {
        case content
        /// The end of the file's name alone: the format has no signature that is publicly known.
        case fileName
    }

    public let format: ModelFormat
    /// The model itself: another than was asked for where a folder holds one model file.
    public let url: URL
    public let layout: Layout
    public let evidence: Evidence

    init(format: ModelFormat, url: URL, layout: Layout, evidence: Evidence = .content) {
        self.format = format
        self.url = url
        self.layout = layout
        self.evidence = evidence
    }
}
