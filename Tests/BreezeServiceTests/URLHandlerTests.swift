import BreezeCore
import BreezeTestSupport
import Foundation
import Testing

@testable import BreezeService

/// The desktop entry and the user's list, held against GLib's and freedesktop.org's own programs.
@Suite struct URLHandlerTests {
    private static let gio = tool(at: "/usr/bin/gio")
    private static let validate = tool(at: "/usr/bin/desktop-file-validate")

    private static func tool(at path: String) -> URL? {
        FileManager.default.isExecutableFile(atPath: path) ? URL(filePath: path) : nil
    }

    private struct Place {
        let folder: ScratchFolder
        let system = ScriptedSystem()
        let handler: URLHandler

        init() throws {
            folder = try ScratchFolder()
            let variables = ["XDG_DATA_HOME": folder.url.appending(path: "data").path]
            handler = URLHandler(home: folder.url, environment: variables, command: system.command)
        }

        var list: URL { folder.url.appending(path: ".config/mimeapps.list") }
        var text: String? { try? String(contentsOf: list, encoding: .utf8) }

        /// A program that writes its arguments to `said`, a line each.
        func program(_ name: String, environment: [String: String] = [:]) throws -> ServiceProgram {
            let said = folder.url.appending(path: "said").path
            let script = try folder.write(
                name,
                "#!/bin/sh\nprintf '%s\\n' \"$BREEZE_HOME\" \"$@\" > '\(said)'\n"
            )
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script.path)
            return try ServiceProgram(executable: script, arguments: ["open"], environment: environment)
        }

