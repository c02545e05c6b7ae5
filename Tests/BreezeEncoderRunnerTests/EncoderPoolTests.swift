import BreezeCore
import BreezeTokenizers
import Dispatch
import Synchronization
import Testing

@testable import BreezeEncoderRunner

@Suite struct EncoderQueueTests {
    private func ticket(_ length: Int, _ body: @escaping @Sendable (EncoderTicket) -> Void) async throws {
        _ = try await withCheckedThrowingContinuation { body(EncoderTicket(.long(length), $0)) }
    }

    /// Puts texts of these lengths into lanes in this order, then takes them all.
    private func order(_ puts: [(lane: Int, length: Int)]) async throws -> [Int] {
        let queue = EncoderQueue()
        let lanes = (0..<4).map { _ in queue.makeLane() }
        let taken = Mutex<[Int]>([])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (lane, length) in puts {
                let put = Signals()
                group.addTask {
                    try await ticket(length) {
                        _ = queue.put($0, in: lanes[lane])
                        put.give()
                    }
                }
                await put.next()
            }
            queue.close()
            while let ticket = queue.next() {
                taken.withLock { $0.append(ticket.text.ids.count) }
                ticket.resolve(.success([]))
            }
            try await group.waitForAll()
        }
        return taken.withLock { $0 }
    }

    @Test func `the longest text of a request comes first`() async throws {
        #expect(try await order([(0, 3), (0, 9), (0, 1), (0, 5)]) == [9, 5, 3, 1])
    }

    @Test func `requests take turns`() async throws {
        let puts = [(0, 9), (0, 8), (0, 7), (0, 6), (1, 2), (1, 1), (2, 4)]
        #expect(try await order(puts) == [9, 2, 4, 8, 1, 7, 6])
    }

    @Test func `a closed queue gives what it holds and then nothing, to every sleeper`() async throws {
        #expect(try await order([]) == [])
        let queue = EncoderQueue()
        queue.close()
        #expect(queue.next() == nil)
        #expect(queue.next() == nil)
    }
}

@Suite struct EncoderPoolTests {
    private func pool(_ script: SessionScript, workers: Int) async throws -> EncoderPool {
        try await EncoderPool(script.backend, workers: workers) { _ in }
    }

    private func encode(_ lengths: [Int], on pool: EncoderPool) async throws -> [Float] {
        let lane = pool.makeLane()
        var results: [Float] = []
        try await inOrder(count: lengths.count, window: pool.window) { index in
            try await pool.encode(.long(lengths[index]), in: lane)[0]
        } consume: { index, value in
            #expect(index == results.count)
            results.append(value)
        }
        return results
    }

    @Test(arguments: [1, 2, 5])
    func `answers come in the order of the texts, whoever worked on them`(workers: Int) async throws {
        let script = SessionScript()
        let pool = try await pool(script, workers: workers)
        let lengths = (0..<500).map { ($0 * 37) % 101 + 1 }
        #expect(try await encode(lengths, on: pool) == lengths.map(Float.init))
        #expect(script.opened <= workers)
        #expect(script.mostRunning <= workers)
    }

    @Test func `a second worker opens when there is work for it and not before`() async throws {
        let script = SessionScript()
        let pool = try await pool(script, workers: 2)
        #expect(script.opened == 1)
        #expect(try await encode([5], on: pool) == [5])
        #expect(script.opened == 1)
        let gate = DispatchSemaphore(value: 0)
        let busy = SessionScript(gate: gate)
        let both = try await self.pool(busy, workers: 2)
        async let results = encode(Array(repeating: 300, count: 8), on: both)
        // Two texts have begun while none could end: two threads.
        for _ in 0..<2 { await busy.begun.next() }
        #expect(busy.mostRunning == 2)
        for _ in 0..<8 { gate.signal() }
        #expect(try await results == Array(repeating: 300, count: 8))
    }

