import Foundation
import Testing

@Suite struct `The doctor` {
    @Test func `every check has the same fields, and findings are no failure`() throws {
        let outcome = try Program().run("doctor", "--json")
        #expect(outcome.code == 0)
        let report = try outcome.json()
        let fields = ["detail", "enables", "kind", "name", "path", "remedy", "status", "version"]
        let checks = try #require(report["checks"] as? [[String: Any]])
        for check in checks {
            #expect(check.keys.sorted() == fields)
            if check["status"] as? String != "ok" { #expect(check["remedy"] is String) }
        }
        let kinds = Set(checks.compactMap { $0["kind"] as? String })
        #expect(kinds.isSuperset(of: ["settings", "runtime", "model"]))
        let device = try #require(report["device"] as? [String: Any])
        #expect(device["architecture"] is String)
    }

    @Test func `a missing encoder comes with the command that gets it`() throws {
        let checks = try #require(
            try Program().run("doctor", "--json").json()["checks"] as? [[String: Any]]
        )
        let encoder = try #require(checks.first { $0["name"] as? String == "text encoder" })
        #expect(encoder["status"] as? String == "missing")
        #expect((encoder["remedy"] as? String)?.contains("breeze models import") == true)
    }

    @Test func `a runtime that is not where it is said to be is missing`() throws {
        var program = try Program()
        program.environment["ORT_DYLIB_PATH"] = "/nowhere/libonnxruntime.so"
        let checks = try #require(try program.run("doctor", "--json").json()["checks"] as? [[String: Any]])
        let runtime = try #require(checks.first { $0["kind"] as? String == "runtime" })
        #expect(runtime["status"] as? String == "missing")
        #expect((runtime["detail"] as? String)?.contains("/nowhere/libonnxruntime.so") == true)
        #expect((runtime["remedy"] as? String)?.contains("make setup") == true)
    }
}
