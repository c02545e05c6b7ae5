import BreezeTestSupport
import Foundation
import Testing

/// What the other suites rely on: whatever a child does, its test ends, and the child with it.
@Suite struct `Children of the tests` {
    private struct Enough: Error {}

    private func shell(_ line: String, _ arguments: String...) -> ChildProcess {
        .shell(line, arguments, environment: ["PATH": "/usr/bin:/bin"])
    }

    @Test func `codes, signals, outputs and input arrive`() async throws {
        var child = shell("cat; echo gone >&2; exit 3")
        child.input = Array("some text".utf8)
        let outcome = try await child.run()
        #expect(outcome.code == 3)
        #expect(outcome.output == "some text")
        #expect(outcome.errors == "gone\n")
        #expect(try await shell("kill -TERM $$").run().code == -SIGTERM)
    }

    @Test func `a child that is not done in time is an error that names it`() async throws {
        let failure = await #expect(throws: ChildFailure.self) {
            var child = shell("while :; do sleep 600; done")
            child.deadline = .zero
            return try await child.run()
        }
        #expect(failure?.description.contains("while :; do sleep 600; done: not done after") == true)
    }

    @Test func `a child that ends without the text is an error with what it wrote instead`() async throws {
        let failure = await #expect(throws: ChildFailure.self) {
            try await shell("echo one; echo two >&2").run { try await $0.waits(for: "three") }
        }
        #expect(failure?.description.hasSuffix("standard output: one\n\nstandard error: two\n") == true)
    }

    @Test func `a program that is not there is an error`() async throws {
        await #expect(throws: (any Error).self) {
            try await ChildProcess(URL(filePath: "/no/such/program")).run()
        }
    }

    @Test func `a test that fails takes its child along, and what that has started`() async throws {
        let folder = try ScratchFolder()
        let pipe = folder.url.appending(path: "pipe").path
        #expect(mkfifo(pipe, 0o600) == 0)
        let line = "exec 3>\"$0\"; sleep 600 & echo both; wait"
        // One place for both, since each needs the other.
        try await ChildPlaces.withOne {
            // Ends when the last writer has ended.
            async let reader = ChildProcess(URL(filePath: "/bin/cat"), [pipe]).run()
            await #expect(throws: Enough.self) {
                try await shell(line, pipe).run { running in
                    try await running.waits(for: "both")
                    throw Enough()
                }
            }
            let outcome = try await reader
            #expect(outcome.code == 0)
        }
    }
}
