import BreezeCore
import Foundation
import Testing

@testable import BreezeOnnxRuntime

/// Inputs of `OnnxModel.loop`: [1, 2] doubled so many times.
struct LoopInputs {
    /// Centuries of work: a test with it ends only if the run is stopped.
    static let endless = LoopInputs(trips: 1 << 62)

    let trips: Int64

    var tensors: [OnnxTensor] {
        [OnnxTensor("trips", [trips], shape: []), OnnxTensor("x", [1, 2] as [Float], shape: [2])]
    }
}

@Suite(.needsRuntime, .timeLimit(.minutes(2))) struct OnnxCancellationTests {
    @Test func `a run that has begun stops, and the session goes on answering`() async throws {
        let session = try await Runtime.session(.loop)
        let cancellation = OnnxCancellation()
        let run = Task.detached {
            await withCheckedContinuation { continuation in
                Thread {
                    continuation.resume(
                        returning: Result {
                            try session.runBlocking(
                                inputs: LoopInputs.endless.tensors,
                                outputs: ["y"],
                                cancellation: cancellation
                            )
                        }
                    )
                }.start()
            }
        }
        while cancellation.runningCount == 0 { await Task.yield() }
        cancellation.cancel()
        let error = await #expect(throws: BreezeError.self) { try await run.value.get() }
        #expect(error?.code == .cancelled)
        #expect(cancellation.runningCount == 0)
        let outputs = try await session.run(inputs: LoopInputs(trips: 3).tensors, outputs: ["y"])
        #expect(outputs == [OnnxTensor("y", [8, 16] as [Float], shape: [2])])
    }

    @Test func `a handle that was used stops the next run before it begins`() async throws {
        let session = try await Runtime.session(.loop)
        let cancellation = OnnxCancellation()
        cancellation.cancel()
        let error = #expect(throws: BreezeError.self) {
            try session.runBlocking(
                inputs: LoopInputs.endless.tensors,
                outputs: ["y"],
                cancellation: cancellation
            )
        }
        #expect(error?.code == .cancelled)
    }

    @Test func `cancelling the task stops the run`() async throws {
        let session = try await Runtime.session(.loop)
        let run = Task { try await session.run(inputs: LoopInputs.endless.tensors, outputs: ["y"]) }
        run.cancel()
        let error = await #expect(throws: BreezeError.self) { try await run.value }
        #expect(error?.code == .cancelled)
    }

    @Test func `a run that waits for another one is cancelled without waiting for it`() async throws {
        let session = try await Runtime.session(.loop)
        let first = Task { try await session.run(inputs: LoopInputs.endless.tensors, outputs: ["y"]) }
        // On the same queue: it is reached only when the first run has ended.
        let second = Task { try await session.run(inputs: LoopInputs(trips: 1).tensors, outputs: ["y"]) }
        let third = Task { try await session.run(inputs: LoopInputs.endless.tensors, outputs: ["y"]) }
        third.cancel()
        let waiting = await #expect(throws: BreezeError.self) { try await third.value }
        #expect(waiting?.code == .cancelled)
        first.cancel()
        let running = await #expect(throws: BreezeError.self) { try await first.value }
        #expect(running?.code == .cancelled)
        #expect(try await second.value[0].floats == [2, 4])
    }

    @Test @MainActor func `the caller's actor goes on while a run works`() async throws {
        let session = try await Runtime.session(.loop)
        var ticks = 0
        let run = Task { @MainActor in
            try await session.run(inputs: LoopInputs.endless.tensors, outputs: ["y"])
        }
        while ticks < 1_000 {
            ticks += 1
            await Task.yield()
        }
        run.cancel()
        let error = await #expect(throws: BreezeError.self) { try await run.value }
        #expect(error?.code == .cancelled)
    }
}
