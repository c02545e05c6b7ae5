import BreezeCore
import BreezeTestSupport
import BreezeWorker
import Testing

@Suite(.enabled(if: TestProgram.named("breeze") != nil, "breeze was not built"))
struct `The worker command` {
    private func hosted(_ version: String) throws -> WorkerRunner {
        let program = try #require(TestProgram.named("breeze"))
        return WorkerRunner(
            WorkerFacts(of: Hosting.Scripted()),
            descriptor: WorkerDescriptor(kind: "mock:guardian"),
            launch: WorkerLaunch(executable: program, arguments: ["worker"], version: version)
        )
    }

    @Test func `the program hosts what it has for a program of its own version`() async throws {
        let refusal = await #expect(throws: BreezeError.self) { try await hosted("0").load() }
        let words = try #require(refusal).message.split(whereSeparator: { " ,".contains($0) })
        let version = try #require(words.firstIndex(of: "version").map { String(words[$0 + 1]) })
        let runner = try hosted(version)
        let result = try await runner.run(request: InferenceRequest(.guardian, prompt: "a fine day"))
        #expect(result.runner == "mock:guardian")
        await runner.unload()
    }

    @Test func `what is no host is told so, and nobody hangs`() async throws {
        let program = try #require(TestProgram.named("breeze"))
        let outcome = try await ChildProcess(program, ["worker"], input: Array("hello\n".utf8)).run()
        #expect(outcome.code == 65)
        #expect(outcome.errors.hasPrefix("breeze: the host sent a frame of"))
        #expect(outcome.output.isEmpty)
        let silent = try await ChildProcess(program, ["worker"]).run()
        #expect(silent.code == 0)
    }

    @Test func `the help leaves it out`() async throws {
        let program = try #require(TestProgram.named("breeze"))
        let outcome = try await ChildProcess(program, ["--help"]).run()
        #expect(outcome.code == 0)
        #expect(!outcome.output.contains("  worker"))
    }
}
