import BreezeCore
import BreezeTestSupport
import BreezeWorker
import Foundation
import Testing

@Suite(.enabled(if: Hosting.executable != nil, "breeze-test-worker was not built"))
struct `A worker that does not start` {
    @Test func `a missing program is an error with a remedy, and the runner is unavailable`() async throws {
        let program = URL(filePath: "/nowhere/breeze")
        let launch = WorkerLaunch(executable: program, arguments: [], version: "test")
        let runner = try Hosting.scripted(launch: launch)
        let error = await #expect(throws: BreezeError.self) { try await runner.load() }
        #expect(error?.code == .unavailable)
        #expect(error?.message.contains("/nowhere/breeze") == true)
        #expect(error?.remedy != nil)
        guard case .unavailable(let reason, let remedy) = await runner.availability() else {
            Issue.record("it says that it is available")
            return
        }
        #expect(reason.contains("/nowhere/breeze"))
        #expect(remedy != nil)
    }

    @Test func `a worker of another version is refused`() async throws {
        let runner = try Hosting.scripted(launch: Hosting.launch("worker", "0.9"))
        let error = await #expect(throws: BreezeError.self) { try await runner.load() }
        #expect(error?.code == .unavailable)
        #expect(error?.message.contains("0.9") == true)
    }

    @Test func `a kind that the worker does not know is its error`() async throws {
        let runner = WorkerRunner(
            WorkerFacts(of: Hosting.Scripted()),
            descriptor: WorkerDescriptor(kind: "unheard-of"),
            launch: try Hosting.launch()
        )
        let error = await #expect(throws: BreezeError.self) { try await runner.load() }
        #expect(error?.code == .unknownRunner)
        #expect(error?.remedy?.contains("scripted") == true)
    }

    @Test func `a load that fails keeps its error, and counts as no crash`() async throws {
        let runner = try Hosting.scripted(["load": "fail"])
        for _ in 0..<3 {
            let error = await #expect(throws: BreezeError.self) { try await runner.load() }
            #expect(error == BreezeError(.invalidFile, "The model is broken.", remedy: "Get another."))
        }
        #expect(runner.starts == 3)
    }

    @Test func `a crash while it loads says so`() async throws {
        let runner = try Hosting.scripted(["load": "crash"])
        let error = await #expect(throws: BreezeError.self) { try await runner.load() }
        #expect(error?.code == .runnerCrashed)
        #expect(error?.message.contains("SIGABRT while it loaded") == true)
    }

    @Test(arguments: [
        ("00000000", "without a type"), ("01000000ff", "unknown type"), ("ffffffff81", "4294967295"),
        ("0300000081" + "7b7d", "Hello"), ("0100000082", "too early"),
    ])
    func `what is no frame of the protocol ends the worker`(bytes: String, reason: String) async throws {
        // The last row is of a type that has no payload, before the greeting.
        let runner = try Hosting.scripted(launch: Hosting.launch("babble", bytes))
        let error = await #expect(throws: BreezeError.self) { try await runner.load() }
        #expect(error?.code == .runnerCrashed)
        #expect(error?.message.contains(reason) == true || bytes == "0100000082")
        #expect(runner.processID == nil)
    }

    @Test func `one that never hears is given up in time`() async throws {
        let clock = StepClock()
        let runner = try Hosting.scripted(launch: Hosting.launch("deaf"), clock: clock)
        let load = Task { try await runner.load() }
        await clock.pass(WorkerOptions().startLimit)
        let error = await #expect(throws: BreezeError.self) { try await load.value }
        #expect(error?.code == .timeout)
    }

    @Test func `a load without end is given up in time`() async throws {
        let clock = StepClock()
        let runner = try Hosting.scripted(["load": "hang"], clock: clock)
        let load = Task { try await runner.load() }
        await clock.pass(WorkerOptions().loadLimit)
        let error = await #expect(throws: BreezeError.self) { try await load.value }
        #expect(error?.code == .timeout)
        #expect(error?.message.contains("loading") == true)
    }

    @Test func `a load that nobody waits for any more is given up`() async throws {
        let pipe = try NamedPipe()
        let told = Gate()
        let settings: [String: JSONValue] = ["load": "hang", "loadSteps": 1, "fifo": .string(pipe.path)]
        let runner = try Hosting.scripted(settings)
        let loads = (0..<3).map { _ in Task { try await runner.load { _ in told.open() } } }
        await told.pass()
        for load in loads { load.cancel() }
        for load in loads { await #expect(throws: CancellationError.self) { try await load.value } }
        await pipe.writersGone()
    }

    @Test func `unloading in the middle of a load ends it`() async throws {
        let told = Gate()
        let runner = try Hosting.scripted(["load": "hang", "loadSteps": 1])
        let load = Task { try await runner.load { _ in told.open() } }
        await told.pass()
        await runner.unload()
        let error = await #expect(throws: BreezeError.self) { try await load.value }
        #expect(error?.code == .loadFailed)
    }
}
