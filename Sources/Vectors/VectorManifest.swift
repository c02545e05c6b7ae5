import BreezeCore
import BreezeFiles
import Foundation

/// Which files of a folder make up its index: `vectors.json`, replaced as a whole.
struct VectorManifest: Codable, Equatable, Sendable {
    static let currentFormat = 1

    var format = Self.currentFormat
    let dimension: Int
    /// Of a segment.
    let blocks: Int
    /// What made the vectors, with its version.
    let encoder: String
    var generation: Int
    /// Numbers of segments, in the order of their rows.
    var segments: [UInt64]
    /// The number that the next segment gets; none is given twice.
    var next: UInt64

    static func file(in folder: URL) -> URL { folder.appending(path: "vectors.json") }
    static func segment(_ number: UInt64, in folder: URL) -> URL {
        folder.appending(path: "\(number).vectors")
    }

    /// `nil` where there is none.
    static func read(_ folder: URL) throws -> VectorManifest? {
        let file = file(in: folder)
        guard FileStatus.size(of: file) != nil else { return nil }
        let manifest: VectorManifest
        do {
            manifest = try JSONDecoder().decode(VectorManifest.self, from: Data(contentsOf: file))
        } catch {
            throw VectorFault.damaged(file, "its contents are not what they should be")
        }
        guard manifest.format == currentFormat else {
            throw BreezeError(
                .unsupported,
                "\(file.path) has format \(manifest.format), and this version of Breeze reads \(currentFormat).",
                remedy: "Use the version that wrote it, or remove its folder; the vectors are made anew."
            )
        }
        return manifest
    }

    func write(_ folder: URL) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
        try WholeFile.replace(Self.file(in: folder), Array(encoder.encode(self)), synced: true)
        try Folder.sync(folder)
    }

    func layout() throws -> SegmentLayout { try SegmentLayout(dimension: dimension, blocks: blocks) }

    func header(_ number: UInt64) throws -> SegmentHeader {
        SegmentHeader(layout: try layout(), number: number, encoder: encoder)
    }

    /// - Throws: ``BreezeError`` with `invalid_parameter` where the vectors are others than a caller asked for.
    func check(dimension: Int, encoder: String) throws {
        guard dimension != self.dimension || encoder != self.encoder else { return }
        throw BreezeError(
            .invalidParameter,
            """
            The index holds vectors of \(self.encoder) with \(self.dimension) components, not of \(encoder) with \
            \(dimension).
            """,
            remedy: "Open it to start anew, and embed the texts again."
        )
    }
}
