import BreezeTestSupport
import Foundation
import Testing

/// Standard streams that are closed, full, or gone.
@Suite struct StandardStreamsTests {
    @Test func `a closed standard input holds nothing`() async throws {
        let outcome = try await Program().shell("\"$0\" embed <&-")
        #expect(outcome.code == 1)
        #expect(try outcome.failure()["message"] == "Standard input holds no text.")
    }

    @Test func `closed outputs do not end the work`() async throws {
        let program = try Program()
        let set = try await program.shell("\"$0\" config set log.level debug >&- 2>&-; echo $?")
        #expect(set.output == "0\n")
        #expect(try await program.run("config", "show").output.contains("debug"))
    }

    #if os(Linux)
    @Test func `a full output is an error that says so`() async throws {
        let outcome = try await Program().shell("\"$0\" version >/dev/full")
        #expect(outcome.code == 1)
        #expect(try outcome.failure()["code"] == "input_output")
    }
    #endif
}
