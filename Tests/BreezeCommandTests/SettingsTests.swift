import BreezeTestSupport
import Foundation
import Testing

@Suite struct `Settings from the command line` {
    @Test func `a value is written, shown with its origin, and taken out`() async throws {
        let program = try Program()
        #expect(try await program.run("config", "set", "privacy.offline", "yes").code == 0)
        let shown = try await program.run("config", "show", "--json").json()
        let settings = try #require(shown["settings"] as? [[String: Any]])
        let file = program.home.appending(path: "settings.json").path
        #expect(settings.count == 1)
        #expect(settings.first?["name"] as? String == "privacy.offline")
        #expect(settings.first?["value"] as? Bool == true)
        #expect(settings.first?["origin"] as? String == "file \(file)")
        #expect(shown["file"] as? String == file)
        #expect(try await program.run("config", "unset", "privacy.offline").code == 0)
        #expect(
            try await (program.run("config", "show", "--json").json()["settings"] as? [Any])?.isEmpty == true
        )
    }

    @Test func `the environment outranks the file, and a flag the environment`() async throws {
        var program = try Program()
        #expect(try await program.run("config", "set", "log.level", "debug").code == 0)
        program.environment["BREEZE_LOG_LEVEL"] = "info"
        let level = { (outcome: Program.Outcome) throws -> String? in
            (try outcome.json()["settings"] as? [[String: Any]])?.first?["value"] as? String
        }
        #expect(try await level(program.run("config", "show", "--json")) == "info")
        #expect(
            try await level(program.run("config", "show", "--json", "--set", "log.level=error")) == "error"
        )
    }

    @Test(arguments: [
        (["config", "set", "privacy.oflin", "true"], "Did you mean privacy.offline?"),
        (["config", "explain", "log.levl"], "Did you mean log.level?"),
        (["chat", "--set", "routing.preferred.chta=x", "hello"], "Did you mean routing.preferred.chat?"),
        (["route", "chat", "--set", "defaults.temprature=1"], "Did you mean defaults.temperature?"),
    ])
    func `an unknown setting gets the nearest one`(_ arguments: [String], _ remedy: String) async throws {
        let outcome = try await Program().run(arguments)
        #expect(outcome.code == 1)
        let failure = try outcome.failure()
        #expect(failure["code"] == "invalid_setting")
        #expect(failure["remedy"] == remedy)
    }

    @Test func `nothing is written where a value is not valid`() async throws {
        let program = try Program()
        let outcome = try await program.run("config", "set", "log.level", "loud")
        #expect(outcome.code == 1)
        #expect(try outcome.failure()["code"] == "invalid_setting")
        #expect(!FileManager.default.fileExists(atPath: program.home.appending(path: "settings.json").path))
    }

    @Test func `a consent counts in the file alone`() async throws {
        let failure = try await Program().run("route", "chat", "--set", "privacy.consent=api").failure()
        #expect(failure["code"] == "invalid_setting")
        #expect(failure["remedy"]?.contains("breeze config set privacy.consent") == true)
    }

    @Test func `each setting is explained with its variable`() async throws {
        let outcome = try await Program().run("config", "explain", "--json")
        let settings = try #require(try outcome.json()["settings"] as? [[String: Any]])
        let variables = Dictionary(
            settings.map { ($0["name"] as? String ?? "", $0["variable"] as? String) },
            uniquingKeysWith: { first, _ in first }
        )
        #expect(variables["privacy.offline"] == "BREEZE_PRIVACY_OFFLINE")
        #expect(variables["runtimes.onnxruntime"] == "BREEZE_RUNTIMES_ONNXRUNTIME")
        #expect(variables["runtimes.litert"] == "BREEZE_RUNTIMES_LITERT")
        #expect(variables["privacy.consent"] == .some(nil))
        for setting in settings { #expect((setting["takes"] as? String)?.isEmpty == false) }
    }

    @Test func `a broken settings file fails requests and is a finding of the doctor`() async throws {
        let program = try Program()
        try FileManager.default.createDirectory(at: program.home, withIntermediateDirectories: true)
        try Data("{\"privacy\": {".utf8).write(to: program.home.appending(path: "settings.json"))
        let request = try await program.run("route", "chat")
        #expect(request.code == 1)
        #expect(try request.failure()["code"] == "invalid_setting")
        let doctor = try await program.run("doctor", "--json")
        #expect(doctor.code == 0)
        let checks = try #require(try doctor.json()["checks"] as? [[String: Any]])
        #expect(checks.first { $0["name"] as? String == "settings" }?["status"] as? String == "broken")
    }

    @Test func `XDG folders are used where they are absolute`() async throws {
        var program = try Program()
        program.environment["BREEZE_HOME"] = nil
        let configuration = program.folder.url.appending(path: "xdg")
        program.environment["XDG_CONFIG_HOME"] = configuration.path
        #if !canImport(Darwin)
        let file = { try await program.run("config", "show", "--json").json()["file"] as? String }
        #expect(try await file() == configuration.appending(path: "breeze/settings.json").path)
        program.environment["XDG_CONFIG_HOME"] = "relative"
        #expect(try await file() == program.home.appending(path: ".config/breeze/settings.json").path)
        #endif
    }
}