        var environment: [String: String] {
            [
                "PATH": "/usr/bin:/bin", "HOME": folder.url.path, "LC_ALL": "C.UTF-8",
                "XDG_DATA_HOME": folder.url.appending(path: "data").path,
                "XDG_DATA_DIRS": folder.url.appending(path: "none").path,
            ]
        }
    }

    @Test(
        .enabled(if: gio != nil, "gio is missing: Debian's package libglib2.0-bin"),
        arguments: [
            ("breeze", "/plain"), ("a b/100%h/$HOME ü/breeze", "/a b%h$`id` \"'\\ ;&"),
            ("%%/%u/;x/breeze", "%u=%f"),
        ]
    )
    func `the desktop starts the program with the URL as its last argument`(name: String, home: String)
        async throws
    {
        let place = try Place()
        let program = try place.program(name, environment: ["BREEZE_HOME": home])
        let change = try await place.handler.install(program, force: false)
        #expect(change.outcome == "installed" && change.notes.isEmpty)
        #expect(try place.handler.isInstalled)
        let said = place.folder.url.appending(path: "said").path
        let url = "breezeapp://api/chat?prompt=a%20b&callback=mycoolapp"
        let outcome = try await ChildProcess.shell(
            "mkfifo \"$1\" && gio open \"$0\" && timeout 20 cat \"$1\"",
            [url, said],
            environment: place.environment
        ).run()
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.output == "\(home)\nopen\n\(url)\n")
    }

    @Test(
        .enabled(if: validate != nil, "desktop-file-validate is missing: Debian's package desktop-file-utils")
    )
    func `desktop-file-validate finds no fault in it`() async throws {
        let place = try Place()
        let program = try place.program("a b/breeze", environment: ["BREEZE_HOME": "/a b%h$"])
        _ = try await place.handler.install(program, force: false)
        let validate: URL = try #require(Self.validate)
        let outcome = try await ChildProcess(validate, [place.handler.file.url.path]).run()
        #expect(outcome.code == 0 && outcome.output.isEmpty, "\(outcome.output)")
    }

    private static let ours = "x-scheme-handler/breezeapp=breeze-url-handler.desktop;\n"

    @Test(arguments: [
        ("", "[Default Applications]\n\(ours)"),
        (
            "# mine\n[Default Applications]\ntext/html=a.desktop\n",
            "# mine\n[Default Applications]\ntext/html=a.desktop\n\(ours)"
        ),
        (
            "[Default Applications]\na/b=c.desktop;\n\n[Added Associations]\nx-scheme-handler/breezeapp=z.desktop\n",
            "[Default Applications]\na/b=c.desktop;\n\(ours)\n[Added Associations]\nx-scheme-handler/breezeapp=z.desktop\n"
        ),
        (
            "[Added Associations]\na/b=c.desktop\n",
            "[Added Associations]\na/b=c.desktop\n[Default Applications]\n\(ours)"
        ),
        (
            "\r\n \u{FEFF}kept\n[Default Applications]\r\na/b = c.desktop\r\n",
            "\r\n \u{FEFF}kept\n[Default Applications]\r\na/b = c.desktop\r\n\(ours)"
        ),
    ])
    func `the user's other entries stay as they are, and all of it comes back`(before: String, after: String)
        async throws
    {
        let place = try Place()
        if !before.isEmpty { try place.folder.write(".config/mimeapps.list", before) }
        let program = try place.program("breeze")
        for _ in 0..<2 {
            _ = try await place.handler.install(program, force: false)
            #expect(place.text == after)
        }
        #expect(try await place.handler.uninstall().outcome == "uninstalled")
        #expect(place.text == (before.isEmpty ? nil : before))
        #expect(try await place.handler.uninstall().outcome == "not installed")
        #expect(try place.handler.file.owner == .nobody && !place.handler.isInstalled)
    }

    @Test func `a last line without a line feed gets one`() async throws {
        let place = try Place()
        try place.folder.write(".config/mimeapps.list", "[Default Applications]\na/b=c.desktop")
        _ = try await place.handler.install(place.program("breeze"), force: false)
        #expect(place.text == "[Default Applications]\na/b=c.desktop\n\(Self.ours)")
    }

    @Test func `who opened it before is named, comes second, and is the first again`() async throws {
        let place = try Place()
        let before = "[Default Applications]\nx-scheme-handler/breezeapp=other.desktop;third.desktop;\n"
        try place.folder.write(".config/mimeapps.list", before)
        let change = try await place.handler.install(place.program("breeze"), force: false)
        #expect(change.notes == ["Before, breezeapp:// was opened by other.desktop."])
        #expect(
            place.text == "[Default Applications]\nx-scheme-handler/breezeapp="
                + "breeze-url-handler.desktop;other.desktop;third.desktop;\n"
        )
        _ = try await place.handler.uninstall()
        #expect(place.text == before)
    }

    @Test func `a list that is a link stays one, and keeps its mode`() async throws {
        let place = try Place()
        let target = try place.folder.write("dotfiles/list", "# mine\n")
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: target.path)
        try FileManager.default.createDirectory(
            at: place.list.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try FileManager.default.createSymbolicLink(at: place.list, withDestinationURL: target)
        _ = try await place.handler.install(place.program("breeze"), force: false)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: place.list.path) == target.path)
        let attributes = try FileManager.default.attributesOfItem(atPath: target.path)
        #expect(attributes[.posixPermissions] as? Int == 0o644)
        #expect(place.text == "# mine\n[Default Applications]\n\(Self.ours)")
    }

    @Test func `a program that no entry can start is refused, and nothing is written`() async throws {
        let place = try Place()
        let program = try place.program("x=1/breeze")
        let error = await #expect(throws: BreezeError.self) {
            try await place.handler.install(program, force: false)
        }
        #expect(error?.code == .invalidRequest && place.text == nil)
        #expect(try place.handler.file.owner == .nobody)
    }

    @Test func `an entry that somebody else wrote is left alone`() async throws {
        let place = try Place()
        let entry = try place.folder.write(
            "data/applications/breeze-url-handler.desktop",
            "[Desktop Entry]\n"
        )
        let program = try place.program("breeze")
        let error = await #expect(throws: BreezeError.self) {
            try await place.handler.install(program, force: false)
        }
        #expect(error?.code == .invalidRequest && place.text == nil)
        await #expect(throws: BreezeError.self) { try await place.handler.uninstall() }
        #expect(try String(contentsOf: entry, encoding: .utf8) == "[Desktop Entry]\n")
        _ = try await place.handler.install(program, force: true)
        #expect(try place.handler.isInstalled)
    }
}
