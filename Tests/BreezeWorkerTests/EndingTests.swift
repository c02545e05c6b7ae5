import BreezeCore
import BreezeTestSupport
import BreezeWorker
import Foundation
import Synchronization
import Testing

@Suite(.enabled(if: Hosting.executable != nil, "breeze-test-worker was not built"))
struct `However a worker ends` {
    @Test(arguments: [("segv", "SIGSEGV"), ("abort", "SIGABRT"), ("exit", nil)])
    func `a crash is an error for its request, and the next one is answered`(
        script: String,
        signal: String?
    ) async throws {
        let runner = try Hosting.scripted()
        let error = await #expect(throws: BreezeError.self) { try await runner.say(script) }
        #expect(error?.code == .runnerCrashed)
        let crash = try #require(error?.underlying as? WorkerCrash)
        #expect(crash.signal == signal)
        #expect(crash.exitCode == (signal == nil ? 7 : nil))
        #expect(error?.message.contains(signal ?? "code 7") == true)
        if script == "abort" {
            #expect(crash.standardError.contains("assertion failed: this test wants it"))
        }
        #expect(try await runner.say("echo 2") == "0 1 ")
        #expect(runner.starts == 2)
        await runner.unload()
    }

    @Test func `a kill in the middle of an answer is an error of that answer`() async throws {
        let runner = try Hosting.scripted()
        try await runner.load()
        let process = try #require(runner.processID)
        let error = await #expect(throws: BreezeError.self) {
            try await runner.follow("hold") { _ in kill(process, SIGKILL) }
        }
        #expect(error?.code == .runnerCrashed)
        #expect((error?.underlying as? WorkerCrash)?.signal == "SIGKILL")
        #expect(try await runner.say("echo 1") == "0 ")
        await runner.unload()
    }

    @Test func `one that is stopped is found by the check and replaced`() async throws {
        let clock = StepClock()
        let runner = try Hosting.scripted(clock: clock)
        try await runner.load()
        let process = try #require(runner.processID)
        let stopped = Gate()
        let answer = Task {
            try await runner.follow("hold") { _ in
                kill(process, SIGSTOP)
                stopped.open()
            }
        }
        await stopped.pass()
        // As many checks as it takes: the worker may have answered one on its way before it was stopped.
        let checks = Task {
            while !Task.isCancelled { await clock.pass(WorkerOptions().checkInterval) }
        }
        let error = await #expect(throws: BreezeError.self) { try await answer.value }
        checks.cancel()
        #expect(error?.code == .runnerCrashed)
        #expect(error?.message.contains("did not respond") == true)
        #expect(try await runner.say("echo 1") == "0 ")
        await runner.unload()
    }

    @Test func `one that is busy and answers the checks is left alone`() async throws {
        let clock = StepClock()
        let runner = try Hosting.scripted(clock: clock)
        try await runner.load()
        let begun = Gate()
        let task = Task { try await runner.follow("hold") { _ in begun.open() } }
        await begun.pass()
        for _ in 0..<20 {
            await clock.pass(WorkerOptions().checkInterval)
            // The answer to the question stands before this one's in the same stream.
            #expect(try await runner.say("echo 1") == "0 ")
        }
        #expect(runner.starts == 1)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        await runner.unload()
    }

    @Test func `one that exceeds its memory is ended with the figures`() async throws {
        let clock = StepClock()
        let runner = try Hosting.scripted(memoryLimit: 160 << 20, clock: clock)
        try await runner.load()
        let error = await #expect(throws: BreezeError.self) {
            try await runner.follow("grow 64") { text in
                // 256 MiB are taken and touched by then.
                if text == "16" { await clock.pass(WorkerOptions().checkInterval) }
            }
        }
        #expect(error?.code == .insufficientMemory)
        #expect(error?.message.contains("160 MB") == true || error?.message.contains("160") == true)
        #expect(try await runner.say("echo 1") == "0 ")
        await runner.unload()
    }

    @Test func `a cancelled request ends, and the worker stays`() async throws {
        let runner = try Hosting.scripted()
        let begun = Gate()
        let task = Task { try await runner.follow("hold") { _ in begun.open() } }
        await begun.pass()
        let process = runner.processID
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await runner.say("echo 1") == "0 ")
        #expect(runner.processID == process)
        await runner.unload()
    }

    @Test func `a cancelled request that goes on costs the worker its life`() async throws {
        let clock = StepClock()
        var options = WorkerOptions()
        options.cancelGrace = .milliseconds(900)
        let runner = try Hosting.scripted(options: options, clock: clock)
        let begun = Gate()
        let task = Task { try await runner.follow("hang") { _ in begun.open() } }
        await begun.pass()
        task.cancel()
        await clock.pass(options.cancelGrace)
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await runner.say("echo 1") == "0 ")
        #expect(runner.starts == 2)
        await runner.unload()
    }

    @Test(arguments: ["hold", "hang"])
    func `a request that takes longer than it may is ended`(script: String) async throws {
        let clock = StepClock()
        var options = WorkerOptions()
        options.cancelGrace = .milliseconds(900)
        let runner = try Hosting.scripted(options: options, clock: clock)
        let answer = Task { try await runner.follow(script, timeout: 7) { _ in } }
        await clock.pass(.seconds(7))
        if script == "hang" { await clock.pass(options.cancelGrace) }
        let error = await #expect(throws: BreezeError.self) { try await answer.value }
        #expect(error?.code == .timeout)
        #expect(try await runner.say("echo 1") == "0 ")
        await runner.unload()
    }

    @Test func `unloading ends a request with a typed error, and loading begins anew`() async throws {
        let runner = try Hosting.scripted()
        let error = await #expect(throws: BreezeError.self) {
            try await runner.follow("hold") { _ in await runner.unload() }
        }
        #expect(error?.code == .runFailed)
        #expect(runner.processID == nil)
        #expect(try await runner.say("echo 1") == "0 ")
        await runner.unload()
    }

    @Test func `unloading returns when the process is gone`() async throws {
        let runner = try Hosting.scripted()
        try await runner.load()
        let process = try #require(runner.processID)
        #expect(getpgid(process) == process, "Ctrl-C in a terminal must not reach it")
        #expect(try #require(runner.residentMemory) > 1 << 20)
        await runner.unload()
        #expect(kill(process, 0) == -1)
        #expect(errno == ESRCH)
        await runner.unload()
    }

    @Test func `one that crashes again and again is given time`() async throws {
        let clock = StepClock()
        let runner = try Hosting.scripted(clock: clock)
        for _ in 0..<2 {
            await #expect(throws: BreezeError.self) { try await runner.say("segv") }
        }
        let error = await #expect(throws: BreezeError.self) { try await runner.say("echo 1") }
        #expect(error?.code == .unavailable)
        #expect(error?.retryAfter == .seconds(1))
        #expect(error?.message.contains("2 times") == true)
        #expect(runner.starts == 2)
        clock.advance(by: .seconds(1))
        #expect(try await runner.say("echo 1") == "0 ")
        await #expect(throws: BreezeError.self) { try await runner.say("segv") }
        #expect(try await runner.say("echo 1") == "0 ", "an answer in between makes good")
        await runner.unload()
    }

    @Test func `the last reference takes the process along`() async throws {
        let pipe = try NamedPipe()
        var runner: WorkerRunner? = try Hosting.scripted(["fifo": .string(pipe.path)])
        try await runner?.load()
        runner = nil
        await pipe.writersGone()
    }

    @Test func `a worker does not outlive a parent that was killed`() async throws {
        let pipe = try NamedPipe()
        let parent = try Hosting.scripted(["nestedFifo": .string(pipe.path)])
        try await parent.load()
        let process = try #require(parent.processID)
        let nested = Mutex("")
        let error = await #expect(throws: BreezeError.self) {
            try await parent.follow("nest") { text in
                nested.withLock { $0 = text }
                kill(process, SIGKILL)
            }
        }
        #expect(error?.code == .runnerCrashed)
        #expect(nested.withLock { Int($0) ?? 0 } > 1)
        await pipe.writersGone()
    }

    @Test func `fifty rounds leave no descriptor and no zombie`() async throws {
        let runner = try Hosting.scripted()
        let words = try await runner.say("rounds 50").split(separator: " ").map(String.init)
        #expect(words.count == 3)
        #expect(words.first == words.dropFirst().first)
        #expect(words.last == "none")
        await runner.unload()
    }
}
