import BreezeTestSupport
import Foundation
import Testing

@Suite struct `Secrets from the command line` {
    private static let value = "hf_marker_3f9c"

    @Test func `what is piped in is kept, listed and removed, and shown nowhere`() async throws {
        let program = try Program()
        let path = program.home.appending(path: "secrets/secrets.sealed").path
        let set = try await program.run("secrets", "set", "huggingface", input: "\(Self.value)\n")
        #expect(set.output == "The Hugging Face credential is kept in the sealed file \(path).\n")
        let list = try await program.run("secrets", "list")
        #expect(list.output.contains("the sealed file \(path)"))
        let json = try await program.run("secrets", "list", "--json")
        let entries = try #require(try json.json()["secrets"] as? [[String: Any]])
        let entry = try #require(entries.first { $0["name"] as? String == "huggingface" })
        let sources = try #require(entry["sources"] as? [[String: String]])
        #expect(sources == [["kind": "sealed_file", "detail": path]])
        #expect(entry["variables"] as? [String] == ["HF_TOKEN", "HUGGING_FACE_HUB_TOKEN"])
        let stores = try #require(try json.json()["stores"] as? [[String: Any]])
        #expect(stores.map { $0["isInUse"] as? Bool } == [false, true])
        let doctor = try await program.run("doctor", "--json")
        let removed = try await program.run("secrets", "remove", "huggingface", "--json")
        #expect(try removed.json()["name"] as? String == "huggingface")
        for outcome in [set, list, json, doctor, removed] {
            #expect(outcome.code == 0)
            #expect(!(outcome.output + outcome.errors).contains("marker"))
        }
        let again = try await program.run("secrets", "remove", "huggingface")
        #expect(again.code == 1)
        #expect(try again.failure()["message"] == "Nothing is kept for Hugging Face.")
    }

    @Test(arguments: [
        ["set", "huggingface", value], ["set", "huggingface", "--token=\(value)"],
        ["set", "huggingface", "--token", value], ["set", "huggingface", "-t", value, "--json"],
        ["set", "huggingface", "--", value],
    ])
    func `a key as an argument is refused and not repeated`(_ arguments: [String]) async throws {
        let program = try Program()
        let outcome = try await program.run(["secrets"] + arguments)
        #expect(outcome.code == 64)
        #expect(try outcome.failure()["message"]?.hasPrefix("A key is not taken as an argument") == true)
        #expect(!(outcome.output + outcome.errors).contains("marker"))
        #expect(!FileManager.default.fileExists(atPath: program.home.appending(path: "secrets").path))
    }

    @Test(arguments: ["set", "remove", "test"])
    func `a key in the place of the name is not repeated`(_ verb: String) async throws {
        let outcome = try await Program().run(["secrets", verb, Self.value])
        #expect(outcome.code == 1)
        #expect(try outcome.failure()["message"] == "There is no service of that name.")
        #expect(!(outcome.output + outcome.errors).contains("marker"))
    }

    @Test(arguments: [
        ("huggingface", "", "invalid_request"), ("huggingface", "\n", "invalid_request"),
        ("huggingface", "marker\nmarker\n", "invalid_request"), ("kaggle", "ann\n", "invalid_request"),
        ("kaggle", "ann\nmarker\nmarker\n", "invalid_request"),
    ])
    func `too few and too many lines are refused`(_ name: String, _ input: String, _ code: String)
        async throws
    {
        let outcome = try await Program().run("secrets", "set", name, input: input)
        #expect(outcome.code == 1)
        #expect(try outcome.failure()["code"] == code)
        #expect(!outcome.errors.contains("marker"))
    }

    @Test func `a missing key names its variable and its service`() async throws {
        let outcome = try await Program().run("secrets", "test", "kaggle")
        #expect(outcome.code == 1)
        let failure = try outcome.failure()
        #expect(failure["code"] == "auth_required")
        #expect(failure["service"] == "kaggle")
        #expect(failure["remedy"]?.contains("KAGGLE_USERNAME and KAGGLE_KEY") == true)
    }

    @Test func `what cannot be checked is said to be so`() async throws {
        var program = try Program()
        program.environment["PICOVOICE_ACCESS_KEY"] = Self.value
        let outcome = try await program.run("secrets", "test", "picovoice")
        #expect(outcome.code == 1)
        let failure = try outcome.failure()
        #expect(failure["code"] == "unsupported")
        #expect(failure["message"]?.contains("own library") == true)
        #expect(!outcome.errors.contains("marker"))
    }

