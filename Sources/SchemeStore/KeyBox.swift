#if Hub
import BreezeCore
import BreezeFiles
import Foundation

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// Seals what is secret in the store, with a key in a file of mode 0600 beside it.
///
/// This guards against the leak of one file, as by a backup or a careless copy, and makes what is deleted from the
/// store unreadable with the key; not against whoever can read all of the owner's files.
struct KeyBox: Sendable {
    private static let length = 32
    private let key: SymmetricKey
    private let path: String

    /// Reads the key; makes one where there is none, unless it is `needed` for what the store holds already.
    init(_ file: URL, isNeeded: Bool) throws {
        path = file.path
        if access(path, F_OK) != 0 {
            guard !isNeeded else { throw Self.fault(path, "it is missing") }
            try Self.make(file)
        }
        key = SymmetricKey(data: try Self.read(path))
    }

    /// `place` names the row; what was sealed for one is not taken for another.
    func seal(_ bytes: [UInt8], for place: String) throws -> Data {
        do {
            return try ChaChaPoly.seal(bytes, using: key, authenticating: Array(place.utf8)).combined
        } catch {
            throw BreezeError(.internalError, "A secret could not be sealed.", underlying: error)
        }
    }

    func open(_ box: Data, for place: String) throws -> [UInt8] {
        do {
            let box = try ChaChaPoly.SealedBox(combined: box)
            return Array(try ChaChaPoly.open(box, using: key, authenticating: Array(place.utf8)))
        } catch {
            throw Self.fault(path, "it does not open what was sealed", error)
        }
    }

    /// Two processes may do it at once: the first one's key counts.
    private static func make(_ file: URL) throws {
        let new = file.deletingLastPathComponent().appending(path: ".new-\(UUID().uuidString)")
        let output = try OutputFile(creating: new)
        defer { unlink(new.path) }
        try output.write(SymmetricKey(size: .bits256).withUnsafeBytes { Array($0) })
        try output.finish()
        guard link(new.path, file.path) == 0 || errno == EEXIST else {
            throw fault(file.path, String(cString: strerror(errno)))
        }
        try Folder.sync(file.deletingLastPathComponent())
    }

    private static func read(_ path: String) throws -> [UInt8] {
        let file = Foundation.open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { throw fault(path, String(cString: strerror(errno))) }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
            status.st_mode & 0o077 == 0
        else { throw fault(path, "it is not a plain file of this user alone") }
        var bytes = [UInt8](repeating: 0, count: length + 1)
        guard Foundation.read(file, &bytes, bytes.count) == length else {
            throw fault(path, "it is not of \(length) bytes")
        }
        return Array(bytes.prefix(length))
    }

    private static func fault(_ path: String, _ what: String, _ error: (any Error)? = nil) -> BreezeError {
        BreezeError(
            .invalidFile,
            "\(path), the key to the paired apps, cannot be used: \(what).",
            remedy:
                "Put it back from a backup; or move it and the .sqlite beside it away, and pair the apps anew.",
            underlying: error
        )
    }
}
#endif
