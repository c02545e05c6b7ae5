import BreezeCore
package import Foundation

/// Every credential in one sealed file of mode 0600, its key beside it, in a folder of mode 0700.
package struct SealedFileStore: SecretStore {
    package static let fileName = "secrets.sealed"
    package static let keyName = "key"
    private static let longest = 1 << 20

    private let folder: String
    private let patience: Duration
    private let beforeRename: @Sendable (String) throws -> Void

    /// - Parameters:
    ///   - folder: Made when the first secret is kept.
    ///   - patience: How long to wait for another process that is writing.
    ///   - beforeRename: Called with a file's name when its new content is on the disk and not yet in its place.
    package init(
        folder: URL,
        patience: Duration = .seconds(10),
        beforeRename: @escaping @Sendable (String) throws -> Void = { _ in }
    ) {
        self.folder = folder.path
        self.patience = patience
        self.beforeRename = beforeRename
    }

    package var source: CredentialSource { CredentialSource(.sealedFile, path) }

    private var path: String { "\(folder)/\(Self.fileName)" }

    package func state() -> SecretStoreState {
        guard SealedBox.isBuilt else { return .absent(SealedBox.missing) }
        do {
            _ = try names()
            return .ready
        } catch let error as BreezeError {
            return .broken(error)
        } catch {
            return .broken(SecretFault.sealed(path, "\(error)"))
        }
    }

    package func read(_ service: CredentialService) throws -> [Secret]? {
        guard let folder = try PrivateFolder.open(folder),
            let texts = try contents(of: folder)[service.name]
        else { return nil }
        guard let values = try service.values(texts) else {
            throw SecretFault.sealed(path, "what it holds for \(service.name) is of another form")
        }
        return values
    }

    package func write(_ service: CredentialService, _ values: [Secret]) throws {
        guard SealedBox.isBuilt else { throw SecretStoreUnavailable(state()) }
        let folder = try PrivateFolder.make(folder)
        try folder.withLock(waiting: patience) {
            var contents = try contents(of: folder)
            contents[service.name] = values.map { $0.reveal() }
            try replace(contents, in: folder)
        }
    }

    package func remove(_ service: CredentialService) throws -> Bool {
        guard let folder = try PrivateFolder.open(folder) else { return false }
        return try folder.withLock(waiting: patience) {
            var contents = try contents(of: folder)
            guard contents.removeValue(forKey: service.name) != nil else { return false }
            try replace(contents, in: folder)
            return true
        }
    }

    package func names() throws -> [String] {
        guard let folder = try PrivateFolder.open(folder) else { return [] }
        return try contents(of: folder).keys.sorted()
    }

    // MARK: - The file

    private func contents(of folder: PrivateFolder) throws -> [String: [String]] {
        guard let box = try folder.read(Self.fileName, limit: Self.longest) else { return [:] }
        guard var key = try key(in: folder) else { throw SecretFault.sealed(path, "its key is missing") }
        defer { wipe(&key) }
        guard var plain = SealedBox.open(box, key: key) else {
            throw SecretFault.sealed(path, "it was changed, or sealed with another key")
        }
        defer { wipe(&plain) }
        guard let contents = try? JSONDecoder().decode([String: [String]].self, from: Data(plain)) else {
            throw SecretFault.sealed(path, "it is not of a form that this version knows")
        }
        return contents
    }

    private func replace(_ contents: [String: [String]], in folder: PrivateFolder) throws {
        var key = try key(in: folder) ?? newKey(in: folder)
        defer { wipe(&key) }
        var plain = try Array(JSONEncoder().encode(contents))
        defer { wipe(&plain) }
        let box = try SealedBox.seal(plain, key: key)
        try folder.write(Self.fileName, box) { try beforeRename(Self.fileName) }
    }

    private func key(in folder: PrivateFolder) throws -> [UInt8]? {
        guard let key = try folder.read(Self.keyName, limit: SealedBox.keyLength) else { return nil }
        guard key.count == SealedBox.keyLength else {
            throw SecretFault.sealed(path, "its key is not of \(SealedBox.keyLength) bytes")
        }
        return key
    }

    private func newKey(in folder: PrivateFolder) throws -> [UInt8] {
        let key = SealedBox.newKey()
        try folder.write(Self.keyName, key) { try beforeRename(Self.keyName) }
        return key
    }
}
