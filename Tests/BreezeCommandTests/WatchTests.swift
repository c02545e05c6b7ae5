import BreezeTestSupport
import Foundation
import Testing

@Suite struct `Watching the runners` {
    private func runners(_ outcome: Program.Outcome) throws -> [[String: Any]] {
        try outcome.jsonLines().compactMap { $0["runner"] as? [String: Any] }
    }

    @Test func `a script gets a line a change, and Ctrl-C ends it well`() async throws {
        let program = try Program()
        let outcome = try await program.start(["runners", "--watch"]) { running in
            try await running.waits(for: "mock:guardian")
            #expect(try await program.run("pin", "mock:llm").code == 0)
            try await running.waits(for: "\"isPinned\":true")
            try running.send(SIGINT)
        }
        #expect(outcome.code == 0)
        #expect(outcome.errors.isEmpty)
        let lines = try runners(outcome)
        let ids = lines.map { $0["id"] as? String }
        let mocks = ["mock:llm", "mock:asr", "mock:tts", "mock:vlm", "mock:guardian"]
        #expect(Set(ids) == Set(mocks + ["guardian:rules"]))
        // One for each at first, then the one that changed.
        #expect(ids.count == 7)
        #expect(ids.last == "mock:llm")
        #expect(lines.last?["running"] as? Int == 0)
        #expect(lines.last?["state"] as? String == "ready")
    }

    @Test func `one runner can be watched alone`() async throws {
        let program = try Program()
        let outcome = try await program.start(["runners", "mock:llm", "--watch", "--json"]) { running in
            try await running.waits(for: "mock:llm")
            try running.send(SIGINT)
        }
        #expect(try runners(outcome).count == 1)
        let failure = try await program.run("runners", "mock:lm", "--watch").failure()
        #expect(failure["remedy"] == "Did you mean mock:llm?")
    }

    @Test func `SIGTERM ends it with its own code`() async throws {
        let outcome = try await Program().start(["runners", "--watch"]) { running in
            try await running.waits(for: "mock:guardian")
            try running.send(SIGTERM)
        }
        #expect(outcome.code == 143)
        #expect(try outcome.failure()["code"] == "cancelled")
    }

    @Test func `a settings file that breaks ends it with the reason`() async throws {
        let program = try Program()
        let outcome = try await program.start(["runners", "--watch"]) { running in
            try await running.waits(for: "mock:guardian")
            let file = program.home.appending(path: "settings.json")
            try FileManager.default.createDirectory(at: program.home, withIntermediateDirectories: true)
            try Data("{".utf8).write(to: file)
        }
        #expect(outcome.code == 1)
        #expect(try outcome.failure()["code"] == "invalid_setting")
    }

    @Test func `a terminal gets a table that is redrawn in its place`() async throws {
        var program = try Program()
        program.environment["NO_COLOR"] = "1"
        let outcome = try await program.start(["runners", "--watch"], onTerminal: true) { [program] running in
            try await running.waits(for: "mock:guardian")
            #expect(try await program.run("pin", "mock:llm").code == 0)
            try await running.waits(for: "pinned")
            try running.send(SIGINT)
            try await running.waits(for: "\u{1B}[?25h")
        }
        #expect(outcome.code == 0)
        // The cursor is hidden, and the second table begins where the first did: a header and six runners above.
        #expect(outcome.output.hasPrefix("\u{1B}[?25lRUNNER"))
        #expect(outcome.output.components(separatedBy: "\r\u{1B}[7ARUNNER").count == 2)
    }
}
