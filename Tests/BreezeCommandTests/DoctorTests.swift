import BreezeTestSupport
import Foundation
import Testing

@Suite struct `The doctor` {
    @Test func `every check has the same fields, and findings are no failure`() async throws {
        let outcome = try await Program().run("doctor", "--json")
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

    @Test func `a missing encoder comes with the command that gets it`() async throws {
        let checks = try #require(
            try await Program().run("doctor", "--json").json()["checks"] as? [[String: Any]]
        )
        let encoder = try #require(checks.first { $0["name"] as? String == "text encoder" })
        #expect(encoder["status"] as? String == "missing")
        #expect((encoder["remedy"] as? String)?.contains("breeze models import") == true)
    }

    @Test(arguments: [("LiteRT", "LITERT_LIB"), ("ONNX Runtime", "ORT_DYLIB_PATH")])
    func `a runtime that is not where it is said to be is missing`(name: String, variable: String)
        async throws
    {
        var program = try Program()
        program.environment[variable] = "/nowhere/lib.so"
        let checks = try #require(
            try await program.run("doctor", "--json").json()["checks"] as? [[String: Any]]
        )
        let runtime = try #require(checks.first { $0["name"] as? String == name })
        #expect(runtime["kind"] as? String == "runtime")
        #expect(runtime["status"] as? String == "missing")
        #expect((runtime["detail"] as? String)?.contains("/nowhere/lib.so") == true)
        #expect((runtime["remedy"] as? String)?.contains("make setup") == true)
    }

    @Test func `a LiteRT of another release than the supported one is missing, with both versions`()
        async throws
    {
        var program = try Program()
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("breeze-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let library = folder.appendingPathComponent("libLiteRt.so")
        try Data().write(to: library)
        let metadata = Data("Name: ai-edge-litert\nVersion: 2.2.0\n".utf8)
        try metadata.write(to: folder.appendingPathComponent("METADATA"))
        program.environment["BREEZE_RUNTIMES_LITERT"] = library.path
        let checks = try #require(
            try await program.run("doctor", "--json").json()["checks"] as? [[String: Any]]
        )
        let runtime = try #require(checks.first { $0["name"] as? String == "LiteRT" })
        #expect(runtime["status"] as? String == "missing")
        #expect((runtime["detail"] as? String)?.contains("is LiteRT 2.2.0, but 2.3.0 is needed") == true)
        #expect((runtime["remedy"] as? String)?.contains("runtimes.litert") == true)
    }
}
