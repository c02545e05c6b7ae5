import BreezeCore
import BreezeSecrets
import BreezeTestSupport
import Foundation
import Synchronization

/// A system store that does as it is told.
final class ScriptedStore: SecretStore {
    let source = CredentialSource(.secretService)
    private let current: Mutex<(state: SecretStoreState, kept: [String: [Secret]])>

    init(_ state: SecretStoreState, _ kept: [String: [Secret]] = [:]) {
        current = Mutex((state, kept))
    }

    var kept: [String: [String]] { current.withLock { $0.kept.mapValues { $0.map { $0.reveal() } } } }

    func become(_ state: SecretStoreState) { current.withLock { $0.state = state } }

    func state() -> SecretStoreState { current.withLock { $0.state } }

    private func use<Value>(_ body: (inout [String: [Secret]]) throws -> Value) throws -> Value {
        try current.withLock { current in
            guard current.state == .ready else { throw SecretStoreUnavailable(current.state) }
            return try body(&current.kept)
        }
    }

    func read(_ service: CredentialService) throws -> [Secret]? { try use { $0[service.name] } }

    func write(_ service: CredentialService, _ values: [Secret]) throws {
        try use { $0[service.name] = values }
    }

    func remove(_ service: CredentialService) throws -> Bool {
        try use { $0.removeValue(forKey: service.name) != nil }
    }

    func names() throws -> [String] { try use { $0.keys.sorted() } }
}

/// A service with a folder of its own and nothing of the caller's environment.
struct Fixture {
    let scratch: ScratchFolder
    let folder: URL
    let system: ScriptedStore
    let secrets: SecretsService

    init(
        _ environment: [String: String] = [:],
        system state: SecretStoreState = .absent("there is no bus"),
        in scratch: ScratchFolder? = nil
    ) throws {
        self.scratch = try scratch ?? ScratchFolder()
        folder = self.scratch.url.appending(path: "home/secrets")
        system = ScriptedStore(state)
        var environment = environment
        if environment["HOME"] == nil { environment["HOME"] = self.scratch.url.path }
        secrets = SecretsService(
            environment: environment,
            system: system,
            sealed: SealedFileStore(folder: folder)
        )
    }

    var box: URL { folder.appending(path: SealedFileStore.fileName) }
    var key: URL { folder.appending(path: SealedFileStore.keyName) }
}

func mode(of url: URL) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
    return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? -1
}

func setMode(_ mode: Int, of url: URL) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: url.path)
}
