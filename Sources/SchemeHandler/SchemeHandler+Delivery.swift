#if Hub
import BreezeCore
import BreezeScheme
import BreezeSchemeStore
import Foundation

/// How sealed answers reach their app: by a URL, and by other ways where that is too small.
extension SchemeHandler {
    private static let socketPatience: Int64 = 10_000

    /// An answer that is too large for each way that the app takes becomes one that says so.
    func send(
        _ answer: SchemeAnswer,
        by reply: ReplyAddress,
        _ way: HubMessage.Reply = .url
    ) async throws -> SchemeOutcome {
        do {
            return try await deliver(answer, by: reply, way)
        } catch let error as BreezeError where error.code == SchemeFault.tooLarge("").code {
            return try await deliver(.failed(error, to: answer.requestID), by: reply, way)
        }
    }

    private func deliver(
        _ answer: SchemeAnswer,
        by reply: ReplyAddress,
        _ way: HubMessage.Reply
    ) async throws -> SchemeOutcome {
        let time = now
        let envelope = try reply.seal(answer, at: time)
        if way == .socket, let handoff {
            return await deliver(envelope, to: reply.header.nonce, in: handoff, answer.error)
        }
        let bytes = envelope.bytes
        if bytes.count <= SchemeURL.valueLimit { return await open(bytes, reply, answer.error) }
        switch way {
        case .file:
            guard let handoff else { break }
            let pointer = try handoff.put(envelope)
            let outcome = await open(pointer, reply, answer.error)
            if outcome.delivery == .nothing { handoff.remove(pointer) }
            return outcome
        case .parts:
            var whole = answer
            whole.time = time
            let parts = try MessageParts.cut(whole.bytes())
            try await store.perform { try $0.keepAnswer(parts, of: reply.app.id, at: time) }
            return await open(try reply.seal(part: parts[0], at: time).bytes, reply, answer.error)
        case .url, .socket: break
        }
        throw SchemeFault.tooLarge("The answer has more than \(SchemeURL.valueLimit) bytes")
    }

    /// A part of an answer, from the second on: it answers the message that asked for it.
    func sendPart(_ number: Int, of digest: [UInt8], by reply: ReplyAddress) async throws -> SchemeOutcome {
        let time = now
        let part = try await store.perform {
            try $0.answerPart(number, digest: digest, of: reply.app.id, at: time)
        }
        guard let part else {
            return try await send(.failed(HandlerFault.noPart, to: reply.requestID), by: reply)
        }
        return await open(try reply.seal(part: part, at: time).bytes, reply, nil)
    }

    private func open(_ data: [UInt8], _ reply: ReplyAddress, _ error: BreezeError?) async -> SchemeOutcome {
        do throws(BreezeError) {
            return await open(try reply.app.callback.answer(data), error)
        } catch { return SchemeOutcome(.nothing, error: error) }
    }

    /// Waits for whoever listens; opens nothing, whether somebody does or not.
    private func deliver(
        _ envelope: Envelope,
        to question: MessageNonce,
        in folder: HandoffFolder,
        _ error: BreezeError?
    ) async -> SchemeOutcome {
        let start = now
        do {
            while true {
                if try await SocketThread.run({ try folder.send(envelope, to: question) }) {
                    return SchemeOutcome(.socket, error: error)
                }
                guard QuestionLine.isWithin(Self.socketPatience, of: start, now) else {
                    throw HandlerFault.nobody
                }
                try await clock.sleep(for: Self.interval)
            }
        } catch {
            return SchemeOutcome(.nothing, error: Self.told(error))
        }
    }
}

/// Writing to a socket waits for its reader, and the pool's threads are for work that does not wait.
private enum SocketThread {
    static func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let thread = Thread { continuation.resume(with: Result { try body() }) }
            thread.name = "answer"
            thread.start()
        }
    }
}
#endif
