import BreezeCore
import BreezeSecrets
import BreezeTestSupport
import Foundation
import Testing

@Suite struct `Keeping credentials` {
    @Test func `the system's store keeps them where it is unlocked, and the file loses its older one`()
        async throws
    {
        let fixture = try Fixture()
        _ = try await fixture.secrets.set(.brave, to: ["older"])
        fixture.system.become(.ready)
        let change = try await fixture.secrets.set(.brave, to: ["newer"])
        #expect(change.stores.map(\.kind) == [.secretService])
        #expect(change.notes.isEmpty)
        #expect(fixture.system.kept == ["brave": ["newer"]])
        fixture.system.become(.locked("it is locked"))
        #expect(try await fixture.secrets.credential(for: .brave) == nil)
    }

    @Test func `the file keeps them where the store is locked, and says what would come first`() async throws
    {
        let fixture = try Fixture(system: .locked("it is locked"))
        let change = try await fixture.secrets.set(.kaggle, to: ["ann", "k"])
        #expect(change.stores == [CredentialSource(.sealedFile, fixture.box.path)])
        #expect(
            change.notes == [
                "The Secret Service could not be asked: it is locked. An older value in it would come first again."
            ]
        )
        let found = try await fixture.secrets.credential(for: .kaggle)
        #expect(found?.user?.reveal() == "ann")
        #expect(found?.key.reveal() == "k")
    }

    @Test func `a broken system store is passed over and told of`() async throws {
        let fault = BreezeError(.inputOutput, "The bus is on fire.")
        let fixture = try Fixture(system: .broken(fault))
        _ = try await fixture.secrets.set(.brave, to: ["kept"])
        #expect(try await fixture.secrets.credential(for: .brave)?.key.reveal() == "kept")
        let stores = await fixture.secrets.stores()
        #expect(stores.map(\.state) == [.broken, .ready])
        #expect(stores.map(\.isInUse) == [false, true])
        #expect(stores[0].reason == "The bus is on fire.")
    }

    @Test func `a variable that comes first is told of`() async throws {
        let secrets = try Fixture(["BRAVE_API_KEY": "secretvalue"]).secrets
        let change = try await secrets.set(.brave, to: ["kept"])
        #expect(change.notes == ["Now, the environment's BRAVE_API_KEY comes first."])
        let removal = try await secrets.remove(.brave)
        #expect(removal.notes == ["The environment's BRAVE_API_KEY still gives one."])
    }

    @Test func `removing takes it out of every store`() async throws {
        let fixture = try Fixture()
        _ = try await fixture.secrets.set(.brave, to: ["one"])
        _ = try await fixture.secrets.set(.openAI, to: ["two"])
        fixture.system.become(.ready)
        try fixture.system.write(.brave, [try Secret("three", named: "It")])
        let change = try await fixture.secrets.remove(.brave)
        #expect(change.stores.map(\.kind) == [.secretService, .sealedFile])
        #expect(try await fixture.secrets.credential(for: .brave) == nil)
        #expect(try await fixture.secrets.credential(for: .openAI)?.key.reveal() == "two")
        let error = await #expect(throws: BreezeError.self) { try await fixture.secrets.remove(.brave) }
        #expect(error?.message == "Nothing is kept for Brave Search.")
    }

    @Test(arguments: [[], ["ann"], ["ann", "k", "more"], ["ann", ""]])
    func `a pair is two values, and neither is empty`(_ texts: [String]) async throws {
        let secrets = try Fixture().secrets
        let error = await #expect(throws: BreezeError.self) { try await secrets.set(.kaggle, to: texts) }
        #expect(error?.code == .invalidRequest)
        #expect(try await secrets.credential(for: .kaggle) == nil)
    }

    @Test func `the list has every service with its sources, one's own after the known ones`() async throws {
        let fixture = try Fixture(["HF_TOKEN": "secretvalue"])
        _ = try await fixture.secrets.set(.huggingFace, to: ["secretvalue"])
        _ = try await fixture.secrets.set(.custom("my-server"), to: ["secretvalue"])
        let list = await fixture.secrets.list()
        #expect(
            list.map(\.name) == [
                "huggingface", "kaggle", "picovoice", "openrouter", "brave", "openai", "custom:my-server",
            ]
        )
        #expect(list.first?.sources.map(\.kind) == [.environment, .sealedFile])
        #expect(list.last?.sources.map(\.kind) == [.sealedFile])
        #expect(list.filter(\.isSet).count == 2)
        let encoded = String(decoding: try JSONEncoder().encode(list), as: UTF8.self)
        #expect(!encoded.contains("secretvalue"))
    }

    @Test func `a store that does not answer in time is passed over`() async throws {
        /// Answers when it is let go, which is when the test is over.
        struct Silent: SecretStore {
            let source = CredentialSource(.secretService)
            let gate: DispatchSemaphore
            func state() -> SecretStoreState { wait() }
            func read(_ service: CredentialService) throws -> [Secret]? {
                throw SecretStoreUnavailable(wait())
            }
            func write(_ service: CredentialService, _ values: [Secret]) throws { _ = wait() }
            func remove(_ service: CredentialService) throws -> Bool { wait() == .ready }
            func names() throws -> [String] { throw SecretStoreUnavailable(wait()) }
            // On a thread of its own, which is what is tested.
            private func wait() -> SecretStoreState {
                gate.wait()
                gate.signal()
                return .ready
            }
        }
        let scratch = try ScratchFolder()
        let gate = DispatchSemaphore(value: 0)
        defer { gate.signal() }
        let sealed = SealedFileStore(folder: scratch.url.appending(path: "secrets"))
        try sealed.write(.brave, [try Secret("kept", named: "It")])
        let secrets = SecretsService(
            environment: [:],
            system: Silent(gate: gate),
            sealed: sealed,
            patience: .zero
        )
        #expect(try await secrets.credential(for: .brave)?.key.reveal() == "kept")
        #expect(await secrets.stores().map(\.state) == [.broken, .ready])
    }
}
