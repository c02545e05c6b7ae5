import BreezeCore
package import Foundation

/// Folders that are open to their owner alone.
package enum Folder {
    /// With its parents; one that is there stays as it is.
    package static func make(_ url: URL) throws {
        if mkdir(url.path, 0o700) == 0 || errno == EEXIST { return }
        let number = errno
        guard number == ENOENT, url.path != "/" else { throw FileFault.writing(url, number) }
        try make(url.deletingLastPathComponent())
        guard mkdir(url.path, 0o700) == 0 || errno == EEXIST else { throw FileFault.writing(url, errno) }
    }

    /// After it returns, a power cut does not undo what was renamed or removed in it.
    package static func sync(_ url: URL) throws {
        let descriptor = open(url.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileFault.reading(url, errno) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw FileFault.writing(url, errno) }
    }
}
