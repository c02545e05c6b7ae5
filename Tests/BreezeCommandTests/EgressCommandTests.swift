import BreezeTestSupport
import Foundation
import Testing

@Suite struct `What left the device, from the command line` {
    /// Never asked: `.invalid` is no name anywhere (RFC 2606), and it is refused before.
    private static let address = "https://models.invalid/m.gguf"

    @Test func `what is forbidden is refused, listed, and allowed again`() async throws {
        let program = try Program()
        #expect(try await program.run("egress").output == "Nothing left this device.\n")
        #expect(try await program.run("egress", "forbid", "--json").json()["forbidden"] as? Bool == true)
        let pulled = try await program.run("models", "pull", Self.address, "--yes")
        #expect(pulled.code == 1)
        let failure = try pulled.failure()
        #expect(failure["code"] == "egress_forbidden")
        #expect(failure["remedy"] == "breeze egress allow")
        let listed = try await program.run("egress", "--json").json()
        #expect(listed["forbidden"] as? Bool == true && listed["next"] == nil)
        let entries = try #require(listed["entries"] as? [[String: Any]])
        #expect(entries.count == 1)
        let entry = try #require(entries.first)
        #expect(entry["host"] as? String == "models.invalid" && entry["port"] as? Int == 443)
        #expect(entry["outcome"] as? String == "refused" && entry["client"] as? String == "owner")
        #expect(entry["bytesUp"] as? Int == 0 && entry["bytesDown"] as? Int == 0)
        let table = try await program.run("egress", "list")
        #expect(table.output.contains("models.invalid:443") && table.output.contains("model search"))
        #expect(table.errors.contains("breeze egress allow"))
        #expect(try await program.run("egress", "allow", "--json").json()["forbidden"] as? Bool == false)
        #expect(try await program.run("config", "show", "--json").output.contains("offline") == false)
    }

    @Test func `an app is shown by its name`() async throws {
        let program = try Program()
        #expect(try await program.run("apps", "add", "Notes", "--allow", "chat", "--json").code == 0)
        let apps = try await program.run("apps", "--json").json()["apps"] as? [[String: Any]]
        let app = try #require(apps?.first?["id"] as? String)
        let line = #"""
            {"bytesDown":2048,"bytesUp":100,"client":"app:\#(app)","host":"a.example",\#
            "id":"9F0B0A4C-2B1E-4F0F-9B1C-0A7B3C1D2E3F","outcome":"finished","port":443,\#
            "purpose":"model_download","status":200,"time":1700000000000}

            """#
        try Data(line.utf8).write(to: program.home.appending(path: "egress.jsonl"))
        let row = try await program.run("egress").output.split(separator: "\n").last.map(String.init)
        let words = try #require(row).split(separator: /\s{2,}/).map(String.init)
        #expect(
            words == [
                "2023-11-14T22:13:20Z", "a.example:443", "model download", "Notes", "100 bytes", "2 KiB",
                "finished (200)",
            ]
        )
    }

    @Test func `a variable that outranks the switch is told`() async throws {
        var program = try Program()
        program.environment["BREEZE_PRIVACY_OFFLINE"] = "false"
        let outcome = try await program.run("egress", "forbid")
        #expect(outcome.code == 1)
        let failure = try outcome.failure()
        #expect(failure["code"] == "invalid_setting")
        #expect(failure["message"]?.contains("BREEZE_PRIVACY_OFFLINE") == true)
    }
}

/// The program where every packet is seen: `Tests/Oracles/egress_namespace.py` says how.
@Suite(.enabled("no user namespaces, or no ip, unshare, Python or program") { await Namespace.isPossible })
struct `The egress ledger against the kernel` {
    private struct Check: Decodable {
        let name: String
        let ok: Bool
        let detail: String
    }

    @Test func `what the kernel sent is what the ledger says`() async throws {
        let program: URL = try #require(Program.executable)
        let outcome = try await Namespace.run(program.path)
        #expect(outcome.code == 0, "\(outcome.errors)")
        let checks = try outcome.output.split(separator: "\n").map {
            try JSONDecoder().decode(Check.self, from: Data($0.utf8))
        }
        #expect(checks.count == 12)
        for check in checks { #expect(check.ok, "\(check.name): \(check.detail)") }
    }
}

private enum Namespace {
    static var isPossible: Bool {
        get async {
            guard Program.executable != nil, Oracle.python != nil else { return false }
            return (try? await run("--possible"))?.code == 0
        }
    }

    static func run(_ argument: String) async throws -> ChildProcess.Outcome {
        let script = URL(filePath: #filePath).appending(path: "../../Oracles/egress_namespace.py")
            .standardizedFileURL
        return try await ChildProcess(try #require(Oracle.python), [script.path, argument]).run()
    }
}
