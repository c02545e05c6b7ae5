import BreezeCore
public import Foundation

#if Archives
import CArchive
#endif

/// Unpacks in the calling process: for the child that ``ArchiveExtractor`` starts, since libarchive reads
/// what a stranger wrote.
public struct ArchiveUnpacker {
    private let limits: ArchiveLimits
    private let tree: OutputTree
    private var contents = ArchiveContents()
    private var entries = 0
    private var files: Set<EntryPath> = []
    /// Made when everything else is there, so that nothing is written through one.
    private var links: [(EntryPath, String)] = []
    private var mostBytes: Int64 = 0

    /// - Throws: ``BreezeError`` `.inputOutput` where the folder, which must be there, cannot be opened.
    public init(into folder: URL, limits: ArchiveLimits) throws {
        self.limits = limits
        tree = try OutputTree(folder)
    }

    #if Archives
    /// - Throws: ``BreezeError``: `.invalidFile` for an archive that is damaged or does what none should,
    ///   `.insufficientDisk`, `.inputOutput`. What was written so far stays: the caller removes the folder.
    public mutating func unpack(_ archive: URL) throws -> ArchiveContents {
        let descriptor = open(archive.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw ArchiveFault.damaged(String(cString: strerror(errno))) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw ArchiveFault.damaged("it is not a regular file")
        }
        let byRatio = Int64(status.st_size).multipliedReportingOverflow(by: limits.ratio)
        // A handful of small texts compresses better than any model, and harms nobody.
        mostBytes = min(limits.totalBytes, byRatio.overflow ? .max : max(byRatio.partialValue, 1 << 20))
        guard let reader = archive_read_new() else { throw ArchiveFault.damaged("there is no memory") }
        defer { archive_read_free(reader) }
        archive_read_support_filter_gzip(reader)
        archive_read_support_format_tar(reader)
        archive_read_support_format_zip(reader)
        guard archive_read_open_fd(reader, descriptor, 64 << 10) == ARCHIVE_OK else {
            throw Self.fault(reader)
        }
        try unpackEntries(reader)
        for (path, target) in links { try tree.makeLink(path, to: target) }
        return contents
    }

    private mutating func unpackEntries(_ reader: OpaquePointer) throws {
        var entry: OpaquePointer?
        while true {
            let result = archive_read_next_header(reader, &entry)
            if result == ARCHIVE_EOF { return }
            guard result == ARCHIVE_OK || result == ARCHIVE_WARN, let entry else { throw Self.fault(reader) }
            entries += 1
            guard entries <= limits.entries else {
                throw ArchiveFault.refused("it", "has more than \(limits.entries) entries")
            }
            guard let name = archive_entry_pathname_utf8(entry) ?? archive_entry_pathname(entry) else {
                throw ArchiveFault.refused("an entry", "has a name that is no text")
            }
            try unpack(entry, EntryPath(String(cString: name), limits: limits), reader)
        }
    }

    private mutating func unpack(_ entry: OpaquePointer, _ path: EntryPath, _ reader: OpaquePointer) throws {
        if let target = archive_entry_hardlink_utf8(entry) ?? archive_entry_hardlink(entry) {
            let target = try EntryPath(String(cString: target), limits: limits)
            guard files.contains(target) else {
                throw ArchiveFault.refused(path.text, "is a link to what is not in the archive before it")
            }
            try tree.makeHardLink(path, to: target)
            files.insert(path)
            return
        }
        switch mode_t(archive_entry_filetype(entry)) & S_IFMT {
        case S_IFDIR:
            if !path.parts.isEmpty { try tree.makeFolder(path) }
        case S_IFREG:
            try write(path, reader)
        case S_IFLNK:
            let target = (archive_entry_symlink_utf8(entry) ?? archive_entry_symlink(entry)).map {
                String(cString: $0)
            }
            guard let target, path.mayLink(to: target) else {
                throw ArchiveFault.refused(path.text, "is a link that leads out of the folder")
            }
            links.append((path, target))
        default:
            throw ArchiveFault.refused(path.text, "is neither a file, a folder nor a link")
        }
    }

    private mutating func write(_ path: EntryPath, _ reader: OpaquePointer) throws {
        let descriptor = try tree.makeFile(path)
        defer { close(descriptor) }
        files.insert(path)
        contents.files += 1
        try withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 16) { buffer in
            while true {
                let count = archive_read_data(reader, buffer.baseAddress, buffer.count)
                if count == 0 { return }
                guard count > 0 else { throw Self.fault(reader) }
                contents.bytes += Int64(count)
                guard contents.bytes <= mostBytes else {
                    throw ArchiveFault.refused(path.text, "makes it unpack to more than \(mostBytes) bytes")
                }
                try Self.writeAll(UnsafeRawBufferPointer(rebasing: buffer[..<count]), descriptor, path)
            }
        }
    }

    private static func writeAll(_ bytes: UnsafeRawBufferPointer, _ descriptor: Int32, _ path: EntryPath)
        throws
    {
        var rest = bytes
        while !rest.isEmpty {
            let count = Foundation.write(descriptor, rest.baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw ArchiveFault.writing(path.text, count < 0 ? errno : ENOSPC) }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
    }

    private static func fault(_ reader: OpaquePointer) -> BreezeError {
        ArchiveFault.damaged(archive_error_string(reader).map { String(cString: $0) } ?? "it is none")
    }
    #else
    /// - Throws: ``BreezeError`` `.unavailable`: this build has no libarchive.
    public mutating func unpack(_ archive: URL) throws -> ArchiveContents {
        throw ArchiveFault.unavailable
    }
    #endif
}
