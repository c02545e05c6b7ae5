#if Hub || Pairing
public import BreezeCore
import BreezeKit
import BreezeScheme
import Synchronization

extension HubScheme {
    /// Pairs the app, which the user began: Breeze and the app show one code, and both are said yes to. Once in a minute;
    /// a pairing that there was is replaced.
    /// - Parameters:
    ///   - capabilities: What the owner is asked for.
    ///   - network: Whether the hub's network runners may answer, too, where the owner consented to them.
    ///   - compare: Shows the code to the app's own person, *does Breeze show 647 516?*, tells that Breeze is to be opened
    ///     for it, and returns the answer. Where there is nothing to compare any more, its task is cancelled.
    /// - Returns: What the owner granted.
    /// - Throws: ``BreezeError`` `.pairingFailed`, `.approvalRefused`, `.timeout`, and what the hub says.
    ///   ``NothingSent`` where no app opens `breezeapp://`.
    @discardableResult
    public func pair(
        asking capabilities: [AICapability] = [
            .chat, .vlm, .embedding, .classification, .asr, .tts, .guardian,
        ],
        network: Bool = false,
        compare: @escaping @Sendable (_ code: String) async -> Bool
    ) async throws -> Set<AICapability> {
        let reach: SchemeReach = network ? .networkAllowed : .onDevice
        let asked = Dictionary(capabilities.map { ($0, reach) }) { first, _ in first }
        let attempt = try begin(asked)
        defer { state.withLock { $0.attempt = nil } }
        let paired = try await attempt.run(
            now: { [self] in now },
            opening: { [self] in try await openFirst($0.written()) },
            compare: compare
        )
        let pairing = SchemePairing(paired, callback: callback)
        try await store.save(pairing)
        state.withLock { $0.session = pairing.session }
        return pairing.capabilities
    }

    /// Forgets the pairing; the owner withdraws it in Breeze. From then on the app is one that was never paired.
    public func unpair() async throws {
        try await store.remove()
        state.withLock { $0.session = nil }
    }

    private func begin(_ asked: [AICapability: SchemeReach]) throws(BreezeError) -> PairingAttempt {
        try state.withLock { state throws(BreezeError) in
            guard state.attempt == nil else { throw PairingFault.running }
            let now = now
            let pairing = try AppPairing(
                name: appName,
                callback: callback,
                asked: asked,
                at: now,
                last: state.lastAttempt
            )
            let attempt = PairingAttempt(pairing, clock: clock)
            (state.attempt, state.lastAttempt) = (attempt, now)
            return attempt
        }
    }
}
#endif
