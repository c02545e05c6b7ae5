import BreezeCore
import Foundation
import Synchronization

/// Reads one answer of a worker into a sink.
struct WorkerAnswer {
    let connection: WorkerConnection
    let call: WorkerCall
    let request: InferenceRequest
    let sink: ChunkSink?

    func read() async throws -> InferenceResult {
        let isLate = Flag()
        let timer = timer(setting: isLate)
        defer { timer?.cancel() }
        return try await withTaskCancellationHandler {
            do { return try await follow() } catch {
                if Task.isCancelled { throw CancellationError() }
                if isLate.isUp { throw late }
                throw error
            }
        } onCancel: {
            connection.cancel(call)
        }
    }

    private final class Flag: Sendable {
        private let value = Atomic(false)
        var isUp: Bool { value.load(ordering: .relaxed) }
        func raise() { value.store(true, ordering: .relaxed) }
    }

    private func timer(setting isLate: Flag) -> Task<Void, Never>? {
        guard let limit = request.configuration.timeout, limit > 0 else { return nil }
        return Task { [connection, call] in
            guard (try? await connection.clock.sleep(.seconds(min(limit, 1e9)))) != nil else { return }
            isLate.raise()
            connection.cancel(call)
        }
    }

    /// Reads to the end, also where nobody wants the chunks any more: only then is the runner free again.
    private func follow() async throws -> InferenceResult {
        var unread = 0
        var refusal: (any Error)?
        while true {
            switch await call.events.next() {
            case .chunk(let payload):
                if refusal != nil { continue }
                do {
                    try await sink?.send(decode { try ChunkPayload.decode(payload, of: request.id) })
                } catch {
                    refusal = error
                    connection.cancel(call)
                    continue
                }
                unread += 1
                if unread >= max(1, connection.options.window / 2) {
                    try connection.grant(unread, to: call)
                    unread = 0
                }
            case .result(let payload):
                if let refusal { throw refusal }
                do { return try decode { try ResultPayload.decode(payload) } } catch {
                    // Its answers have ended, and so must it have when its caller asks again.
                    await connection.ended()
                    throw error
                }
            case .failure(let error): throw refusal ?? error
            }
        }
    }

    private func decode<Value>(_ work: () throws -> Value) throws -> Value {
        do { return try work() } catch let fault as WireFault {
            let error = connection.brokenProtocol(fault)
            connection.doom(error, isFault: true)
            throw error
        }
    }

    private var late: BreezeError {
        BreezeError(
            .timeout,
            "\(connection.name) did not answer within \(request.configuration.timeout ?? 0) s.",
            remedy: "Raise the request's timeout, or ask for a shorter answer."
        )
    }
}
