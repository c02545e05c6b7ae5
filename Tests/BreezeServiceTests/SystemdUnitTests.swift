import BreezeCore
import BreezeService
import BreezeTestSupport
import Foundation
import Testing

/// The unit, held against systemd's own programs.
@Suite struct SystemdUnitTests {
    private static let analyze = tool(at: "/usr/bin/systemd-analyze")
    private static let manager = tool(at: "/usr/lib/systemd/systemd") ?? tool(at: "/lib/systemd/systemd")

    private static func tool(at path: String) -> URL? {
        FileManager.default.isExecutableFile(atPath: path) ? URL(filePath: path) : nil
    }

    /// A home with a program of this name and a unit that starts it.
    private struct Place {
        let folder: ScratchFolder
        let program: URL
        let unit: URL

        init(_ name: String, _ arguments: [String] = ["serve"], _ environment: [String: String] = [:]) throws
        {
            folder = try ScratchFolder()
            program = try folder.write(name, "#!/bin/sh\n")
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
            let systemd = Systemd(home: folder.url, environment: [:], command: ScriptedSystem().command)
            let told = try ServiceProgram(
                executable: program,
                arguments: arguments,
                environment: environment
            )
            unit = try folder.write(".config/systemd/user/breeze.service", systemd.text(told))
        }

        var environment: [String: String] {
            [
                "PATH": "/usr/bin:/bin", "HOME": folder.url.path, "XDG_RUNTIME_DIR": folder.url.path,
                "LC_ALL": "C.UTF-8", "SYSTEMD_COLORS": "0",
            ]
        }
    }

    @Test(
        .enabled(if: analyze != nil, "systemd-analyze is missing: Debian's package systemd"),
        arguments: ["breeze", "a b/100%h/$HOME ü/breeze", "%%/$$/;x/breeze"]
    )
    func `systemd finds no fault in it`(name: String) async throws {
        let place = try Place(name, ["serve", "--set", #"a="$HOME" \ %h '"#], ["BREEZE_HOME": "/a b%h$"])
        let arguments = ["--user", "--man=no", "verify", place.unit.path]
        let analyze: URL = try #require(Self.analyze)
        let outcome = try await ChildProcess(analyze, arguments, environment: place.environment).run()
        #expect(outcome.code == 0)
        let said = (outcome.output + outcome.errors).split(separator: "\n").filter { $0.contains("breeze") }
        #expect(said.isEmpty)
    }

    @Test(.enabled(if: analyze != nil, "systemd-analyze is missing: Debian's package systemd"))
    func `systemd reads the hardening`() async throws {
        let place = try Place("breeze")
        let arguments = ["--user", "security", "--offline=true", "--json=short", place.unit.path]
        let analyze: URL = try #require(Self.analyze)
        let outcome = try await ChildProcess(analyze, arguments, environment: place.environment).run()
        let items = try JSONDecoder().decode([JSONValue].self, from: Data(outcome.output.utf8))
        let held = Set(
            items.compactMap { item in
                item.objectValue?["set"] == .bool(true) ? item.objectValue?["json_field"]?.stringValue : nil
            }
        )
        let wanted: Set = [
            "NoNewPrivileges", "LockPersonality", "RestrictRealtime", "RestrictSUIDSGID", "UMask",
            "RestrictNamespaces_user", "RestrictNamespaces_mnt", "RestrictAddressFamilies_AF_PACKET",
            "SystemCallArchitectures", "SystemCallFilter_mount", "SystemCallFilter_module",
        ]
        #expect(wanted.subtracting(held).isEmpty, "\(items.count) items: \(held.sorted())")
    }

    /// A manager only starts where the system was booted with systemd, and tries a unit out only without
    /// root: both can be had in a namespace of mounts.
    private static let asManager = """
        mount -t tmpfs tmpfs /run && mkdir -p /run/systemd/system /run/user && chown 65534 /run/user &&
        XDG_RUNTIME_DIR=/run/user exec setpriv --reuid=65534 --clear-groups \
            "$0" --user --test --unit=breeze.service
        """

    private static func canPlayManager() async throws -> Bool {
        guard manager != nil, getuid() == 0, let unshare = tool(at: "/usr/bin/unshare"),
            tool(at: "/usr/bin/setpriv") != nil
        else { return false }
        return try await ChildProcess(unshare, ["-m", "mount", "-t", "tmpfs", "tmpfs", "/run"]).run().code
            == 0
    }

    @Test(
        .enabled("needs systemd, and root who may mount") { try await canPlayManager() }
    )
    func `a manager would start the words that were meant`() async throws {
        let place = try Place(
            "a b%h$HOME/breeze",
            ["serve", "--set", #"a=$HOME \ %h "q" 'ü'"#],
            ["A": #"/x y%h$\"#]
        )
        let manager: URL = try #require(Self.manager)
        let arguments = ["-m", "/bin/sh", "-c", Self.asManager, manager.path]
        let unshare = ChildProcess(
            URL(filePath: "/usr/bin/unshare"),
            arguments,
            environment: place.environment
        )
        let lines = try await unshare.run().output.split(separator: "\n").map { line in
            line.trimmingCharacters(in: .whitespaces)
        }
        let start = try #require(lines.firstIndex(of: "-> Unit breeze.service:"))
        let unit = lines[start...].dropFirst().prefix { !$0.hasPrefix("-> Unit ") }
        // As systemd quotes what it shows: shell_escape() of its sources.
        let words = #"serve --set "a=\$HOME \\ %h \"q\" 'ü'""#
        let path = place.program.path.replacing("$", with: #"\$"#)
        #expect(unit.contains("Command Line: \"\(path)\" \(words)"))
        #expect(unit.contains(#"Environment: A=/x y%h$\"#))
        #expect(unit.contains("WatchdogSec: 1min") && unit.contains("UMask: 0077"))
    }

    @Test(arguments: ["/a'b/breeze", "/a\"b/breeze", "/a\\b/breeze", "/a\nb/breeze"])
    func `a path that systemd starts nothing from is refused`(path: String) {
        let error = #expect(throws: BreezeError.self) {
            try ServiceProgram(executable: URL(filePath: path), arguments: [], environment: [:])
        }
        #expect(error?.code == .invalidRequest)
    }

    @Test func `an argument with a line break is refused`() {
        let error = #expect(throws: BreezeError.self) { try program(URL(filePath: "/b"), ["a\nb"]) }
        #expect(error?.code == .invalidRequest)
    }

    @Test func `nothing of the environment but places is written down`() {
        let environment = [
            "BREEZE_HOME": "/h", "OPENAI_API_KEY": "secret", "XDG_DATA_HOME": "", "PATH": "/bin",
        ]
        #expect(ServiceProgram.environment(of: environment) == ["BREEZE_HOME": "/h"])
    }
}
