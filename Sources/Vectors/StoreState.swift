import BreezeCore
import BreezeFiles
import Foundation

/// The writer's side of a store: the manifest, its files, and the index over them.
struct StoreState: Sendable {
    private let folder: URL
    private let layout: SegmentLayout
    private let write: SegmentFile.Write
    private var manifest: VectorManifest
    private var files: [SegmentFile] = []
    private(set) var index: VectorIndex

    var damaged: Int { files.reduce(0) { $0 + $1.damaged } }

    /// The caller has the lock.
    init(
        _ folder: URL,
        _ layout: SegmentLayout,
        encoder: String,
        others: VectorStore.OtherVectors,
        write: @escaping SegmentFile.Write
    ) throws {
        self.folder = folder
        self.write = write
        manifest = try Self.manifest(folder, layout, encoder: encoder, others: others)
        // Files that are there stay as large as they are.
        self.layout = try manifest.layout()
        index = VectorIndex(self.layout)
        try removeOtherFiles()
        for number in manifest.segments {
            let file = VectorManifest.segment(number, in: folder)
            files.append(try SegmentFile(opening: file, manifest.header(number), write: write))
        }
        publish()
    }

    /// The one that is there, or a new one.
    private static func manifest(
        _ folder: URL,
        _ layout: SegmentLayout,
        encoder: String,
        others: VectorStore.OtherVectors
    ) throws -> VectorManifest {
        let found = try VectorManifest.read(folder)
        if let found {
            do {
                try found.check(dimension: layout.dimension, encoder: encoder)
                return found
            } catch {
                guard others == .startAnew else { throw error }
            }
        }
        let new = VectorManifest(
            dimension: layout.dimension,
            blocks: layout.blocks,
            encoder: encoder,
            generation: (found?.generation ?? -1) + 1,
            segments: [],
            next: found?.next ?? 1
        )
        try new.write(folder)
        return new
    }

    /// What the manifest does not name is no part of the index: a process died before it did, or after it did no more.
    private func removeOtherFiles() throws {
        let named = Set(manifest.segments.map { VectorManifest.segment($0, in: folder).lastPathComponent })
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
        where name.hasSuffix(".vectors") && !named.contains(name) || name.hasPrefix(".new-") {
            unlink(folder.appending(path: name).path)
        }
    }

    private mutating func publish() {
        index.segments = files.map(\.segment)
        index.generation = manifest.generation
    }

    mutating func append(_ entries: [VectorEntry]) throws -> Range<Int> {
        for entry in entries { try index.check(entry.vector) }
        defer { publish() }
        let start = try firstFree()
        var next = entries.startIndex
        while next < entries.endIndex {
            if files.last?.segment.isFull ?? true { try addFile() }
            next += try files[files.count - 1].append(entries[next...])
        }
        return start..<start + entries.count
    }

    /// The number of the row that is appended next.
    private func firstFree() throws -> Int {
        guard let last = files.last else { return 0 }
        let number = (files.count - 1) * layout.rows + last.segment.rows
        guard number <= Int(UInt32.max) - layout.rows else {
            throw BreezeError(.insufficientMemory, "The index has no numbers left for more rows.")
        }
        return number
    }

    /// The file first, then its name in the manifest.
    private mutating func addFile() throws {
        let file = try makeFile(manifest.next)
        var changed = manifest
        changed.segments.append(manifest.next)
        changed.next += 1
        try changed.write(folder)
        manifest = changed
        files.append(file)
    }

    private func makeFile(_ number: UInt64) throws -> SegmentFile {
        let url = VectorManifest.segment(number, in: folder)
        let file = try SegmentFile(creating: url, manifest.header(number), write: write)
        try file.sync()
        return file
    }

    mutating func remove(_ rows: [Int]) throws {
        defer { publish() }
        let there = rows.filter { index.place(of: $0) != nil }
        for (number, rows) in Dictionary(grouping: there, by: { $0 / layout.rows }) {
            try files[number].remove(rows.map { $0 % layout.rows })
        }
    }

    /// New files first; from the moment on when the manifest names them, the old ones are none of the index.
    mutating func compact() throws {
        guard index.segments.contains(where: \.isSparse) else { return }
        var changed = manifest
        changed.generation += 1
        changed.segments = []
        var kept: [SegmentFile] = []
        for (number, file) in zip(manifest.segments, files)
        where file.segment.isFull && !file.segment.isSparse {
            changed.segments.append(number)
            kept.append(file)
        }
        for file in files where !file.segment.isFull || file.segment.isSparse {
            var rest = file.segment.entries[...]
            while !rest.isEmpty {
                if changed.segments.isEmpty || kept[kept.count - 1].segment.isFull {
                    kept.append(try makeFile(changed.next))
                    changed.segments.append(changed.next)
                    changed.next += 1
                }
                rest = try rest.dropFirst(kept[kept.count - 1].append(rest))
            }
        }
        for file in kept { try file.sync() }
        try changed.write(folder)
        (manifest, files) = (changed, kept)
        publish()
        try removeOtherFiles()
    }

    func flush() throws {
        for file in files { try file.sync() }
    }
}

extension Segment {
    /// What is live, in order: as much as one segment holds.
    var entries: [VectorEntry] {
        var entries: [VectorEntry] = []
        entries.reserveCapacity(liveCount)
        forEachLive { entries.append(VectorEntry(id: id($0), vector: vector($0))) }
        return entries
    }
}

/// A reader's side of a store.
struct StoreReader {
    let index: VectorIndex
    private(set) var damaged = 0

    init(_ folder: URL, dimension: Int, encoder: String, isVerified: Bool) throws {
        var attempts = 0
        while true {
            guard let manifest = try VectorManifest.read(folder) else {
                throw BreezeError(
                    .unavailable,
                    "There are no vectors in \(folder.path).",
                    remedy: "Index something first."
                )
            }
            try manifest.check(dimension: dimension, encoder: encoder)
            do {
                index = try Self.index(folder, manifest, isVerified, &damaged)
                return
            } catch {
                // A file that was removed since is in the manifest no more.
                attempts += 1
                guard attempts < 10, try VectorManifest.read(folder) != manifest else { throw error }
            }
        }
    }

    private static func index(
        _ folder: URL,
        _ manifest: VectorManifest,
        _ isVerified: Bool,
        _ damaged: inout Int
    ) throws -> VectorIndex {
        damaged = 0
        var index = VectorIndex(try manifest.layout())
        index.generation = manifest.generation
        for number in manifest.segments {
            let url = VectorManifest.segment(number, in: folder)
            let header = try manifest.header(number)
            let descriptor = try FileDescriptor(url, O_RDONLY)
            let opened = try OpenedSegment(descriptor, url, header, isVerified: isVerified)
            index.segments.append(opened.segment(header.layout))
            damaged += opened.damaged
        }
        return index
    }
}
