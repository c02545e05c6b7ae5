import BreezeTestSupport
import Foundation
import Testing

/// The control panel in Debian's chromium, used as an owner would: by `Tests/Oracles/panel_drive.py`.
@Suite(.enabled(if: browser, "needs chromium, and playwright in set-up's Python: make setup"))
struct `The panel` {
    private struct Check: Decodable {
        let name: String
        let ok: Bool
        let skipped: Bool
        let detail: String
    }

    private static let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL

    /// Where the screenshots stay for whoever wants to look at them.
    private static var artefacts: URL {
        let environment = ProcessInfo.processInfo.environment
        let folder = environment["BREEZE_ARTEFACTS"].map { URL(filePath: $0) }
        return folder ?? root.appending(path: ".build/artefacts")
    }

    private static func drive(_ arguments: [String], shots: String) async throws -> [Check] {
        let file = root.appending(path: "Tests/Oracles/panel_drive.py")
        let folder = artefacts.appending(path: shots)
        var child = ChildProcess(
            try #require(Oracle.python),
            [file.path, "--json", "--shots", folder.path] + arguments
        )
        // A browser beside all other tests is slow.
        child.deadline = .seconds(900)
        let outcome = try await child.run()
        #expect(outcome.code == 0 || outcome.code == 1, "\(outcome.errors)")
        return try outcome.output.split(separator: "\n").map {
            try JSONDecoder().decode(Check.self, from: Data($0.utf8))
        }
    }

    @Test(.enabled(if: TestProgram.named("breeze") != nil, "needs the program breeze"))
    func `of a hub does in the hub what is done in it, and shows what programs do`() async throws {
        let program = try #require(TestProgram.named("breeze"))
        let checks = try await Self.drive(["--hub", program.path], shots: "panel")
        #expect(checks.count == 26)
        for check in checks { #expect(check.ok, "\(check.name): \(check.detail)") }
        // The one that may be is the encoder's, where set-up did not fetch it.
        let skipped = checks.filter(\.skipped).map(\.name)
        #expect(skipped.isEmpty || Oracle.miniLM == nil, "\(skipped)")
    }

    @Test func `holds in every state of a hub, against attacks, by keyboard and on a phone`() async throws {
        let files = Self.root.appending(path: "Sources/Panel/Files")
        let checks = try await Self.drive(["--panel", files.path], shots: "panel-stub")
        #expect(checks.count == 44)
        for check in checks { #expect(check.ok && !check.skipped, "\(check.name): \(check.detail)") }
    }
}

/// Whether there is a browser, and what drives it.
private let browser: Bool = {
    let environment = ProcessInfo.processInfo.environment
    let chromium = environment["CHROMIUM"] ?? "/usr/bin/chromium"
    guard FileManager.default.isExecutableFile(atPath: chromium), let python = Oracle.python else {
        return false
    }
    let library = python.deletingLastPathComponent().appending(path: "../lib").standardizedFileURL
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: library.path)) ?? []
    return versions.contains { version in
        let package = library.appending(path: "\(version)/site-packages/playwright")
        return FileManager.default.fileExists(atPath: package.path)
    }
}()
