import Foundation
import Testing

@Suite struct `Signals` {
    /// The first piece comes at once and the second after a minute.
    private static let slow = ["chat", "--mock", "--param", "chunkDelay=60000", "hello"]

    @Test(arguments: [SIGTERM: Int32(143), SIGINT: 130])
    func `a signal during an answer ends the program with its code`(_ signal: Int32, _ code: Int32) throws {
        let running = try Program().start(Self.slow)
        #expect(try running.hasWritten("[mock]"))
        kill(running.process.processIdentifier, signal)
        let outcome = try running.wait()
        #expect(outcome.code == code)
        #expect(try outcome.failure()["code"] == "cancelled")
    }

    @Test func `a timeout ends an answer`() throws {
        let program = try Program()
        let outcome = try program.start(Self.slow + ["--timeout", "0.05"]).wait()
        #expect(outcome.code == 1)
        #expect(try outcome.failure()["code"] == "timeout")
    }
}
