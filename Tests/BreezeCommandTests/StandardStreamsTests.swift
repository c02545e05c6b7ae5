import BreezeTestSupport
import Foundation
import Testing

/// Standard streams that are closed, full, or gone.
@Suite struct StandardStreamsTests {
    /// Runs a shell's line; `$0` in it is the program.
    private func shell(_ line: String, in program: Program) throws -> Program.Outcome {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", line, try #require(Program.executable).path]
        process.environment = program.environment
        let output = try program.folder.write("output", "")
        let errors = try program.folder.write("errors", "")
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        process.waitUntilExit()
        return Program.Outcome(
            code: process.terminationStatus,
            output: try String(contentsOf: output, encoding: .utf8),
            errors: try String(contentsOf: errors, encoding: .utf8)
        )
    }

    @Test func `a closed standard input holds nothing`() throws {
        let outcome = try shell("\"$0\" embed <&-", in: try Program())
        #expect(outcome.code == 1)
        #expect(try outcome.failure()["message"] == "Standard input holds no text.")
    }

    @Test func `closed outputs do not end the work`() throws {
        let program = try Program()
        let set = try shell("\"$0\" config set log.level debug >&- 2>&-; echo $?", in: program)
        #expect(set.output == "0\n")
        #expect(try program.run("config", "show").output.contains("debug"))
    }

    #if os(Linux)
    @Test func `a full output is an error that says so`() throws {
        let outcome = try shell("\"$0\" version >/dev/full", in: try Program())
        #expect(outcome.code == 1)
        #expect(try outcome.failure()["code"] == "input_output")
    }
    #endif
}
