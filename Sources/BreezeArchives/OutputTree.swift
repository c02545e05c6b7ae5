import BreezeCore
import Foundation

/// The folder that an archive is unpacked into. Nothing in it is ever reached through a link.
final class OutputTree {
    private let root: Int32
    private let path: String

    /// The folder must be there.
    init(_ url: URL) throws {
        path = url.path
        root = open(url.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
        guard root >= 0 else { throw ArchiveFault.writing(url.path, errno) }
    }

    deinit { close(root) }

    func makeFolder(_ entry: EntryPath) throws {
        close(try folder(entry.parts[...]))
    }

    /// A new file, open for writing; the caller closes it.
    func makeFile(_ entry: EntryPath) throws -> Int32 {
        try inParent(of: entry) { parent, name in
            openat(parent, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        }
    }

    func makeLink(_ entry: EntryPath, to target: String) throws {
        _ = try inParent(of: entry) { parent, name in symlinkat(target, parent, name) }
    }

    /// Another name of a file that is there.
    func makeHardLink(_ entry: EntryPath, to target: EntryPath) throws {
        guard let last = target.parts.last else {
            throw ArchiveFault.refused(entry.text, "is a link to nothing")
        }
        let source = try folder(target.parts.dropLast())
        defer { close(source) }
        _ = try inParent(of: entry) { parent, name in linkat(source, last, parent, name, 0) }
    }

    private func inParent(of entry: EntryPath, _ make: (Int32, String) -> Int32) throws -> Int32 {
        guard let name = entry.parts.last else { throw ArchiveFault.refused(entry.text, "has no name") }
        let parent = try folder(entry.parts.dropLast())
        defer { close(parent) }
        let made = make(parent, name)
        guard made >= 0 else { throw failure(entry.text, errno) }
        return made
    }

    /// Made where it is missing. The caller closes it.
    private func folder(_ parts: ArraySlice<String>) throws -> Int32 {
        var current = dup(root)
        guard current >= 0 else { throw ArchiveFault.writing(path, errno) }
        for part in parts {
            let made = mkdirat(current, part, 0o700) == 0 || errno == EEXIST
            let next = made ? openat(current, part, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW) : -1
            let number = errno
            close(current)
            guard next >= 0 else { throw failure(parts.joined(separator: "/"), number) }
            current = next
        }
        return current
    }

    private func failure(_ name: String, _ number: Int32) -> BreezeError {
        switch number {
        case EEXIST: ArchiveFault.refused(name, "is in it twice")
        case ENOTDIR, ELOOP: ArchiveFault.refused(name, "lies in what is no folder")
        default: ArchiveFault.writing("\(path)/\(name)", number)
        }
    }
}
