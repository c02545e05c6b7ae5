#if Hub
import BreezeCore
import BreezeScheme
import BreezeSchemeStore
import Foundation

extension SchemeHandler {
    func handle(sealed data: [UInt8]) async throws -> SchemeOutcome {
        let message: ReceivedMessage
        do {
            message = try await store.perform { _ in try self.receive(data) }
        } catch let refusal as SealedRefusal {
            guard let reply = refusal.reply else { return SchemeOutcome(.nothing, error: refusal.error) }
            return try await send(.failed(refusal.error, to: reply.requestID), by: reply)
        }
        let reply = message.reply
        guard let app = try await store.perform({ try $0.app(reply.app.id) }), !app.isOver else {
            return try await send(.failed(HandlerFault.revoked, to: message.requestID), by: reply)
        }
        switch message.content {
        case .part(let next):
            var answer = SchemeAnswer(.more, to: reply.requestID, isFinal: false)
            answer.next = next
            return try await send(answer, by: reply)
        case .message(.run(let request, let way)):
            let answer = await run(request, of: app, since: message.time)
            return try await send(answer, by: reply, way)
        case .message(.cancel(let id)):
            try await store.perform { try $0.cancel(id, of: app.id, at: message.time) }
            return SchemeOutcome(.nothing)
        case .message(.status):
            return try await send(status(of: app, to: reply.requestID), by: reply)
        case .message(.more(let digest, let next)):
            return try await sendPart(next, of: digest, by: reply)
        }
    }

    private func run(_ request: InferenceRequest, of app: SchemeApp, since start: Int64) async -> SchemeAnswer
    {
        guard let reach = app.reach(for: request.capability) else {
            return .failed(HandlerFault.scope(request.capability), to: request.id)
        }
        var own = request
        if reach == .onDevice { own.privacy = .onDevice }
        own.client = "scheme:\(app.id.text)"
        return await answer(to: own) {
            // What cannot be read now is read the next time.
            (try? await self.store.perform { try $0.isCancelled(request.id, of: app.id, since: start) })
                ?? false
        }
    }

    private func status(of app: SchemeApp, to id: String) async -> SchemeAnswer {
        var capabilities: [String: SchemeStatus.Capability] = [:]
        do {
            let service = try await service()
            for name in app.granted.keys {
                let capability = AICapability(rawValue: name)
                var request = InferenceRequest(capability)
                if app.reach(for: capability) == .onDevice { request.privacy = .onDevice }
                request.client = "scheme:\(app.id.text)"
                let decision = try await service.explain(request)
                let reason = decision.candidates.first?.reasons.first
                capabilities[name] = SchemeStatus.Capability(
                    available: decision.chosen != nil,
                    reason: decision.chosen == nil ? reason ?? "There is no runner for it." : nil
                )
            }
        } catch {
            return .failed(Task.isCancelled ? HandlerFault.expired : Self.told(error), to: id)
        }
        var answer = SchemeAnswer(.done, to: id)
        let isReady = capabilities.values.contains(where: \.available)
        answer.status = SchemeStatus(paired: true, ready: isReady, capabilities: capabilities)
        return answer
    }
}

extension ReceivedMessage {
    /// What its answer calls it.
    fileprivate var requestID: String {
        if case .message(.run(let request, _)) = content { request.id } else { reply.requestID }
    }
}
#endif
