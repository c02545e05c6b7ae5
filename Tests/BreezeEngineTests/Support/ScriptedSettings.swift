import BreezeCore
import Synchronization

@testable import BreezeEngine

/// Settings that a test changes while the engine lives.
final class ScriptedSettings: SettingsSource {
    private let state: Mutex<(flags: [String], consents: [String], revision: Int)>

    init(_ flags: [String] = [], consents: [String] = []) {
        state = Mutex((flags, consents, 0))
    }

    func become(_ flags: [String], consents: [String] = []) {
        state.withLock { $0 = (flags, consents, $0.revision + 1) }
    }

    func current() throws -> EngineSettings {
        let (flags, consents, revision) = state.withLock { $0 }
        var tree = SettingsTree()
        try tree.read(flags: flags)
        try tree.set(["privacy", "consent"], to: .array(consents.map { .string($0) }), origin: .file("test"))
        return EngineSettings(tree, revision: revision)
    }
}
