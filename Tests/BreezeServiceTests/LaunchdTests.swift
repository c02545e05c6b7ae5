import BreezeCore
import BreezeService
import BreezeTestSupport
import Foundation
import Testing

@Suite struct LaunchdTests {
    private struct Mac {
        let folder: ScratchFolder
        let system: ScriptedSystem
        let launchd: Launchd

        init(_ answers: [String: SystemCommand.Outcome] = [:]) throws {
            folder = try ScratchFolder()
            system = ScriptedSystem(answers)
            launchd = Launchd(home: folder.url, user: 501, command: system.command)
        }
    }

    private static let notLoaded = SystemCommand.Outcome(code: 113, output: "Could not find service\n")

    @Test(arguments: [false, true])
    func `an agent that is loaded is taken out before it comes in again`(isLoaded: Bool) async throws {
        let mac = try Mac(isLoaded ? [:] : ["print gui/501/breeze.hub": Self.notLoaded])
        _ = try await HubService(mac.launchd) { nil }.install(program(), starts: true, force: false)
        let file = mac.folder.url.appending(path: "Library/LaunchAgents/breeze.hub.plist").path
        let out = isLoaded ? ["launchctl bootout gui/501/breeze.hub"] : []
        #expect(
            mac.system.lines == [
                "launchctl print gui/501", "launchctl enable gui/501/breeze.hub",
                "launchctl print gui/501/breeze.hub",
            ] + out + ["launchctl bootstrap gui/501 \(file)"]
        )
        #expect(FileManager.default.fileExists(atPath: file))
        #expect(
            FileManager.default.fileExists(atPath: mac.folder.url.appending(path: "Library/Logs/Breeze").path)
        )
        #expect(try await HubService(mac.launchd) { nil }.uninstall().outcome == "uninstalled")
        #expect(!FileManager.default.fileExists(atPath: file))
    }

    /// As `launchctl print` and `print-disabled` write them.
    @Test func `launchctl's words are read`() async throws {
        let agent = """
            gui/501/breeze.hub = {
            \tactive count = 1
            \tpath = /Users/me/Library/LaunchAgents/breeze.hub.plist
            \tstate = running

            \tprogram = /usr/local/bin/breeze
            \tpid = 4711
            \tendpoints = {
            \t\tstate = active
            \t}
            }
            """
        let disabled = "disabled services = {\n\t\"other\" => enabled\n\t\"breeze.hub\" => disabled\n}\n"
        let mac = try Mac([
            "print gui/501/breeze.hub": SystemCommand.Outcome(code: 0, output: agent),
            "print-disabled gui/501": SystemCommand.Outcome(code: 0, output: disabled),
        ])
        let state = try await mac.launchd.state()
        #expect(state == ServiceState(isEnabled: false, activity: "running", process: 4711))
        let absent = try Mac(["print gui/501/breeze.hub": Self.notLoaded])
        #expect(try await absent.launchd.state() == ServiceState(isEnabled: true, activity: "not loaded"))
    }

    @Test func `a user who is not logged in at the screen has no manager`() async throws {
        let mac = try Mac(["print gui/501": SystemCommand.Outcome(code: 125)])
        let error = await failure {
            _ = try await HubService(mac.launchd) { nil }.install(program(), starts: true, force: false)
        }
        #expect(error?.code == .unavailable && error?.remedy?.contains("breeze serve") == true)
    }

    @Test(.enabled(if: Oracle.python != nil, "there is no Python: run make setup"))
    func `Python's plistlib and Foundation read what was meant`() async throws {
        let words = ["serve", "--set", "a=<b> & \"c\" 'd' $HOME %h ü \\"]
        let executable = URL(filePath: "/Applications/A & B/breeze")
        let program = try program(executable, words, ["BREEZE_HOME": "/Users/me/<x>"])
        let text = Launchd(home: URL(filePath: "/Users/m & e"), user: 501, command: ScriptedSystem().command)
            .text(program)
        let expected: JSONValue = [
            "Label": "breeze.hub",
            "ProgramArguments": .array((["/Applications/A & B/breeze"] + words).map { .string($0) }),
            "EnvironmentVariables": ["BREEZE_HOME": "/Users/me/<x>"],
            "RunAtLoad": true, "KeepAlive": ["SuccessfulExit": false], "ProcessType": "Interactive",
            "ExitTimeOut": 20, "Umask": 0o077,
            "StandardErrorPath": "/Users/m & e/Library/Logs/Breeze/hub.log",
        ]
        let python = try #require(Oracle.python)
        let script = "import json, plistlib, sys; print(json.dumps(plistlib.load(sys.stdin.buffer)))"
        let outcome = try await ChildProcess(python, ["-c", script], input: Array(text.utf8)).run()
        #expect(try JSONDecoder().decode(JSONValue.self, from: Data(outcome.output.utf8)) == expected)
        let list = try PropertyListSerialization.propertyList(from: Data(text.utf8), format: nil)
        let foundation = try JSONSerialization.data(withJSONObject: list)
        #expect(try JSONDecoder().decode(JSONValue.self, from: foundation) == expected)
    }
}
