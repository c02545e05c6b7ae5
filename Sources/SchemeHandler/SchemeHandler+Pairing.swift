#if Hub
import BreezeCore
import BreezeScheme
import BreezeSchemeStore
import Foundation

extension SchemeHandler {
    /// The answer to a hello is the offer: it needs no yes, and shows the owner nothing.
    func begin(_ hello: PairingHello) async throws -> SchemeOutcome {
        let offer = try await store.perform { try $0.begin(hello, at: self.now) }
        return try await tell(offer, to: hello.callback)
    }

    /// Shows the owner the code, once an app showed what it had committed to.
    func compare(_ reveal: [UInt8]) async throws -> SchemeOutcome {
        let revealed = try await store.perform { try $0.reveal(reveal, at: self.now) }
        let app = revealed.question.app
        let answer = await answer(to: .pair(PairQuestion(revealed)), within: HubPairing.decisionWithin)
        let hello = revealed.question.hello
        guard answer == .pair, !Task.isCancelled else {
            let refusal = try await store.perform { try $0.refusePairing(app, at: self.now) }
            guard let (answer, callback) = refusal else {
                return SchemeOutcome(.nothing, error: SchemeFault.pairing("another one took its place"))
            }
            return try await tell(answer, to: callback)
        }
        let paired: HubPairing.Paired
        do {
            paired = try await store.perform { try $0.approve(app, at: self.now) }
        } catch {
            return try await tell(.failed(Self.told(error), to: hello.requestID), to: hello.callback)
        }
        return await open(try paired.app.callback.answer(paired.envelope.bytes), nil)
    }
}
#endif
