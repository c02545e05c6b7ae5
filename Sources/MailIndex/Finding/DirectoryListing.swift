#if Hub
import BreezeCore
import BreezeFiles
import Foundation

/// The names in one directory, as they were at one moment. A folder of a million messages is a few dozen megabytes.
struct DirectoryListing: Sendable {
    struct Entry {
        var name: String
        /// As the directory has it; the file's own may differ where something is mounted.
        var inode: Int64
        /// `nil` where the file system does not say.
        var kind: FileStamp.Kind?
    }

    /// Of the directory before it was read, nanoseconds since 1970.
    let modified: Int64
    /// When it was read.
    let read: Int64
    /// Names that are no UTF-8, mended for showing; nothing opens them.
    private(set) var unreadable: [String] = []
    private var names: [UInt8] = []
    private var rows: [Row] = []

    private struct Row {
        var end: Int
        var inode: Int64
        var kind: FileStamp.Kind?
    }

    /// - Throws: ``BreezeError`` `.inputOutput` where it is not there, no directory, a link, or not to be read.
    init(_ path: String) throws {
        let url = URL(filePath: path)
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileFault.reading(url, errno) }
        read = FileStamp.now()
        guard let stamp = FileStamp(descriptor: descriptor), let stream = fdopendir(descriptor) else {
            let reason = errno
            close(descriptor)
            throw FileFault.reading(url, reason)
        }
        defer { closedir(stream) }
        modified = stamp.modified
        while true {
            errno = 0
            guard let entry = readdir(stream) else { break }
            add(entry)
        }
        guard errno == 0 else { throw FileFault.reading(url, errno) }
    }

    var count: Int { rows.count }

    subscript(index: Int) -> Entry {
        let start = index == 0 ? 0 : rows[index - 1].end
        let name = String(decoding: names[start..<rows[index].end], as: UTF8.self)
        return Entry(name: name, inode: rows[index].inode, kind: rows[index].kind)
    }

    /// Whether a change in the same moment could have been missed: file systems count time in steps.
    /// A time to come is some other clock's, and no reason to look again.
    func isFresh(within step: Int64) -> Bool { abs(read - modified) < step }

    private static let nameOffset = MemoryLayout<dirent>.offset(of: \dirent.d_name) ?? 0

    private mutating func add(_ entry: UnsafeMutablePointer<dirent>) {
        let start = UnsafeRawPointer(entry) + Self.nameOffset
        let name = start.assumingMemoryBound(to: UInt8.self)
        let bytes = UnsafeBufferPointer(start: name, count: strlen(start.assumingMemoryBound(to: CChar.self)))
        if bytes.count <= 2, bytes.allSatisfy({ $0 == UInt8(ascii: ".") }) { return }
        guard bytes.allSatisfy({ $0 < 0x80 }) || String(validating: bytes, as: UTF8.self) != nil else {
            return unreadable.append(String(decoding: bytes, as: UTF8.self))
        }
        names += bytes
        let kind: FileStamp.Kind? =
            switch Int(entry.pointee.d_type) {
            case Int(DT_REG): .file
            case Int(DT_DIR): .directory
            case Int(DT_LNK): .link
            case Int(DT_UNKNOWN): nil
            default: .other
            }
        rows.append(Row(end: names.count, inode: Int64(bitPattern: UInt64(entry.pointee.d_ino)), kind: kind))
    }
}
#endif
