#if Hub || Pairing
package import BreezeCore
import Foundation

/// The folder through which envelopes go that are larger than a URL takes; section "What is larger" of
/// docs/url-scheme.md.
///
/// Names are resolved in the folder that was checked, whatever its path leads to by then.
package final class HandoffFolder: Sendable {
    package static let limit = 67_108_864
    /// How long the hub leaves a file that nobody fetched, in seconds.
    package static let sweepAfter = 600

    private static let pointerKind: UInt8 = 5
    private static let digestLength = 32
    let path: String
    let descriptor: Int32
    let limit: Int

    /// `limit` is the most bytes of a file; smaller ones are for tests.
    /// - Throws: ``BreezeError`` `.invalidHandoff` where it is not there, a link, somebody else's, or open to others.
    package init(opening path: String, limit: Int = HandoffFolder.limit) throws(BreezeError) {
        let opened = Foundation.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard opened >= 0 else { throw SchemeFault.handoff("its folder cannot be opened: \(Self.fault())") }
        self.path = path
        self.limit = limit
        descriptor = opened
        let status = try Self.status(opened)
        guard status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
            throw SchemeFault.handoff("its folder is not this user's alone")
        }
    }

    deinit { close(descriptor) }

    /// Puts a whole envelope there, for the pointer that goes into the URL in its place: 37 bytes.
    package func put(_ envelope: Envelope) throws(BreezeError) -> [UInt8] {
        let bytes = envelope.bytes
        guard bytes.count <= limit else {
            throw SchemeFault.tooLarge("The message has more than \(limit) bytes")
        }
        let digest = Digest.sha256(bytes)
        let temporary = ".new-\(UUID().uuidString)"
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let file = openat(descriptor, temporary, flags, 0o600)
        guard file >= 0 else { throw unwritten() }
        do throws(BreezeError) {
            defer { close(file) }
            try write(bytes, to: file)
            guard fsync(file) == 0,
                renameat(descriptor, temporary, descriptor, SchemeText.hexadecimal(digest)) == 0
            else { throw unwritten() }
        } catch {
            unlinkat(descriptor, temporary, 0)
            throw error
        }
        return EnvelopeHeader.magic + [Self.pointerKind] + digest
    }

    /// Takes the file away that a pointer names, whoever put it there.
    /// - Throws: ``BreezeError`` `.invalidHandoff`.
    func take(digest: [UInt8]) throws(BreezeError) -> [UInt8] {
        let name = SchemeText.hexadecimal(digest)
        let file = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { throw SchemeFault.handoff("it cannot be opened: \(Self.fault())") }
        defer { close(file) }
        let status = try Self.status(file)
        guard status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(), status.st_nlink == 1,
            status.st_mode & 0o077 == 0, status.st_size <= limit
        else { throw SchemeFault.handoff("it is not a plain file of this user alone, or too large") }
        unlinkat(descriptor, name, 0)
        let bytes = try read(file)
        guard Digest.sha256(bytes) == digest else {
            throw SchemeFault.handoff("it is not what its name says")
        }
        return bytes
    }

    /// What the writer does when the time of a message is over that nobody fetched.
    package func remove(_ pointer: [UInt8]) {
        guard let digest = Self.digest(in: pointer) else { return }
        unlinkat(descriptor, SchemeText.hexadecimal(digest), 0)
    }

    /// Deletes what nobody fetched in ``sweepAfter`` seconds, half-written files too. `now` is in seconds since 1970,
    /// by the clock that dates files.
    package func sweep(at now: Int) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] {
            guard Self.isOurs(name) else { continue }
            var status = stat()
            guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { continue }
            #if canImport(Darwin)
            let written = status.st_mtimespec.tv_sec
            #else
            let written = status.st_mtim.tv_sec
            #endif
            if now - written > Self.sweepAfter { unlinkat(descriptor, name, 0) }
        }
    }

    /// The envelope itself, where `data` is one; else what it points to.
    static func envelope(
        _ data: [UInt8],
        of kind: EnvelopeHeader.Kind,
        in folder: HandoffFolder?
    ) throws(BreezeError) -> [UInt8] {
        guard data.starts(with: EnvelopeHeader.magic + [pointerKind]) else { return data }
        guard let digest = digest(in: data) else { throw SchemeFault.envelope("a pointer has 37 bytes") }
        guard let folder else { throw SchemeFault.handoff("there is no folder for it") }
        let bytes = try folder.take(digest: digest)
        guard bytes.count > 4, bytes[4] == kind.rawValue else {
            throw SchemeFault.envelope("a file holds a whole message")
        }
        return bytes
    }

    private static func digest(in pointer: [UInt8]) -> [UInt8]? {
        let head = EnvelopeHeader.magic + [pointerKind]
        guard pointer.starts(with: head), pointer.count == head.count + digestLength else { return nil }
        return Array(pointer.dropFirst(head.count))
    }

    private static func isOurs(_ name: String) -> Bool {
        name.hasPrefix(".new-") || name.utf8.count == 2 * digestLength && name.allSatisfy(\.isHexDigit)
    }

    private static func status(_ file: Int32) throws(BreezeError) -> stat {
        var status = stat()
        guard fstat(file, &status) == 0 else {
            throw SchemeFault.handoff("its state cannot be read: \(fault())")
        }
        return status
    }

    private func read(_ file: Int32) throws(BreezeError) -> [UInt8] {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Foundation.read(file, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw SchemeFault.handoff("it cannot be read: \(Self.fault())") }
            if count == 0 { return bytes }
            bytes += piece.prefix(count)
            // It may grow while it is read.
            guard bytes.count <= limit else { throw SchemeFault.handoff("it is too large") }
        }
    }

    private func write(_ bytes: [UInt8], to file: Int32) throws(BreezeError) {
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { Foundation.write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw unwritten() }
            written += count
        }
    }

    func unwritten() -> BreezeError {
        BreezeError(
            .inputOutput,
            "The message cannot be written to \(path): \(Self.fault()).",
            remedy: "Check that the folder is there, and that its disk has room."
        )
    }

    private static func fault() -> String { String(cString: strerror(errno)) }
}
#endif
