import BreezeCore
import BreezeService
import BreezeTestSupport
import Foundation
import Testing

@Suite struct HubServiceTests {
    private static let systemctl = "systemctl --user --no-pager "

    private static func running(_ process: Int32) -> [String: SystemCommand.Outcome] {
        let lines = "ActiveState=active\nUnitFileState=enabled\nMainPID=\(process)\n"
        return ["MainPID breeze.service": SystemCommand.Outcome(code: 0, output: lines)]
    }

    @Test func `installing writes the file, and then has it read, enabled and started`() async throws {
        let home = try Home()
        let change = try await home.service().install(program(), starts: true, force: false)
        #expect(home.text == home.systemd.text(try program()))
        #expect(
            home.system.lines
                == [
                    "show --property=Version", "daemon-reload", "enable breeze.service",
                    "restart breeze.service",
                ]
                .map { Self.systemctl + $0 }
        )
        #expect(change.outcome == "installed" && change.isStarted && change.file == home.file.path)
        let mode = try FileManager.default.attributesOfItem(atPath: home.file.path)[.posixPermissions]
        #expect(mode as? Int == 0o600)
    }

    @Test func `what is not to be started is written and read alone`() async throws {
        let home = try Home()
        let change = try await home.service().install(program(), starts: false, force: false)
        #expect(!change.isStarted && home.text != nil)
        #expect(home.system.lines.last == Self.systemctl + "daemon-reload")
    }

    @Test func `installing again replaces our own file`() async throws {
        let home = try Home(Self.running(7))
        _ = try await home.service().install(program(), starts: true, force: false)
        let other = try program(URL(filePath: "/opt/breeze"))
        // The hub that runs is the service's own.
        let service = home.service(hub: HubService.RunningHub(process: 7))
        _ = try await service.install(other, starts: true, force: false)
        #expect(home.text == home.systemd.text(other))
        #expect(home.system.lines.last == Self.systemctl + "restart breeze.service")
        let folder = home.file.deletingLastPathComponent().path
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["breeze.service"])
    }

    @Test func `without a manager the file is written, and the failure says how to start`() async throws {
        let home = try Home(["show --property=Version": noManager])
        let error = await failure {
            _ = try await home.service().install(program(), starts: true, force: false)
        }
        #expect(error?.code == .unavailable)
        #expect(error?.message.contains("No medium found") == true)
        #expect(error?.remedy?.contains("breeze serve") == true)
        #expect(error?.remedy?.contains("loginctl enable-linger") == true)
        #expect(home.text != nil && home.system.lines.count == 1)
    }

    @Test func `without systemctl the file is written for later`() async throws {
        let home = try Home(["show --property=Version": SystemCommand.Outcome(code: 127)])
        let change = try await home.service().install(program(), starts: false, force: false)
        #expect(change.notes.first?.contains("no systemctl") == true && home.text != nil)
    }

    @Test(arguments: [false, true])
    func `somebody else's file stays, unless it is forced`(isLink: Bool) async throws {
        let home = try Home()
        let foreign = "[Service]\nExecStart=/usr/bin/true\n"
        let mine = try home.folder.write(
            isLink ? "mine.service" : ".config/systemd/user/breeze.service",
            foreign
        )
        if isLink {
            let folder = home.file.deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try FileManager.default.createSymbolicLink(at: home.file, withDestinationURL: mine)
        }
        let service = home.service()
        let refused = await failure { _ = try await service.install(program(), starts: true, force: false) }
        #expect(refused?.code == .invalidRequest && refused?.remedy?.contains("--force") == true)
        let kept = await failure { _ = try await service.uninstall() }
        #expect(kept?.code == .invalidRequest)
        #expect(home.text == foreign)
        let orders = home.system.lines.filter { !$0.contains(" show ") }
        #expect(orders.isEmpty, "nothing is started, stopped or read again")
        #expect(try await service.status().owner == .other)

        _ = try await service.install(program(), starts: false, force: true)
        #expect(home.text == home.systemd.text(try program()))
        #expect(try String(contentsOf: mine, encoding: .utf8) == (isLink ? foreign : home.text))
    }

    @Test func `a hub that somebody started by hand is in the way`() async throws {
        let home = try Home(Self.running(7))
        let hub = HubService.RunningHub(process: 8)
        let error = await failure {
            _ = try await home.service(hub: hub).install(program(), starts: true, force: false)
        }
        #expect(error?.code == .busy && error?.message.contains("8") == true)
        #expect(home.text == nil)
    }

    @Test func `what the manager refuses is told in its own words`() async throws {
        let said = "Job for breeze.service failed because the control process exited with error code.\n"
        let home = try Home(["restart breeze.service": SystemCommand.Outcome(code: 1, output: said)])
        let error = await failure {
            _ = try await home.service().install(program(), starts: true, force: false)
        }
        #expect(error?.code == .runFailed)
        #expect(error?.message.contains("control process exited") == true)
        #expect(error?.remedy?.contains("journalctl") == true)
    }

    @Test(arguments: [true, false])
    func `uninstalling stops, disables and removes, whether a manager answers or not`(answers: Bool)
        async throws
    {
        let home = try Home(answers ? [:] : ["show --property=Version": noManager])
        _ = try await home.service().install(program(), starts: false, force: false)
        let wants = home.file.deletingLastPathComponent().appending(path: "default.target.wants")
        let link = wants.appending(path: "breeze.service")
        try FileManager.default.createDirectory(at: wants, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: home.file)
        let before = home.system.lines.count
        let change = try await home.service().uninstall()
        #expect(change.outcome == "uninstalled" && change.notes.isEmpty == answers)
        #expect(home.text == nil)
        #expect(throws: (any Error).self) {
            try FileManager.default.destinationOfSymbolicLink(atPath: link.path)
        }
        let orders = answers ? ["disable --now breeze.service", "daemon-reload"] : []
        #expect(
            Array(home.system.lines[before...])
                == (["show --property=Version"] + orders).map { Self.systemctl + $0 }
        )
        #expect(try await home.service().uninstall().outcome == "not installed")
    }

    @Test func `a service that cannot be stopped stays`() async throws {
        let failed = SystemCommand.Outcome(code: 1, output: "Failed to disable unit: Access denied\n")
        let home = try Home(["disable --now breeze.service": failed])
        _ = try await home.service().install(program(), starts: false, force: false)
        let error = await failure { _ = try await home.service().uninstall() }
        #expect(error?.code == .runFailed && home.text != nil)
    }

    @Test func `status tells what the file, the manager and the hub say`() async throws {
        let home = try Home(Self.running(7))
        var status = try await home.service().status()
        #expect(!status.isInstalled && status.owner == .nobody && status.activity == nil)
        _ = try await home.service().install(program(), starts: false, force: false)
        let hub = HubService.RunningHub(process: 7, address: "http://127.0.0.1:11535")
        status = try await home.service(hub: hub).status()
        #expect(status.isInstalled && status.isEnabled == true && status.activity == "active")
        #expect(status.process == 7 && status.hub == hub && status.absence == nil)
    }

    @Test(arguments: [
        (
            "ActiveState=inactive\nUnitFileState=disabled\nMainPID=0\n",
            ServiceState(isEnabled: false, activity: "inactive")
        ),
        (
            "MainPID=0\nActiveState=failed\nUnitFileState=enabled-runtime\n",
            ServiceState(isEnabled: true, activity: "failed")
        ),
        ("MainPID=0\nActiveState=inactive\nUnitFileState=\n", ServiceState(activity: "inactive")),
    ])
    func `systemctl's words are read`(output: String, expected: ServiceState) async throws {
        let home = try Home(["MainPID breeze.service": SystemCommand.Outcome(code: 0, output: output)])
        #expect(try await home.systemd.state() == expected)
    }

    @Test func `the folder of units follows XDG_CONFIG_HOME where it is a whole path`() throws {
        let home = try Home([:], ["XDG_CONFIG_HOME": "/etc/xdg elsewhere"])
        #expect(home.systemd.file.url.path == "/etc/xdg elsewhere/systemd/user/breeze.service")
        #expect(
            try Home([:], ["XDG_CONFIG_HOME": "relative"]).systemd.file.url.path.hasSuffix(
                "/.config/systemd/user/breeze.service"
            )
        )
    }
}
