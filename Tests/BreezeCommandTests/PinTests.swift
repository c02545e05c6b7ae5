import BreezeTestSupport
import Foundation
import Testing

@Suite struct `Pins from the command line` {
    private func pins(in program: Program) async throws -> [String]? {
        let settings =
            try await program.run("config", "show", "--json").json()["settings"] as? [[String: Any]]
        return settings?.first { $0["name"] as? String == "residency.pinned" }?["value"] as? [String]
    }

    @Test func `pins are kept in the order they came, once each, and go one by one`() async throws {
        let program = try Program()
        for name in ["mock:llm", "mock", "mock:llm"] { #expect(try await program.run("pin", name).code == 0) }
        #expect(try await pins(in: program) == ["mock:llm", "mock"])
        #expect(try await program.run("unpin", "mock:llm").output.hasPrefix("residency.pinned = [\"mock\"]"))
        #expect(try await program.run("unpin", "mock").output == "residency.pinned is not set any more.\n")
        #expect(try await pins(in: program) == nil)
    }

    @Test func `other settings stay as they are`() async throws {
        let program = try Program()
        #expect(try await program.run("config", "set", "privacy.offline", "true").code == 0)
        let pinned = try await program.run("pin", "mock:llm", "--json").json()
        #expect(pinned["value"] as? [String] == ["mock:llm"])
        #expect(pinned["name"] as? String == "residency.pinned")
        #expect(try await program.run("config", "show").output.contains("privacy.offline"))
    }

    @Test func `a name that nothing has is refused with the nearest one`() async throws {
        let program = try Program()
        let failure = try await program.run("pin", "mock:lm").failure()
        #expect(failure["code"] == "unknown_runner")
        #expect(failure["remedy"] == "Did you mean mock:llm?")
        #expect(try await pins(in: program) == nil)
        let missing = try await program.run("unpin", "mock:llm").failure()
        #expect(missing["code"] == "invalid_setting")
        #expect(missing["remedy"] == "Nothing is pinned there.")
    }

    @Test func `the environment outranks the file, and that is said`() async throws {
        var program = try Program()
        program.environment["BREEZE_RESIDENCY_PINNED"] = "[\"mock:asr\"]"
        let outcome = try await program.run("pin", "mock:llm")
        #expect(outcome.output.hasPrefix("residency.pinned = [\"mock:asr\"]"))
        #expect(outcome.errors.contains("BREEZE_RESIDENCY_PINNED outranks the settings file."))
    }

    @Test func `pins that are made at once are all kept`() async throws {
        let program = try Program()
        let names = ["mock:llm", "mock:asr", "mock:tts", "mock:vlm", "mock:guardian"]
        try await ChildPlaces.withOne {
            try await withThrowingTaskGroup(of: Int32.self) { group in
                for name in names { group.addTask { try await program.run("pin", name).code } }
                for try await code in group { #expect(code == 0) }
            }
        }
        #expect(try await pins(in: program)?.sorted() == names.sorted())
    }

    @Test func `an unload says that there is nothing to unload`() async throws {
        let program = try Program()
        let outcome = try await program.run("unload", "mock:llm")
        #expect(outcome.code == 0)
        #expect(outcome.output.hasPrefix("mock:llm is not loaded in this process"))
        #expect(try await program.run("unload", "mock:llm", "--json").json()["wasLoaded"] as? Bool == false)
        #expect(try await program.run("unload", "mock:lm").failure()["remedy"] == "Did you mean mock:llm?")
    }
}
