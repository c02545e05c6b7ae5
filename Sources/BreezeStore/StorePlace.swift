#if Hub
import BreezeCore
import Foundation

/// A store's file and its folder: their owner's alone, and no links.
struct StorePlace {
    let url: URL
    var path: String { url.path }
    /// Left by whoever met damage in a file that had been closed well, for the next one to look closer.
    var doubt: String { "\(path).doubt" }

    /// Makes the folder, mode 0700, where there is none.
    init(_ url: URL) throws {
        self.url = url
        let folder = url.deletingLastPathComponent().path
        if mkdir(folder, 0o700) != 0, errno == ENOENT {
            do {
                try FileManager.default.createDirectory(
                    atPath: folder,
                    withIntermediateDirectories: true,
                    attributes: [.posixPermissions: 0o700]
                )
            } catch {
                throw StoreFault.system(folder, EACCES)
            }
        }
        try Self.check(folder, kind: S_IFDIR, mode: "700")
    }

    /// Makes an empty file of mode 0600 where there is none, and refuses one that others may read: SQLite gives its mode to the files beside it.
    func makeFile() throws {
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        if descriptor >= 0 {
            close(descriptor)
        } else if errno != EEXIST {
            throw StoreFault.system(path, errno)
        }
        try Self.check(path, kind: S_IFREG, mode: "600")
    }

    /// 0 where there is none.
    func size(of path: String) -> Int {
        var status = stat()
        return lstat(path, &status) == 0 ? Int(status.st_size) : 0
    }

    private static func check(_ path: String, kind: mode_t, mode: String) throws {
        var status = stat()
        guard lstat(path, &status) == 0 else { throw StoreFault.system(path, errno) }
        guard status.st_mode & S_IFMT == kind else { throw StoreFault.link(path) }
        guard status.st_uid == geteuid() else { throw StoreFault.otherOwner(path) }
        guard status.st_mode & 0o077 == 0 else {
            throw StoreFault.open(path, mode: UInt32(status.st_mode), to: mode)
        }
    }
}

/// Tells whether anybody else has a store open; the system frees it when its holder dies.
struct StorePresence: ~Copyable {
    private let descriptor: Int32
    private let path: String
    private static let patience = 10

    init(_ place: StorePlace) throws {
        path = place.path
        descriptor = open("\(path).lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StoreFault.system(path, errno) }
    }

    deinit { close(descriptor) }

    /// Whether nobody else has it open; nobody can then open it until ``share()``.
    func isAlone() -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }

    /// Waits for whoever is alone with it.
    func share() throws {
        let deadline = ContinuousClock.now + .seconds(Self.patience)
        while flock(descriptor, LOCK_SH | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else { throw StoreFault.system(path, errno) }
            guard ContinuousClock.now < deadline else {
                throw StoreFault.held(path, seconds: Self.patience)
            }
            usleep(10_000)
        }
    }
}
#endif
