import BreezeCore

/// A path in an archive, as names of folders and a last name, none of which leads anywhere but down.
struct EntryPath: Hashable {
    let parts: [String]

    var text: String { parts.joined(separator: "/") }

    /// `.` is skipped, so that the parts of `./` are none.
    /// - Throws: ``BreezeError`` `.invalidFile` for a path that is absolute, leads up, is too long or too
    ///   deep, or holds what no sane name does.
    init(_ text: String, limits: ArchiveLimits) throws {
        guard text.utf8.count <= limits.nameLength else {
            throw ArchiveFault.refused(text, "is a name of \(text.utf8.count) bytes")
        }
        guard !text.hasPrefix("/"), !text.isEmpty else {
            throw ArchiveFault.refused(text, "is not a path within it")
        }
        guard !text.utf8.contains(where: { $0 < 32 || $0 == 127 || $0 == UInt8(ascii: "\\") }) else {
            throw ArchiveFault.refused(text, "holds a character that no name should")
        }
        var parts: [String] = []
        for part in text.split(separator: "/") where part != "." {
            guard part != ".." else { throw ArchiveFault.refused(text, "leads out of the folder") }
            guard part.utf8.count <= 255 else {
                throw ArchiveFault.refused(text, "has too long a name in it")
            }
            parts.append(String(part))
        }
        guard parts.count <= limits.depth else { throw ArchiveFault.refused(text, "is too deep") }
        self.parts = parts
    }

    /// Whether a symbolic link of this path with that target stays within the tree, whatever other links that
    /// obey the same rule it passes through: it may lead up at its beginning alone, from folders that are no
    /// links, and no higher than the root.
    func mayLink(to target: String) -> Bool {
        guard !target.isEmpty, !target.hasPrefix("/"), target.utf8.count <= 1_000,
            !target.utf8.contains(where: { $0 < 32 || $0 == 127 || $0 == UInt8(ascii: "\\") })
        else {
            return false
        }
        var (up, isDown) = (0, false)
        for part in target.split(separator: "/") where part != "." {
            if part == ".." {
                guard !isDown else { return false }
                up += 1
            } else {
                isDown = true
            }
        }
        return up <= parts.count - 1
    }
}
