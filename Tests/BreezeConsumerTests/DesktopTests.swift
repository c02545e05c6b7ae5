#if os(Linux) && Hub
import BreezeTestSupport
import Foundation
import Testing

/// `Examples/Desktop`, over the desktop's own machinery: `gio` starts the hub's handler with what the app opens, and the
/// app with the answer.
@Suite(.enabled(if: DesktopHome.isThere, "gio is missing: Debian's package libglib2.0-bin"))
struct `The desktop example` {
    @Test func `it is registered, asks, is paired, asks sealed, and is gone`() async throws {
        let home = try DesktopHome()
        #expect(try await home.app(["install"]).hasPrefix("breeze-desktop-example:// opens /"))
        #expect(home.list.contains("x-scheme-handler/breeze-desktop-example=breeze-desktop-example.desktop"))

        let plain = try await home.app(["ask", "Is it \"urgent\"? $HOME `id` 🌊"])
        #expect(plain.contains("echo: Is it \"urgent\"? $HOME `id` 🌊\n"))
        #expect(plain.contains("other apps of this device could read them"))

        let paired = try await home.app(["pair"], input: "y\n")
        #expect(paired.contains(/Does it show \d{3} \d{3}\?/) && paired.contains("Paired, for chat."))
        let sealed = try await home.app(["ask", "And now?"])
        #expect(sealed == "echo: And now?\n")
        // Ten times what a URL takes: in parts, since this hub has no folder for files.
        let long = String(repeating: "long ", count: 20_000)
        #expect(try await home.app(["ask", long]) == "echo: \(long)\n")

        _ = try await home.app(["remove"])
        #expect(!home.list.contains("desktop-example") && home.list.contains("breezeapp=breezeapp.desktop"))
        #expect(try home.files("data/applications") == ["breezeapp.desktop"])
        #expect(try home.files("state/Desktop example/breeze") == [])
    }

    @Test(.enabled(if: TestProgram.named("breeze") != nil, "the program was not built"))
    func `Breeze itself asks its owner, shows the same code, and answers`() async throws {
        let breeze = try #require(TestProgram.named("breeze"))
        let home = try DesktopHome(handler: "\"\(breeze.path)\" open --mock %u")
        _ = try await home.app(["install"])
        // The app waits while its owner answers: two children, and one place.
        try await ChildPlaces.withOne {
            async let refused = home.app(["ask", "May I?"], code: 1)
            _ = try await home.owner(says: "refuse")
            #expect(try await refused.contains("not allow"))

            async let paired = home.app(["pair"], input: "y\n")
            let question = try await home.owner(says: "pair")
            let (said, code) = (try await paired, try #require(question.code))
            #expect(code.count == 7 && said.contains("Does it show \(code)?"))
            #expect(said.contains("Paired, for chat."))
        }
        let answer = try await home.app(["ask", "hello"])
        #expect(!answer.isEmpty && !answer.contains("readable"))
        // Longer than a URL takes: in a file.
        _ = try await home.app(["ask", String(repeating: "long ", count: 20_000)])
        #expect(try home.files("breeze/handoff") == [])
    }

    @Test func `who says that the codes differ is not paired`() async throws {
        let home = try DesktopHome()
        _ = try await home.app(["install"])
        let said = try await home.app(["pair"], input: "n\n", code: 1)
        #expect(said.contains("codes were not found to be the same"))
        #expect((try? home.files("state/Desktop example/breeze")) ?? [] == [])
    }

    @Test func `where nothing is registered for Breeze, it says so`() async throws {
        let home = try DesktopHome(hasHub: false)
        _ = try await home.app(["install"])
        #expect(try await home.app(["ask", "hello"], code: 1).contains("Install Breeze"))
    }
}

/// A home in which a handler is registered for `breezeapp://` whose owner says yes and whose model repeats the prompt.
private struct DesktopHome {
    private static let example = TestProgram.named("breeze-example-desktop")
    private static let handler = TestProgram.named("breeze-test-scheme")
    static let isThere =
        FileManager.default.isExecutableFile(atPath: "/usr/bin/gio") && example != nil && handler != nil

    private let folder: ScratchFolder
    private let environment: [String: String]

    /// What `breeze apps --json` tells of a question.
    struct Question: Decodable {
        let id: String
        let code: String?
    }

    private struct Listed: Decodable { let questions: [Question]? }

    /// `handler` is what the desktop runs for `breezeapp://`; the tests' own where it is not given.
    init(hasHub: Bool = true, handler: String? = nil) throws {
        folder = try ScratchFolder()
        let home = folder.url.path
        environment = [
            "PATH": "/usr/bin:/bin", "HOME": home, "XDG_DATA_HOME": "\(home)/data",
            "XDG_CONFIG_HOME": "\(home)/config", "XDG_STATE_HOME": "\(home)/state",
            "XDG_RUNTIME_DIR": home, "XDG_DATA_DIRS": "\(home)/none", "BREEZE_HOME": "\(home)/breeze",
            "LC_ALL": "C.UTF-8",
        ]
        guard hasHub else { return }
        let program = try #require(Self.handler)
        let command = handler ?? "\"\(program.path)\" open \"\(home)/breeze/scheme.sqlite\" %u"
        try folder.write(
            "data/applications/breezeapp.desktop",
            """
            [Desktop Entry]
            Type=Application
            Name=Breeze
            Exec=\(command)
            NoDisplay=true
            MimeType=x-scheme-handler/breezeapp;

            """
        )
        try folder.write(
            "config/mimeapps.list",
            "[Default Applications]\nx-scheme-handler/breezeapp=breezeapp.desktop\n"
        )
    }

    /// What the app wrote, to both of its outputs.
    func app(_ arguments: [String], input: String = "", code: Int32 = 0) async throws -> String {
        let outcome = try await ChildProcess(
            try #require(Self.example),
            arguments,
            environment: environment,
            input: Array(input.utf8)
        ).run()
        #expect(outcome.code == code, "\(arguments): \(outcome.output) \(outcome.errors)")
        return outcome.output + outcome.errors
    }

    /// Answers the next question of the real handler, as the owner does at a terminal.
    func owner(says word: String) async throws -> Question {
        let breeze = try #require(TestProgram.named("breeze"))
        for _ in 0..<600 {
            let apps = try await ChildProcess(breeze, ["apps", "--json"], environment: environment).run()
            let listed = try? JSONDecoder().decode(Listed.self, from: Data(apps.output.utf8))
            if let question = listed?.questions?.first {
                let words = ["apps", "answer", question.id, word]
                let said = try await ChildProcess(breeze, words, environment: environment).run()
                #expect(said.code == 0, "\(said.errors)")
                return question
            }
            try await Task.sleep(for: .milliseconds(100))
        }
        throw ChildFailure(description: "no question came")
    }

    var list: String {
        (try? String(contentsOf: folder.url.appending(path: "config/mimeapps.list"), encoding: .utf8)) ?? ""
    }

    func files(_ path: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.url.appending(path: path).path).sorted()
    }
}
#endif
