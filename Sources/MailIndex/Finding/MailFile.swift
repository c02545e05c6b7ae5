#if Hub
import BreezeCore
import BreezeFiles
import BreezeMail
import Foundation

/// Opens what may be mail, for reading alone, and never what would make the reader wait or lead elsewhere.
enum MailFile {
    enum Kind: Hashable, Sendable {
        case message, mbox
    }

    /// What stands in a file that is read as a whole; a larger one is left to the parser, which reads piece by piece.
    static let largestInMemory: Int64 = 1 << 20
    /// Enough for a line that separates messages.
    private static let longestSeparator = 300

    enum Content: Sendable {
        case bytes([UInt8])
        case large
    }

    /// - Returns: `nil` where there is nothing of that name: perhaps it has got another one.
    /// - Throws: ``BreezeError`` `.inputOutput`
    static func read(_ path: String) throws -> (FileStamp, Content)? {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw FileFault.reading(URL(filePath: path), errno)
        }
        defer { close(descriptor) }
        guard let stamp = FileStamp(descriptor: descriptor), stamp.kind == .file else {
            throw FileFault.reading(URL(filePath: path), EINVAL)
        }
        guard stamp.size <= largestInMemory else { return (stamp, .large) }
        return (stamp, .bytes(try bytes(descriptor, Int(stamp.size), path)))
    }

    /// Up to the file's end, should it have grown.
    private static func bytes(_ descriptor: Int32, _ size: Int, _ path: String) throws -> [UInt8] {
        var reason: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, filled in
            while filled < size {
                let count = Foundation.read(descriptor, buffer.baseAddress.map { $0 + filled }, size - filled)
                if count < 0, errno == EINTR { continue }
                if count < 0 { reason = errno }
                guard count > 0 else { break }
                filled += count
            }
        }
        guard reason == 0 else { throw FileFault.reading(URL(filePath: path), reason) }
        return bytes
    }

    /// What a file outside of a Maildir is, by its name and, where that says nothing, by its first line; `nil` for
    /// what is no mail.
    static func kind(of path: String, named name: String) -> Kind? {
        switch name.split(separator: ".").last.map({ $0.lowercased() }) {
        case "eml" where name.utf8.count > 4: return .message
        case "mbox", "mbx": return .mbox
        default:
            // MH numbers its messages; what has no extension may be an mbox.
            if name.utf8.allSatisfy({ (48...57).contains($0) }) { return .message }
            return !name.utf8.dropFirst().contains(46) && beginsAsMbox(path) ? .mbox : nil
        }
    }

    static func beginsAsMbox(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        guard FileStamp(descriptor: descriptor)?.kind == .file,
            let start = try? bytes(descriptor, longestSeparator, path)
        else { return false }
        return MboxReader.isSeparator(Array(start.prefix { $0 != 10 && $0 != 13 }))
    }
}
#endif
