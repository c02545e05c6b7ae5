import Foundation

/// Reads small text files of `/proc`, `/sys` and `/etc` below a root, which tests set to a tree of their own.
/// A file that is missing, unreadable or no file at all reads as `nil`.
struct LinuxFiles: Sendable {
    private let root: String

    init(root: String) {
        self.root = root.hasSuffix("/") ? String(root.dropLast()) : root
    }

    /// The first `limit` bytes: enough for every file that is asked for, and a bound for one that is not what
    /// it should be. Invalid UTF-8 is repaired, so that it fails as a value and not as a file.
    func text(_ path: String, limit: Int = 1 << 16) -> String? {
        // Not through FileHandle: the kernel says that these files are empty, and plain reads are what it
        // serves.
        let descriptor = open(root + path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        while bytes.count < limit {
            let wanted = min(limit - bytes.count, 1 << 14)
            let chunk = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, count in
                count = max(0, read(descriptor, buffer.baseAddress, wanted))
            }
            if chunk.isEmpty { break }
            bytes += chunk
        }
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }

    /// The file's content without the white space around it.
    func value(_ path: String) -> String? {
        guard let text = text(path) else { return nil }
        let value = text.trimmingCharacters(in: .whitespacesAndNewlines)
        return value.isEmpty ? nil : value
    }

    func integer(_ path: String) -> Int64? {
        value(path).flatMap { Int64($0) }
    }

    /// The names in a folder, in order of their spelling; none where it cannot be listed.
    func entries(_ path: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: root + path)) ?? []).sorted()
    }

    /// The value after `key` in a file of lines such as `MemTotal:  16 kB` or `inactive_file 4096`.
    static func field(_ key: String, in text: String) -> Substring? {
        // By bytes, since a decision waits for it: by characters it costs more than reading the file.
        func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        func isMark(_ byte: UInt8) -> Bool { byte == UInt8(ascii: ":") || byte == UInt8(ascii: "=") }
        for line in text.utf8.split(separator: UInt8(ascii: "\n")) where line.starts(with: key.utf8) {
            let rest = line.dropFirst(key.utf8.count)
            guard let first = rest.first, isBlank(first) || isMark(first) else { continue }
            let value = rest.drop { isBlank($0) || isMark($0) }
            return value.lastIndex { !isBlank($0) }.map { Substring(value[...$0]) }
        }
        return nil
    }
}
