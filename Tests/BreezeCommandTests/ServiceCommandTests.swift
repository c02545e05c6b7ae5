import BreezeTestSupport
import Foundation
import Testing

#if os(Linux)
/// The real program, with a home of its own and a systemctl that writes down what it is asked.
@Suite struct ServiceCommandTests {
    /// Answers as systemd 252 does.
    private static let systemctl = """
        #!/bin/sh
        echo "$*" >> "$0.log"
        case "$*" in
        *--property=Version) echo Version=252 ;;
        *--property=ActiveState,*) printf 'MainPID=0\\nActiveState=inactive\\nUnitFileState=enabled\\n' ;;
        esac
        """

    private static func home(withSystemctl: Bool) throws -> (Program, unit: URL) {
        var program = try Program()
        let configuration = program.folder.url.appending(path: "my config")
        program.environment["XDG_CONFIG_HOME"] = configuration.path
        if withSystemctl {
            let file = try program.folder.write("bin/systemctl", systemctl)
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: file.path)
            let folder = file.deletingLastPathComponent().path
            program.environment["PATH"] = folder + ":" + (program.environment["PATH"] ?? "")
        }
        return (program, configuration.appending(path: "systemd/user/breeze.service"))
    }

    private static func asked(_ program: Program) throws -> [String] {
        try String(contentsOf: program.folder.url.appending(path: "bin/systemctl.log"), encoding: .utf8)
            .split(separator: "\n").map(String.init)
    }

    @Test func `without a manager the file is written, looked at and removed`() async throws {
        let (program, unit) = try Self.home(withSystemctl: false)
        let installed = try await program.run(
            "service",
            "install",
            "--no-start",
            "--json",
            "--",
            "--port",
            "4000",
            "--mock"
        )
        #expect(installed.code == 0)
        let change = try installed.json()
        #expect(change["outcome"] as? String == "installed" && change["started"] as? Bool == false)
        #expect(change["file"] as? String == unit.path)
        let text = try String(contentsOf: unit, encoding: .utf8)
        let executable = try #require(Program.executable).resolvingSymlinksInPath().path
        #expect(text.contains(#"ExecStart=":\#(executable)" "serve" "--port" "4000" "--mock""#))
        #expect(text.contains(#"Environment="BREEZE_HOME=\#(program.home.path)""#))

        let status = try await program.run("service", "status", "--json").json()
        #expect(status["installed"] as? Bool == true && status["owner"] as? String == "breeze")
        #expect(status["unreachable"] as? String != nil && status["hub"] == nil)
        let started = try await program.run("service", "install", "--json")
        #expect(started.code == 1)
        #expect(try started.failure()["code"] == "unavailable")

        let removed = try await program.run("service", "uninstall")
        #expect(removed.code == 0 && removed.output.contains("is removed"))
        #expect(!FileManager.default.fileExists(atPath: unit.path))
        #expect(try await program.run("service", "uninstall").output == "No service is installed.\n")
        #expect(try await program.run("service", "status").output.contains("Not installed"))
    }

    @Test func `a manager is asked in order`() async throws {
        let (program, unit) = try Self.home(withSystemctl: true)
        let installed = try await program.run("service", "install")
        #expect(installed.code == 0 && installed.output.contains("starts whenever you log in"))
        #expect(installed.errors.contains("loginctl enable-linger"))
        let status = try await program.run("service", "status", "--json").json()
        #expect(status["enabled"] as? Bool == true && status["state"] as? String == "inactive")
        #expect(try await program.run("service", "uninstall", "--json").code == 0)
        #expect(!FileManager.default.fileExists(atPath: unit.path))
        let show = "show --property=Version"
        let lines = [
            show, "daemon-reload", "enable breeze.service", "restart breeze.service",
            show, "show --property=ActiveState,UnitFileState,MainPID breeze.service",
            show, "disable --now breeze.service", "daemon-reload",
        ]
        #expect(try Self.asked(program) == lines.map { "--user --no-pager \($0)" })
    }

    @Test func `a hub that was started by hand is seen, and is in the way`() async throws {
        let (program, unit) = try Self.home(withSystemctl: true)
        let outcome = try await program.start(["serve", "--mock", "--port", "0", "--json"]) { hub in
            try await hub.waits(for: "\n")
            let place = try JSONSerialization.jsonObject(with: Data(hub.text.utf8)) as? [String: Any]
            let status = try await program.run("service", "status", "--json").json()
            let found = status["hub"] as? [String: Any]
            #expect(found?["process"] as? Int == place?["process"] as? Int)
            #expect(found?["address"] as? String == place?["address"] as? String)
            let refused = try await program.run("service", "install")
            #expect(try refused.failure()["code"] == "busy")
            try hub.send(SIGTERM)
        }
        #expect(outcome.code == 143, "what the unit counts as an end that was asked for")
        #expect(!FileManager.default.fileExists(atPath: unit.path))
    }

    @Test(arguments: [
        ["--prot", "4000"], ["--port", "99999"], ["--tls-certificate", "a.pem", "--tls-key", "/b.pem"],
    ])
    func `options that serve does not take are refused before anything is written`(options: [String])
        async throws
    {
        let (program, unit) = try Self.home(withSystemctl: true)
        let outcome = try await program.run(["service", "install", "--"] + options)
        #expect(outcome.code == 64)
        #expect(!FileManager.default.fileExists(atPath: unit.path))
    }
}
#endif