    @Test func `a worker that cannot open leaves its work to the others, and the fault is known`()
        async throws
    {
        let gate = DispatchSemaphore(value: 0)
        let script = SessionScript(gate: gate, failing: 2)
        let pool = try await pool(script, workers: 3)
        let lengths = Array(repeating: 200, count: 40)
        async let results = encode(lengths, on: pool)
        // While the first one is held there is work for a second; were it not, it might do all of it alone.
        while pool.fault == nil { await Task.yield() }
        for _ in lengths { gate.signal() }
        #expect(try await results == lengths.map(Float.init))
        #expect((pool.fault as? BreezeError)?.message == "session 2 does not open")
    }

    @Test func `a pool whose first worker cannot open is none`() async throws {
        let error = await #expect(throws: BreezeError.self) {
            try await pool(SessionScript(failing: 1), workers: 2)
        }
        #expect(error?.code == .loadFailed)
        let refused = await #expect(throws: BreezeError.self) {
            try await EncoderPool(SessionScript().backend, workers: 1) { _ in
                throw BreezeError(.loadFailed, "off by far")
            }
        }
        #expect(refused?.message == "off by far")
    }

    @Test func `a text that fails fails alone`() async throws {
        let pool = try await pool(SessionScript(), workers: 1)
        let lane = pool.makeLane()
        let error = await #expect(throws: BreezeError.self) {
            try await pool.encode(TokenizedText(ids: [-1]), in: lane)
        }
        #expect(error?.code == .runFailed)
        #expect(try await pool.encode(.long(3), in: lane) == [3])
    }

    @Test func `cancelling ends the wait at once and begins no further text`() async throws {
        let gate = DispatchSemaphore(value: 0)
        let script = SessionScript(gate: gate)
        let pool = try await pool(script, workers: 1)
        let task = Task { try await encode(Array(repeating: 10, count: 100), on: pool) }
        await script.begun.next()
        task.cancel()
        // The worker is still held in its first text when the caller is let go.
        let error = await #expect(throws: (any Error).self) { try await task.value }
        #expect(error is CancellationError || (error as? BreezeError)?.code == .cancelled)
        gate.signal()
        gate.signal()
        #expect(try await pool.encode(.long(4), in: pool.makeLane()) == [4])
        #expect(script.lengths == [10, 4])
    }

    @Test func `what waits when a pool is given up is still answered`() async throws {
        let gate = DispatchSemaphore(value: 0)
        let script = SessionScript(gate: gate)
        var pool: EncoderPool? = try await self.pool(script, workers: 1)
        let results = Task { [pool] in try await encode([1, 2, 3], on: #require(pool)) }
        await script.begun.next()
        pool = nil
        for _ in 0..<3 { gate.signal() }
        #expect(try await results.value == [1, 2, 3])
    }
}

@Suite struct InOrderTests {
    @Test func `no more than the window is ahead of the reader`() async throws {
        let begun = Mutex(0)
        var read = 0
        try await inOrder(count: 100, window: 8) { index in
            begun.withLock { $0 += 1 }
            return index
        } consume: { index, value in
            #expect(index == value && index == read)
            for _ in 0..<20 { await Task.yield() }
            #expect(begun.withLock { $0 } <= read + 8)
            read += 1
        }
        #expect(read == 100)
    }

    @Test func `the first failure in order is the one that is told`() async throws {
        var read = 0
        let error = await #expect(throws: BreezeError.self) {
            try await inOrder(count: 10, window: 10) { index in
                if index == 7 { throw BreezeError(.runFailed, "7") }
                if index == 3 {
                    for _ in 0..<50 { await Task.yield() }
                    throw BreezeError(.runFailed, "3")
                }
                return index
            } consume: { _, _ in
                read += 1
            }
        }
        #expect(error?.message == "3")
        #expect(read == 3)
    }

    @Test func `nothing is produced for nothing`() async throws {
        try await inOrder(count: 0, window: 4) {
            $0
        } consume: { _, _ in
            Issue.record("called")
        }
    }
}
