import BreezeCore
import BreezeModels
import BreezeTokenizers
import Foundation
import Synchronization

/// The models of the store, and their tokenizers, each loaded once.
final class InstalledModels: Sendable {
    let store: ModelStore
    private let tokenizers: Mutex<[String: Task<any Tokenizer, any Error>]> = Mutex([:])

    init(store: ModelStore) {
        self.store = store
    }

    func info(_ id: String) throws -> ModelInfo { try store.manifest(for: id).info }

    /// When one came or went last, by whichever program.
    var changed: Date? { store.changed }

    /// When it was installed.
    func installed(_ id: String) -> Date? { store.installationDate(of: id) }

    /// To be called when models came or went.
    func forget() { tokenizers.withLock { $0 = [:] } }

    /// A failed load may be tried again.
    func tokenizer(_ id: String) async throws -> any Tokenizer {
        let load = tokenizers.withLock { loads in
            if let load = loads[id] { return load }
            let load = Task.detached { [store] in try store.files(for: id).tokenizer() }
            loads[id] = load
            return load
        }
        do { return try await load.value } catch {
            tokenizers.withLock { if $0[id] == load { $0[id] = nil } }
            throw error
        }
    }
}
