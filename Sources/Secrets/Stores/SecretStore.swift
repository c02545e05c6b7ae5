package import BreezeCore

/// A place that keeps credentials. Every call may wait for another process, so none is made on a thread of Swift's
/// pool.
package protocol SecretStore: Sendable {
    /// What a credential from here says of where it came from.
    var source: CredentialSource { get }

    func state() -> SecretStoreState

    /// `nil` where nothing has that name.
    /// - Throws: ``BreezeError`` where the store is broken; ``SecretStoreUnavailable`` where it is not to be had.
    func read(_ service: CredentialService) throws -> [Secret]?

    /// Replaces what is there.
    func write(_ service: CredentialService, _ values: [Secret]) throws

    /// - Returns: Whether there was anything.
    func remove(_ service: CredentialService) throws -> Bool

    /// Of every credential that is kept here.
    func names() throws -> [String]
}

/// Whether a store can be used now.
package enum SecretStoreState: Sendable, Equatable {
    case ready
    /// It is not on this device, or not for this session; the words say why.
    case absent(String)
    /// It is there, and its user would have to unlock it.
    case locked(String)
    /// It is there, and what it holds cannot be used.
    case broken(BreezeError)
}

/// The store is locked or absent: no failure of the request, which goes on with the next store.
package struct SecretStoreUnavailable: Error {
    package let state: SecretStoreState

    package init(_ state: SecretStoreState) {
        self.state = state
    }
}

/// Where the system has no store of its own.
struct NoSystemStore: SecretStore {
    let source = CredentialSource(.secretService)
    var why = "this system has none that Breeze knows"

    func state() -> SecretStoreState { .absent(why) }
    func read(_ service: CredentialService) throws -> [Secret]? { nil }
    func write(_ service: CredentialService, _ values: [Secret]) throws {
        throw SecretStoreUnavailable(state())
    }
    func remove(_ service: CredentialService) throws -> Bool { false }
    func names() throws -> [String] { [] }
}

extension CredentialService {
    /// The values as one text, for stores that keep one an entry. No value holds a line break.
    func joined(_ values: [Secret]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(values.reduce(values.count) { $0 + $1.withBytes(\.count) })
        for (index, value) in values.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: "\n")) }
            value.withBytes { bytes.append(contentsOf: $0) }
        }
        return bytes
    }

    /// `nil` where the text is not of this service.
    func split(_ bytes: some Collection<UInt8>) throws -> [Secret]? {
        let text = String(decoding: bytes, as: UTF8.self)
        return try values(text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
    }

    /// `nil` where there are more or fewer than the service has parts.
    func values(_ texts: [String]) throws -> [Secret]? {
        guard texts.count == parts.count else { return nil }
        return try zip(parts, texts).map { try Secret($1, named: subject(of: $0)) }
    }
}
