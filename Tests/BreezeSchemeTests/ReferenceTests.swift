import BreezeTestSupport
import Foundation
import Testing

/// The reference in `Tests/Oracles`, and the file that it wrote.
@Suite(.enabled(if: Reference.isThere, "the reference needs Python with cryptography: run make setup"))
struct ReferenceTests {
    @Test func `the reference still prints the published vectors`() async throws {
        let outcome = try await Reference.run("vectors")
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(try outcome.output == String(contentsOf: VectorFile.url, encoding: .utf8))
    }

    @Test func `the reference agrees with the published vectors`() async throws {
        let outcome = try await Reference.run("check", VectorFile.url.path)
        #expect(outcome.code == 0, "\(outcome.output)")
    }
}

private enum Reference {
    private static let script = URL(filePath: #filePath).appending(path: "../../Oracles/url_scheme.py")
        .standardizedFileURL

    /// Whether its interpreter has cryptography, by its folder: nothing is started to find out.
    static let isThere: Bool = {
        guard let python = Oracle.python else { return false }
        let libraries = python.deletingLastPathComponent().appending(path: "../lib").standardizedFileURL
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: libraries.path)) ?? []
        return versions.contains { version in
            let package = libraries.appending(path: "\(version)/site-packages/cryptography")
            return FileManager.default.fileExists(atPath: package.path)
        }
    }()

    static func run(_ arguments: String...) async throws -> ChildProcess.Outcome {
        try await ChildProcess(try #require(Oracle.python), [script.path] + arguments).run()
    }
}
