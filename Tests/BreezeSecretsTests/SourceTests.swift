import BreezeCore
import BreezeSecrets
import BreezeTestSupport
import Foundation
import Synchronization
import Testing

@Suite struct `Where a credential comes from` {
    @Test func `the environment, then systemd, then the system's store, then the sealed file`() async throws {
        let scratch = try ScratchFolder()
        try scratch.write("credentials/breeze.huggingface", "from-systemd\n")
        let systemd = ["CREDENTIALS_DIRECTORY": scratch.url.appending(path: "credentials").path]
        let service = CredentialService.huggingFace

        let sealed = try Fixture(in: scratch)
        _ = try await sealed.secrets.set(service, to: ["from-file"])
        var found = try #require(try await sealed.secrets.credential(for: service))
        #expect(found.key.reveal() == "from-file")
        #expect(found.source == CredentialSource(.sealedFile, sealed.box.path))

        let stored = try Fixture(system: .ready, in: scratch)
        try stored.system.write(service, [try Secret("from-keyring", named: "It")])
        found = try #require(try await stored.secrets.credential(for: service))
        #expect(found.key.reveal() == "from-keyring")
        #expect(found.source.kind == .secretService)

        let given = try Fixture(systemd, system: .ready, in: scratch)
        found = try #require(try await given.secrets.credential(for: service))
        #expect(found.key.reveal() == "from-systemd")
        #expect(found.source.kind == .systemd)

        let environment = systemd.merging(["HF_TOKEN": "from-variable\n"]) { $1 }
        found = try #require(
            try await Fixture(environment, system: .ready, in: scratch).secrets.credential(for: service)
        )
        #expect(found.key.reveal() == "from-variable")
        #expect(found.source == CredentialSource(.environment, "HF_TOKEN"))
    }

    @Test(arguments: [
        (["HF_TOKEN": "one", "HUGGING_FACE_HUB_TOKEN": "two"], "one"),
        (["HUGGING_FACE_HUB_TOKEN": "two"], "two"),
        (["HF_TOKEN": " ", "HUGGING_FACE_HUB_TOKEN": "two"], "two"),
    ])
    func `a variable's elder name counts after its younger one, and a blank one not at all`(
        _ environment: [String: String],
        _ value: String
    ) async throws {
        let found = try await Fixture(environment).secrets.credential(for: .huggingFace)
        #expect(found?.key.reveal() == value)
    }

    @Test func `a variable that can be no secret is an error that names it and not its value`() async throws {
        let secrets = try Fixture(["HF_TOKEN": "hf\r\nX-Injected: 1"]).secrets
        let error = await #expect(throws: BreezeError.self) {
            try await secrets.credential(for: .huggingFace)
        }
        #expect(error?.message == "The variable HF_TOKEN holds a control character or a line break.")
    }

    // MARK: - Pairs

    @Test func `a pair comes whole from its variables`() async throws {
        let found = try await Fixture(["KAGGLE_USERNAME": "ann", "KAGGLE_KEY": "k"]).secrets
            .credential(for: .kaggle)
        #expect(found?.user?.reveal() == "ann")
        #expect(found?.key.reveal() == "k")
        #expect(found?.source.detail == "KAGGLE_USERNAME and KAGGLE_KEY")
    }

    @Test func `half a pair is none, and that is said`() async throws {
        let secrets = try Fixture(["KAGGLE_KEY": "secretvalue"]).secrets
        #expect(try await secrets.credential(for: .kaggle) == nil)
        let error = await #expect(throws: BreezeError.self) { try await secrets.require(.kaggle) }
        #expect(error?.message.contains("KAGGLE_KEY is set without KAGGLE_USERNAME.") == true)
        #expect(error.map { "\($0)".contains("secretvalue") } == false)
    }

    @Test(arguments: ["HOME", "KAGGLE_CONFIG_DIR"])
    func `kaggle's own file counts as the environment's`(_ variable: String) async throws {
        let scratch = try ScratchFolder()
        let name = variable == "HOME" ? ".kaggle/kaggle.json" : "kaggle.json"
        let file = try scratch.write(name, #"{"username":"ann","key":"k"}"#)
        let fixture = try Fixture([variable: scratch.url.path], system: .ready, in: scratch)
        try fixture.system.write(.kaggle, ["x", "y"].map { try Secret($0, named: "It") })
        let found = try await fixture.secrets.credential(for: .kaggle)
        #expect(found?.user?.reveal() == "ann")
        #expect(found?.key.reveal() == "k")
        #expect(found?.source == CredentialSource(.file, file.path))
    }

    @Test func `a kaggle file that is none is an error, without its content`() async throws {
        let scratch = try ScratchFolder()
        try scratch.write(".kaggle/kaggle.json", #"{"username":"ann","key":"secretvalue""#)
        let secrets = try Fixture(in: scratch).secrets
        let error = await #expect(throws: BreezeError.self) { try await secrets.credential(for: .kaggle) }
        #expect(error?.code == .invalidFile)
        #expect(error.map { "\($0)".contains("secretvalue") } == false)
    }

    @Test func `systemd gives a pair as two lines, and a custom name with a dot`() async throws {
        let scratch = try ScratchFolder()
        try scratch.write("breeze.kaggle", "ann\nk")
        try scratch.write("breeze.custom.my-server", "mine")
        let secrets = try Fixture(["CREDENTIALS_DIRECTORY": scratch.url.path], in: scratch).secrets
        #expect(try await secrets.credential(for: .kaggle)?.user?.reveal() == "ann")
        #expect(try await secrets.credential(for: .kaggle)?.key.reveal() == "k")
        #expect(try await secrets.credential(for: .custom("my-server"))?.key.reveal() == "mine")
        try scratch.write("breeze.kaggle", "secretvalue\n")
        let error = await #expect(throws: BreezeError.self) { try await secrets.credential(for: .kaggle) }
        #expect(error?.message.hasSuffix("has 1 lines, and 2 are expected.") == true)
    }

    // MARK: - Nothing there

    @Test func `nothing anywhere is an error that names the service and the variable`() async throws {
        let secrets = try Fixture(system: .locked("its default collection is locked")).secrets
        let error = await #expect(throws: BreezeError.self) { try await secrets.require(.huggingFace) }
        #expect(error?.code == .authRequired)
        #expect(error?.code.rawValue == "auth_required")
        #expect(error?.service == "huggingface")
        #expect(
            error?.message == "Hugging Face needs the access token, and none was found. "
                + "The Secret Service could not be asked: its default collection is locked."
        )
        #expect(error?.remedy?.contains("set HF_TOKEN") == true)
    }

    @Test func `a terminal is asked once, and what is typed is kept nowhere`() async throws {
        let fixture = try Fixture()
        let count = Mutex(0)
        let ask: CredentialPrompt = { _ in
            count.withLock { $0 += 1 }
            return ["typed"]
        }
        for _ in 0..<2 {
            let found = try await fixture.secrets.require(.brave, ask: ask)
            #expect(found.key.reveal() == "typed")
            #expect(found.source.kind == .terminal)
        }
        #expect(count.withLock { $0 } == 1)
        #expect(!FileManager.default.fileExists(atPath: fixture.folder.path))
    }

    @Test func `who declines is not asked again`() async throws {
        let fixture = try Fixture()
        let count = Mutex(0)
        for _ in 0..<2 {
            let error = await #expect(throws: BreezeError.self) {
                try await fixture.secrets.require(.brave) { _ in
                    count.withLock { $0 += 1 }
                    return nil
                }
            }
            #expect(error?.code == .authRequired)
        }
        #expect(count.withLock { $0 } == 1)
    }

    @Test func `nobody is asked where a source has it`() async throws {
        let secrets = try Fixture(["BRAVE_API_KEY": "given"]).secrets
        let found = try await secrets.require(.brave) { _ in
            Issue.record("asked")
            return nil
        }
        #expect(found.key.reveal() == "given")
    }
}
