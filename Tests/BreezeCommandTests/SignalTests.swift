import BreezeTestSupport
import Foundation
import Testing

@Suite struct `Signals` {
    /// The first piece comes at once and the second after a minute.
    private static let slow = ["chat", "--mock", "--param", "chunkDelay=60000", "hello"]

    @Test(arguments: [SIGTERM: Int32(143), SIGINT: 130])
    func `a signal during an answer ends the program with its code`(_ signal: Int32, _ code: Int32)
        async throws
    {
        let outcome = try await Program().start(Self.slow) { running in
            try await running.waits(for: "[m")
            try running.send(signal)
        }
        #expect(outcome.code == code)
        #expect(try outcome.failure()["code"] == "cancelled")
    }

    @Test func `a timeout ends an answer`() async throws {
        let program = try Program()
        let outcome = try await program.run(Self.slow + ["--timeout", "0.05"])
        #expect(outcome.code == 1)
        #expect(try outcome.failure()["code"] == "timeout")
    }
}
