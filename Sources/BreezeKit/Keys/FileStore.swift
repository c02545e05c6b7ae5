import BreezeCore
public import Foundation

/// A file that its owner alone may read, there as a whole or not at all.
public struct FileStore<Value: Codable & Sendable>: ValueStore {
    private let url: URL

    /// The folder is made where it is missing, closed to others.
    public init(_ url: URL) {
        self.url = url
    }

    /// - Throws: ``BreezeError`` `.invalidFile` where others may read the file, or it is damaged: then
    ///   somebody else may have written it.
    public func load() throws -> Value? {
        let descriptor = open(url.path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw failure("cannot be read", errno)
        }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG,
            facts.st_uid == geteuid(), facts.st_mode & 0o077 == 0
        else { throw damaged("is not its owner's alone") }
        guard let data = try? file.read(upToCount: 1 << 16),
            let value = try? JSONDecoder().decode(Value.self, from: data)
        else { throw damaged("is damaged") }
        return value
    }

    public func save(_ value: Value) throws {
        let folder = url.deletingLastPathComponent()
        do {
            try FileManager.default.createDirectory(
                at: folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch { throw failure("cannot be written", underlying: error) }
        let new = folder.appending(path: ".\(url.lastPathComponent)-\(UUID().uuidString)").path
        let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw failure("cannot be written", errno) }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try file.write(contentsOf: try JSONEncoder().encode(value))
            try file.synchronize()
            try file.close()
            guard rename(new, url.path) == 0 else { throw failure("cannot be written", errno) }
        } catch {
            unlink(new)
            throw error as? BreezeError ?? failure("cannot be written", underlying: error)
        }
    }

    public func remove() throws {
        guard unlink(url.path) != 0, errno != ENOENT else { return }
        throw failure("cannot be removed", errno)
    }

    private func failure(
        _ what: String,
        _ number: Int32? = nil,
        underlying: (any Error)? = nil
    ) -> BreezeError {
        let why = number.map { ": \(String(cString: strerror($0)).lowercased())" } ?? ""
        return BreezeError(
            .inputOutput,
            "\(url.path) \(what)\(why).",
            remedy: "Mend the folder, or give BreezeConfiguration another store.",
            underlying: underlying
        )
    }

    private func damaged(_ what: String) -> BreezeError {
        BreezeError(
            .invalidFile,
            "\(url.path) \(what).",
            remedy: "Remove it; the app then registers with the hub anew."
        )
    }
}
