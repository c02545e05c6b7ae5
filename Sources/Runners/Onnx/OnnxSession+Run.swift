import BreezeCore
import COnnxRuntime
import Foundation
import Synchronization

extension OnnxSession {
    /// Runs the model on the session's own queue, after the runs that were asked for before. The caller's
    /// actor stays free. Cancelling the task stops a run that has begun before its next operator, and ends
    /// one that is still waiting at once.
    ///
    /// Every input that the model declares is needed; the outputs come in the order of `outputs`. Throws
    /// `.invalidRequest` for inputs or output names that do not fit the model, `.unsupported` for an output
    /// that is neither of floats nor of 64-bit integers, `.cancelled`, or `.runFailed`.
    public func run(inputs: [OnnxTensor], outputs: [String]) async throws -> [OnnxTensor] {
        let cancellation = OnnxCancellation()
        let waiting = WaitingRun()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                waiting.park(continuation)
                queue.async {
                    guard let continuation = waiting.claim() else { return }
                    continuation.resume(
                        with: Result {
                            try self.runBlocking(inputs: inputs, outputs: outputs, cancellation: cancellation)
                        }
                    )
                }
                // A cancellation that came before the continuation was parked found nothing to end.
                if cancellation.isCancelled { waiting.claim()?.resume(throwing: Self.cancelled) }
            }
        } onCancel: {
            cancellation.cancel()
            waiting.claim()?.resume(throwing: Self.cancelled)
        }
    }

    /// Runs the model on the caller's thread and blocks it: for a thread that the caller owns, never for an
    /// actor or a task. Otherwise as ``run(inputs:outputs:)``.
    public func runBlocking(
        inputs: [OnnxTensor],
        outputs: [String],
        cancellation: OnnxCancellation? = nil
    ) throws -> [OnnxTensor] {
        try check(inputs: inputs)
        let indices = try check(outputs: outputs)
        do {
            guard let cancellation else { return try execute(inputs, indices, options: nil) }
            let owned = try OnnxObject(library.api, release: ort_release_run_options) {
                ort_create_run_options(library.api.table, $0)
            }
            let options = RunOptions(api: library.api, pointer: owned.pointer)
            guard cancellation.attach(options) else { throw Self.cancelled }
            defer { cancellation.detach(options) }
            let results = try execute(inputs, indices, options: options.pointer)
            // One rule for the caller: after a cancellation there is no answer, however close the end was.
            guard !cancellation.isCancelled else { throw Self.cancelled }
            return results
        } catch let fault as OnnxFault {
            throw cancellation?.isCancelled == true ? Self.cancelled : failure(fault)
        }
    }

    static var cancelled: BreezeError { BreezeError(.cancelled, "The run was cancelled.") }

    private func failure(_ fault: OnnxFault) -> BreezeError {
        let refused = fault.code == Int(ORT_INVALID_ARGUMENT)
        return BreezeError(
            refused ? .invalidRequest : .runFailed,
            "\(modelPath.lastPathComponent) \(refused ? "refused its input" : "failed"): \(fault.summary)",
            remedy: "Check that the inputs' values and shapes fit the model.",
            underlying: fault
        )
    }
}

/// A run that waits for its turn. Whoever claims the continuation resumes it: the queue when the turn comes,
/// or a cancellation before that.
private final class WaitingRun: Sendable {
    typealias Continuation = CheckedContinuation<[OnnxTensor], any Error>

    private let continuation = Mutex<Continuation?>(nil)

    func park(_ continuation: Continuation) {
        self.continuation.withLock { $0 = continuation }
    }

    func claim() -> Continuation? {
        continuation.withLock { $0.take() }
    }
}
