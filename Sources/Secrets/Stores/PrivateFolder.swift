import BreezeCore
import Foundation

/// A folder that is its owner's alone, and whole files in it that are, too. Anything else is refused: a link, another
/// owner, a mode that lets others in.
///
/// Names are resolved in the folder that was checked, whatever its path leads to by then.
final class PrivateFolder {
    let path: String
    private let descriptor: Int32
    private static let temporaryPrefix = ".new-"

    private init(path: String, descriptor: Int32) {
        self.path = path
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// `nil` where there is none.
    static func open(_ path: String) throws -> PrivateFolder? {
        let descriptor = Foundation.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else {
            switch errno {
            case ENOENT: return nil
            case ENOTDIR: throw Self.isLink(path) ? SecretFault.isLink(path) : SecretFault.noFile(path)
            default: throw SecretFault.reading(path, errno)
            }
        }
        let folder = PrivateFolder(path: path, descriptor: descriptor)
        try check(descriptor, path: path, mode: "700")
        return folder
    }

    /// Makes it, with its parents, where there is none.
    static func make(_ path: String) throws -> PrivateFolder {
        do {
            let parent = (path as NSString).deletingLastPathComponent
            try FileManager.default.createDirectory(
                atPath: parent,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw BreezeError(
                .inputOutput,
                "The folder of \(path) cannot be made.",
                remedy: "Check the permissions, or set BREEZE_HOME to another folder.",
                underlying: error
            )
        }
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw SecretFault.writing(path, errno) }
        guard let folder = try open(path) else { throw SecretFault.writing(path, ENOENT) }
        return folder
    }

    /// `nil` where there is no such file.
    func read(_ name: String, limit: Int) throws -> [UInt8]? {
        let flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
        let file = openat(descriptor, name, flags)
        guard file >= 0 else {
            if errno == ENOENT { return nil }
            throw SecretFault.reading(path(of: name), errno)
        }
        defer { close(file) }
        try Self.check(file, path: path(of: name), mode: "600")
        return try readAll(file, path: path(of: name), limit: limit)
    }

    /// Replaces the file as a whole; after it returns, a power cut does not undo it. `beforeRename` is called when
    /// all is on the disk under another name.
    func write(_ name: String, _ bytes: [UInt8], beforeRename: () throws -> Void) throws {
        let temporary = "\(Self.temporaryPrefix)\(name).\(UUID().uuidString)"
        let file = openat(descriptor, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw SecretFault.writing(path(of: name), errno) }
        do {
            defer { close(file) }
            try writeAll(file, bytes, path: path(of: name))
            guard fsync(file) == 0 else { throw SecretFault.writing(path(of: name), errno) }
            try beforeRename()
            guard renameat(descriptor, temporary, descriptor, name) == 0 else {
                throw SecretFault.writing(path(of: name), errno)
            }
        } catch {
            unlinkat(descriptor, temporary, 0)
            throw error
        }
        guard fsync(descriptor) == 0 else { throw SecretFault.writing(path, errno) }
    }

    /// Among all processes; the system gives it back when its holder dies. Whatever a writer that died has left is
    /// taken away.
    func withLock<Result>(waiting limit: Duration, _ body: () throws -> Result) throws -> Result {
        let file = openat(descriptor, "lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw SecretFault.writing(path(of: "lock"), errno) }
        defer { close(file) }
        let deadline = ContinuousClock.now + limit
        while flock(file, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else {
                throw SecretFault.writing(path(of: "lock"), errno)
            }
            guard ContinuousClock.now < deadline else {
                throw BreezeError(
                    .busy,
                    "Another program has been changing the secrets in \(path) for \(limit.components.seconds) s.",
                    remedy: "End it, then try again."
                )
            }
            usleep(10_000)
        }
        for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        where name.hasPrefix(Self.temporaryPrefix) {
            unlinkat(descriptor, name, 0)
        }
        return try body()
    }

    private func path(of name: String) -> String { "\(path)/\(name)" }

    private static func isLink(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }

    private static func check(_ descriptor: Int32, path: String, mode: String) throws {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw SecretFault.reading(path, errno) }
        guard status.st_uid == geteuid() else { throw SecretFault.otherOwner(path) }
        guard status.st_mode & 0o077 == 0 else {
            throw SecretFault.open(path, mode: status.st_mode, to: mode)
        }
    }
}

/// A regular file to its end.
func readAll(_ descriptor: Int32, path: String, limit: Int) throws -> [UInt8] {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw SecretFault.reading(path, errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw SecretFault.noFile(path) }
    // One buffer of the largest size: a growing one would leave copies behind.
    var bytes = [UInt8](repeating: 0, count: limit + 1)
    defer { wipe(&bytes) }
    var count = 0
    while count < bytes.count {
        let got = bytes.withUnsafeMutableBytes { bytes in
            let rest = UnsafeMutableRawBufferPointer(rebasing: bytes[count...])
            return read(descriptor, rest.baseAddress, rest.count)
        }
        if got < 0, errno == EINTR { continue }
        guard got >= 0 else { throw SecretFault.reading(path, errno) }
        if got == 0 { break }
        count += got
    }
    guard count <= limit else { throw SecretFault.tooLong(path, limit) }
    return Array(bytes[..<count])
}

private func writeAll(_ descriptor: Int32, _ bytes: [UInt8], path: String) throws {
    var done = 0
    while done < bytes.count {
        let count = bytes.withUnsafeBytes { bytes in
            let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
            return write(descriptor, rest.baseAddress, rest.count)
        }
        if count < 0, errno == EINTR { continue }
        guard count >= 0 else { throw SecretFault.writing(path, errno) }
        done += count
    }
}
