#if Hub || Pairing
import BreezeCore
import BreezeKit
import BreezeScheme
import Foundation
import Synchronization

/// Questions of a paired app.
extension HubScheme {
    func runSealed(_ request: InferenceRequest, _ pairing: SchemePairing) async throws -> InferenceResult {
        guard !pairing.isOver else { throw PairingFault.over }
        try begin(pairing)
        let folder = handoff
        let message = HubMessage.run(request, reply: folder == nil ? .parts : .file)
        let limit = limit(for: request)
        do {
            var answer = try await send(message, within: limit, folder)
            // The hub's clock is ahead, and the session has learned by how much. What was refused has not run.
            if answer.error?.code == .messageExpired {
                answer = try await send(message, within: limit, folder)
            }
            return try Self.result(in: answer)
        } catch {
            let code = (error as? BreezeError)?.code
            // Where it cannot be kept, the hub says it again.
            if code == .approvalRevoked { try? await end(pairing) }
            if error is CancellationError || code == .timeout { giveUp(request.id) }
            throw error
        }
    }

    /// The session of this pairing: another process of the app may have made a newer one.
    private func begin(_ pairing: SchemePairing) throws(BreezeError) {
        guard let session = pairing.session else { throw PairingFault.damaged }
        state.withLock { state in
            if state.session?.app != session.app { state.session = session }
        }
    }

    private func end(_ pairing: SchemePairing) async throws {
        var over = pairing
        over.isOver = true
        try await store.save(over)
    }

    // MARK: - Messages

    private func seal(
        _ make: (inout AppSession) throws(BreezeError) -> Envelope
    ) throws(BreezeError) -> Envelope {
        try state.withLock { state throws(BreezeError) in
            guard var session = state.session else { throw PairingFault.over }
            defer { state.session = session }
            return try make(&session)
        }
    }

    private func send(
        _ message: HubMessage,
        within limit: Duration,
        _ folder: HandoffFolder?
    ) async throws -> SchemeAnswer {
        let envelope = try seal { session throws(BreezeError) in try session.seal(message, at: now) }
        let received: AppSession.Received
        if envelope.bytes.count <= SchemeURL.valueLimit {
            received = try await ask(envelope, envelope.bytes, within: limit, isFirst: true)
        } else if let folder {
            let pointer = try folder.put(envelope)
            // Where it was not fetched by now, nobody will.
            defer { folder.remove(pointer) }
            received = try await ask(envelope, pointer, within: limit, isFirst: true)
        } else {
            forget(envelope)
            received = try await sendParts(of: message, within: limit)
        }
        return try await whole(received, within: limit)
    }

    /// Each part but the last is answered with the number of the next one.
    private func sendParts(of message: HubMessage, within limit: Duration) async throws
        -> AppSession.Received
    {
        let parts = try AppSession.parts(of: message)
        for (number, part) in parts.enumerated() {
            let envelope = try seal { session throws(BreezeError) in try session.seal(part: part, at: now) }
            let received = try await ask(envelope, envelope.bytes, within: limit, isFirst: number == 0)
            guard number + 1 < parts.count, case .answer(let answer) = received, answer.state == .more else {
                return received
            }
            guard answer.next == number + 1 else {
                throw PairingFault.malformed("it asks for another part")
            }
        }
        throw PairingFault.malformed("it asks for a part that is not there")
    }

    /// Fetches what is left of an answer in parts.
    private func whole(_ first: AppSession.Received, within limit: Duration) async throws -> SchemeAnswer {
        var received = first
        while true {
            switch received {
            case .answer(let answer): return answer
            case .part(let digest, let next):
                let envelope = try seal { session throws(BreezeError) in
                    try session.seal(.more(digest: digest, next: next), at: now)
                }
                received = try await ask(envelope, envelope.bytes, within: limit, isFirst: false)
            }
        }
    }

    /// `data` is what goes into the URL: the envelope, or a pointer to it.
    private func ask(
        _ envelope: Envelope,
        _ data: [UInt8],
        within limit: Duration,
        isFirst: Bool
    ) async throws -> AppSession.Received {
        defer { forget(envelope) }
        let url = try SchemeURL.sealed(data).written()
        return try await answers.answer(to: .sealed(envelope.header.nonce), within: limit) { [self] in
            guard isFirst else { return try await opener.open(url) }
            try await openFirst(url)
        }
    }

    private func forget(_ envelope: Envelope) {
        state.withLock { $0.session?.forget(envelope.header.nonce) }
    }

    /// Tells the hub that nobody waits any more, where opening Breeze does not bring it to the front.
    private func giveUp(_ id: String) {
        #if os(Linux)
        guard
            let envelope = try? seal({ session throws(BreezeError) in
                try session.seal(.cancel(id: id), at: now)
            }), let url = try? SchemeURL.sealed(envelope.bytes).written()
        else { return }
        // It has no answer of its own.
        forget(envelope)
        // The task that asked is over by now.
        Task { [opener] in try? await opener.open(url) }
        #endif
    }
}
#endif
