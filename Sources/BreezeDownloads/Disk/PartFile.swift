import BreezeCore
import BreezeFiles
import Foundation

/// The bytes of a file that have come so far, and their digest. For one task.
final class PartFile {
    private let folder: StagingFolder
    private let name: String
    private let url: URL
    private let descriptor: Int32
    private var hasher: ContentHasher
    /// Bytes that are there, all of them in the digest.
    private(set) var size: Int64 = 0
    /// `nil` where nothing is known of where the bytes come from: then there are none.
    private(set) var record: PartRecord?

    /// Opens what an earlier run left, as far as it can be trusted. Call ``readAgain()`` before anything is
    /// added.
    init(_ folder: StagingFolder, _ name: String) throws {
        self.folder = folder
        self.name = name
        url = folder.part(name)
        hasher = try ContentHasher()
        try Folder.make(url.deletingLastPathComponent())
        descriptor = open(url.path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw FileFault.writing(url, errno) }
        record = folder.readRecord(name)
    }

    deinit { close(descriptor) }

    /// Hashes what is there; reading it is far cheaper than fetching it. A cancelled task stops between
    /// pieces.
    func readAgain() async throws {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw FileFault.reading(url, errno) }
        guard let record else { return try reset() }
        self.record?.finished = nil
        var usable = Int64(status.st_size)
        if record.boot == nil || record.boot != PartRecord.currentBoot { usable = min(usable, record.synced) }
        if let total = record.total, usable > total { return try reset() }
        guard usable == Int64(status.st_size) || ftruncate(descriptor, off_t(usable)) == 0 else {
            throw FileFault.writing(url, errno)
        }
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
        defer { piece.deallocate() }
        while size < usable {
            try Task.checkCancellation()
            let count = pread(
                descriptor,
                piece.baseAddress,
                Int(min(Int64(piece.count), usable - size)),
                off_t(size)
            )
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw FileFault.reading(url, count < 0 ? errno : EIO) }
            hasher.update(UnsafeRawBufferPointer(rebasing: piece[..<count]))
            size += Int64(count)
            await Task.yield()
        }
    }

    /// Forgets all bytes. The order matters to a process that is killed meanwhile: first the bytes go, then
    /// what was known of them.
    func reset() throws {
        guard ftruncate(descriptor, 0) == 0 else { throw FileFault.writing(url, errno) }
        size = 0
        hasher = try ContentHasher()
    }

    /// Says where the next bytes come from.
    func begin(_ record: PartRecord) throws {
        var record = record
        record.synced = min(self.record?.synced ?? 0, size)
        try folder.write(record, name)
        self.record = record
    }

    /// - Throws: ``BreezeError`` `.insufficientDisk` where the disk is full; what was written stays, and
    ///   counts.
    func append(_ bytes: [UInt8]) throws {
        try bytes.withUnsafeBytes { bytes in
            var rest = bytes
            while !rest.isEmpty {
                let count = pwrite(descriptor, rest.baseAddress, rest.count, off_t(size))
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw FileFault.writing(url, count < 0 ? errno : ENOSPC) }
                hasher.update(UnsafeRawBufferPointer(rebasing: rest[..<count]))
                size += Int64(count)
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            }
        }
    }

    var unsynced: Int64 { size - (record?.synced ?? 0) }

    /// Waits for the disk, on a thread that may wait: first for the bytes, then for what is said of them.
    func sync() async throws {
        record?.synced = size
        let (descriptor, folder, name, url, record) = (descriptor, folder, name, url, record)
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            DispatchQueue.global(qos: .utility).async {
                continuation.resume(
                    with: Result {
                        guard fsync(descriptor) == 0 else { throw FileFault.writing(url, errno) }
                        if let record { try folder.write(record, name, synced: true) }
                    }
                )
            }
        }
    }

    var sha256: String { hasher.digest() }

    /// Gives the file its name, after which it is never written again.
    func finish() async throws {
        // Renaming leaves the time as it is.
        record?.finished = PartRecord.Finished(
            sha256: sha256,
            size: size,
            modified: FileStatus.modified(url) ?? 0
        )
        try await sync()
        try WholeFile.move(url, to: folder.final(name))
    }

    /// Deletes bytes and record.
    func discard() {
        unlink(url.path)
        unlink(folder.record(name).path)
        record = nil
    }
}
