import BreezeCore
import Testing

@testable import BreezeEngine

/// What happens while a waiting caller is told its position.
@Suite struct RunnerGateTests {
    private struct Gone: Error {}

    private let gate = RunnerGate(runner: "a", width: 1)

    @Test func `a caller that cannot be told leaves the queue`() async throws {
        let holder = try await gate.enter()
        await #expect(throws: Gone.self) { try await gate.enter { _, _ in throw Gone() } }
        #expect(gate.counts == .init(running: 1, waiting: 0, stuck: 0))
        #expect(gate.remains == 0)
        gate.leave(holder)
        #expect(gate.counts == .init())
    }

    @Test func `a turn that comes meanwhile is kept`() async throws {
        let holder = try await gate.enter()
        let ticket = try await gate.enter { [gate] position, first in
            #expect([position, first] == [1, 1])
            gate.leave(holder)
            #expect(gate.counts == .init(running: 1, waiting: 0, stuck: 0))
        }
        #expect(gate.remains == 0)
        gate.leave(ticket)
        #expect(gate.counts == .init())
    }

    @Test func `a turn that comes meanwhile is given back by who cannot be told`() async throws {
        let holder = try await gate.enter()
        await #expect(throws: Gone.self) {
            try await gate.enter { [gate] _, _ in
                gate.leave(holder)
                throw Gone()
            }
        }
        #expect(gate.counts == .init())
        #expect(gate.remains == 0)
    }

    @Test func `who is cancelled while it is told, does not wait`() async throws {
        let holder = try await gate.enter()
        let waiting = Task { [gate] in
            try await gate.enter { _, _ in withUnsafeCurrentTask { $0?.cancel() } }
        }
        await #expect(throws: CancellationError.self) { try await waiting.value }
        #expect(gate.counts == .init(running: 1, waiting: 0, stuck: 0))
        #expect(gate.remains == 0)
        gate.leave(holder)
    }

    @Test func `leaving twice gives back one place`() async throws {
        let holder = try await gate.enter()
        gate.leave(holder)
        let next = try await gate.enter()
        gate.leave(holder)
        #expect(gate.counts.running == 1)
        gate.leave(next)
        #expect(gate.counts == .init())
    }
}
