import BreezeCore
import BreezeWorker
import Foundation
import Testing

#if os(Linux)
@Suite(.enabled(if: Hosting.executable != nil, "breeze-test-worker was not built"))
struct `Inside a worker` {
    @Test func `no internet socket can be made, and local ones can`() async throws {
        let runner = try Hosting.scripted()
        let attempts = try await runner.say("socket").split(separator: "\n")
        #expect(attempts == ["inet EACCES", "inet6 EACCES", "unix made", "connect had no socket"])
        #expect(runner.protection?.noInternet == true)
        await runner.unload()
    }

    @Test func `a runner that declares the network has it`() async throws {
        let runner = try Hosting.scripted(needsNetwork: true)
        let attempts = try await runner.say("socket").split(separator: "\n")
        #expect(attempts.first == "inet made")
        // Nobody listens at the discard port; that the call got so far is what counts.
        #expect(attempts.last == "connect was refused")
        #expect(runner.protection?.noInternet == false)
        await runner.unload()
    }

    @Test func `the worker says what holds, and the kernel agrees`() async throws {
        let runner = try Hosting.scripted()
        try await runner.load()
        let protection = try #require(runner.protection)
        #expect(protection.noNewPrivileges)
        #expect(protection.noCoreDumps)
        #expect(protection.notTraceable)
        let process = try #require(runner.processID)
        let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        #expect(status.contains("NoNewPrivs:\t1\n"))
        #expect(status.contains("Seccomp:\t2\n"))
        let limits = try String(contentsOfFile: "/proc/\(process)/limits", encoding: .utf8)
        let cores = limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") }
        #expect(cores?.split(separator: " ").suffix(3) == ["0", "0", "bytes"])
        await runner.unload()
    }
}
#endif
