#if os(Linux) && Hub
import BreezeCore
import BreezeScheme
import BreezeSchemeHandler
import BreezeService
import BreezeTestSupport
import Foundation
import Testing

/// The whole way over the desktop's own machinery: an app opens `breezeapp://`, the handler is started, and what
/// claimed the app's scheme is started with the answer.
@Suite(.enabled(if: Desktop.isThere, "gio is missing: Debian's package libglib2.0-bin"))
struct RoundTripTests {
    @Test func `a URL goes to Breeze and its answer comes back, over gio`() async throws {
        let desktop = try await Desktop()
        // A first trip, for what the system reads once.
        for trip in 0..<2 {
            let prompt = "Is trip \(trip) urgent? $HOME `id` \"'"
            let url = try question(prompt, callback: "mycoolapp\(trip)")
            try desktop.register("mycoolapp\(trip)", running: desktop.client)
            let start = ContinuousClock.now
            let outcome = try await ChildProcess.shell(
                "mkfifo \"$1\" && gio open \"$0\" && timeout 20 cat \"$1\"",
                [url, desktop.answer],
                environment: desktop.environment
            ).run()
            let time = ContinuousClock.now - start
            #expect(outcome.code == 0, "\(outcome.errors)")
            let answer = try SchemeAnswer(
                parsing: CallbackScheme("mycoolapp\(trip)").answer(in: outcome.output)
            )
            #expect(answer.result?.output == .text("echo: \(prompt)") && answer.isFinal)
            print("round trip over gio: \(time / .milliseconds(1)) ms")
            try FileManager.default.removeItem(atPath: desktop.answer)
            // One plain question in ten seconds: the next trip has a store of its own.
            try FileManager.default.removeItem(at: desktop.folder.url.appending(path: "breeze"))
        }
    }

    @Test func `a URL is one argument, whatever it holds, and reaches the program as it is`() async throws {
        let desktop = try await Desktop()
        try desktop.register("mycoolapp", running: desktop.client)
        let url = "mycoolapp://breeze-response?result=$(id)`id`;&|'*~"
        let outcome = try await withThrowingTaskGroup(of: ChildProcess.Outcome?.self) { group in
            group.addTask {
                try await ChildProcess.shell(
                    "mkfifo \"$0\" && echo ready && cat \"$0\"",
                    [desktop.answer],
                    environment: desktop.environment
                ).run { child in
                    try await child.waits(for: "ready")
                    try await GIOOpener(environment: desktop.environment).open(url)
                }
            }
            return try await group.next() ?? nil
        }
        #expect(outcome?.output == "ready\n\(url)")
    }

    @Test func `a scheme that nobody claimed is said, without the answer in it`() async throws {
        let desktop = try await Desktop()
        let opener = GIOOpener(environment: desktop.environment)
        let error = await #expect(throws: BreezeError.self) {
            try await opener.open("nobody-has-this://breeze-response?result=secret")
        }
        #expect(error?.code == .unavailable && error?.message.contains("nobody-has-this://") == true)
        #expect(error?.description.contains("secret") == false)
    }

    @Test(arguments: [false, true])
    func `xdg-open is asked where gio is missing or fails`(hasGIO: Bool) async throws {
        let folder = try ScratchFolder()
        var programs = ["xdg-open": "printf '%s|' \"$#\" \"$@\" > '\(folder.url.path)/said'"]
        if hasGIO { programs["gio"] = "exit 2" }
        for (name, line) in programs {
            let program = try folder.write(name, "#!/bin/sh\n\(line)\n")
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
        }
        try await GIOOpener(environment: ["PATH": folder.url.path]).open(
            "mycoolapp://breeze-response?result=$(a)"
        )
        let said = try String(contentsOf: folder.url.appending(path: "said"), encoding: .utf8)
        #expect(said == "1|mycoolapp://breeze-response?result=$(a)|")
    }

    @Test func `without the system's programs it says so`() async throws {
        let desktop = try await Desktop()
        let error = await #expect(throws: BreezeError.self) {
            try await GIOOpener(environment: ["PATH": desktop.folder.url.path]).open("mycoolapp://a")
        }
        #expect(error?.code == .unavailable)
    }
}

/// A home of its own in which schemes are registered.
private struct Desktop {
    static let program = TestProgram.named("breeze-test-scheme")
    static let isThere = FileManager.default.isExecutableFile(atPath: "/usr/bin/gio") && program != nil

    let folder: ScratchFolder
    let client: String
    let answer: String
    let environment: [String: String]

    init() async throws {
        folder = try ScratchFolder()
        let home = folder.url.path
        answer = "\(home)/answer"
        environment = [
            "PATH": "/usr/bin:/bin", "HOME": home, "XDG_DATA_HOME": "\(home)/data",
            "XDG_CONFIG_HOME": "\(home)/config", "XDG_DATA_DIRS": "\(home)/none", "LC_ALL": "C.UTF-8",
        ]
        let script = try folder.write("client", "#!/bin/sh\nprintf %s \"$1\" > '\(answer)'\n")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script.path)
        client = script.path
        let handler = URLHandler(home: folder.url, environment: environment, command: .system)
        let program = try ServiceProgram(
            executable: #require(Self.program),
            arguments: ["open", "\(home)/breeze/scheme.sqlite"],
            environment: [:]
        )
        _ = try await handler.install(program, force: false)
    }

    func register(_ scheme: String, running command: String) throws {
        try folder.write(
            "data/applications/\(scheme).desktop",
            """
            [Desktop Entry]
            Type=Application
            Name=\(scheme)
            Exec=\(command) %u
            NoDisplay=true
            MimeType=x-scheme-handler/\(scheme);

            """
        )
        let list = folder.url.appending(path: "config/mimeapps.list")
        let before = (try? String(contentsOf: list, encoding: .utf8)) ?? "[Default Applications]\n"
        try folder.write("config/mimeapps.list", before + "x-scheme-handler/\(scheme)=\(scheme).desktop\n")
    }
}
#endif
