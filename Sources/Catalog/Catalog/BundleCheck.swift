public import BreezeCore
import BreezeModels
public import Foundation

/// Whether an app's package holds no more models than it may: none above the limit, and all together below it.
/// Larger ones are downloaded once and shared through the hub.
public struct BundleCheck: Codable, Hashable, Sendable {
    public struct Model: Codable, Hashable, Sendable {
        /// Relative to the package.
        public var path: String
        public var format: ModelFormat
        public var bytes: Int64
    }

    /// Bytes: 200 MB, of one model and of all together.
    public static let limit: Int64 = 200_000_000
    /// Smaller files are no models: they are not looked into.
    private static let smallest: Int64 = 64 << 10

    /// By path.
    public var models: [Model]

    public var bytes: Int64 { models.reduce(0) { $0 + $1.bytes } }
    public var isAllowed: Bool { bytes <= Self.limit }

    /// Looks into every file below `package`, whatever its name says.
    /// - Throws: ``BreezeError`` `.inputOutput` where there is no such folder.
    public init(package: URL) throws {
        guard let paths = FileManager.default.enumerator(atPath: package.path) else {
            throw BreezeError(.inputOutput, "There is no folder \(package.path).")
        }
        var found: [Model] = []
        while let path = paths.nextObject() as? String {
            let url = package.appending(path: path)
            let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
            guard attributes?[.type] as? FileAttributeType == .typeRegular,
                let bytes = (attributes?[.size] as? NSNumber)?.int64Value, bytes >= Self.smallest,
                let detected = try? FormatDetector.detect(url)
            else { continue }
            found.append(Model(path: path, format: detected.format, bytes: bytes))
        }
        models = found.sorted { $0.path < $1.path }
    }
}