    @Test func `programs at once lose none of each other's`() async throws {
        let program = try Program()
        let names = ["custom:a", "custom:b", "custom:c", "custom:d"]
        try await ChildPlaces.withOne {
            try await withThrowingTaskGroup(of: Int32.self) { group in
                for name in names {
                    group.addTask { try await program.run("secrets", "set", name, input: name).code }
                }
                for try await code in group { #expect(code == 0) }
            }
        }
        let list = try #require(
            try await program.run("secrets", "list", "--json").json()["secrets"] as? [[String: Any]]
        )
        #expect(list.compactMap { $0["name"] as? String }.suffix(4) == names[...])
    }

    @Test func `the doctor says which store is in use and why no other`() async throws {
        let program = try Program()
        let check = try await secretStore(program)
        #expect(check["status"] as? String == "ok")
        let detail = try #require(check["detail"] as? String)
        #expect(detail.hasPrefix("New secrets go into the sealed file"))
        #if os(Linux)
        #expect(detail.contains("DBUS_SESSION_BUS_ADDRESS is not set"))
        #endif
        _ = try await program.run("secrets", "set", "brave", input: "x")
        let box = program.home.appending(path: "secrets/secrets.sealed").path
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: box)
        let broken = try await secretStore(program)
        #expect(broken["status"] as? String == "broken")
        #expect((broken["remedy"] as? String)?.contains("chmod 600") == true)
    }

    private func secretStore(_ program: Program) async throws -> [String: Any] {
        let report = try await program.run("doctor", "--json").json()
        let checks = try #require(report["checks"] as? [[String: Any]])
        return try #require(checks.first { $0["name"] as? String == "secret store" })
    }

    #if os(Linux)
    @Test func `the program leaves no core dump, not even through a pipe`() async throws {
        let script = """
            cd "$TMPDIR" && mkfifo out || exit 1
            "$0" chat --mock --param chunkDelay=60000 hello >out &
            exec <out
            head -c 2 >/dev/null
            grep 'Max core file size' "/proc/$!/limits"
            kill $!
            """
        var program = try Program()
        program.environment["TMPDIR"] = program.folder.url.path
        let limits = try await program.shell(script).output.split(whereSeparator: \.isWhitespace).suffix(3)
        // Where it was 0 for a user who may not raise it, 0 it is.
        #expect([["1", "1", "bytes"], ["0", "0", "bytes"]].contains(limits.map(String.init)))
    }
    #endif
}

@Suite(.enabled(if: Oracle.python != nil, "there is no Python to type at a terminal: run make setup"))
struct `The prompt for a key` {
    private struct Request: Encodable {
        struct Step: Encodable {
            let wait: String
            let type: String
        }
        let arguments: [String]
        let environment: [String: String]
        let steps: [Step]
    }

    private struct Answer: Decodable {
        let shown: String
        /// At each prompt.
        let echo: [Bool]
        let echoAfter: Bool
        let code: Int32
    }

    private func type(_ steps: [(String, String)], for name: String, _ program: Program) async throws
        -> Answer
    {
        let executable: URL = try #require(Program.executable)
        let request = Request(
            arguments: ["secrets", "set", name],
            environment: program.environment,
            steps: steps.map { Request.Step(wait: $0.0, type: $0.1) }
        )
        return try await Oracle.run("secret_prompt.py", executable, input: request)
    }

    @Test func `shows nothing of what is typed`() async throws {
        let program = try Program()
        let answer = try await type([("not shown): ", "hf_marker\n")], for: "huggingface", program)
        #expect(answer.code == 0)
        #expect(answer.echo == [false])
        #expect(answer.echoAfter)
        #expect(!answer.shown.contains("marker"))
        #expect(answer.shown.contains("is kept in the sealed file"))
        #expect(answer.shown.contains("https://huggingface.co/settings/tokens"))
    }

    @Test func `a pair is asked for in turns, the name in the open`() async throws {
        let program = try Program()
        let steps = [("user name: ", "ann\n"), ("not shown): ", "marker\n")]
        let answer = try await type(steps, for: "kaggle", program)
        #expect(answer.code == 0)
        #expect(answer.echo == [true, false])
        #expect(answer.shown.contains("ann"))
        #expect(!answer.shown.contains("marker"))
    }

    /// Keys, as the terminal's driver takes them: Ctrl-C, twice, then Ctrl-D and an empty line.
    @Test(arguments: [("\u{3}", Int32(130)), ("\u{3}\u{3}", 130), ("\u{4}", 1), ("\n", 1)])
    func `who gives up finds the terminal as it was, and nothing kept`(_ keys: String, _ code: Int32)
        async throws
    {
        let program = try Program()
        let answer = try await type([("not shown): ", keys)], for: "brave", program)
        #expect(answer.code == code)
        #expect(answer.echo == [false])
        #expect(answer.echoAfter)
        #expect(!FileManager.default.fileExists(atPath: program.home.appending(path: "secrets").path))
    }
}
