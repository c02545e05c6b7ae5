#if Hub
package import BreezeCore
package import BreezeScheme

/// An app that was paired, as the owner sees it. Its keys are not in it.
package struct SchemeApp: Hashable, Sendable, Identifiable {
    package let id: AppID
    /// As the app calls itself.
    package let name: String
    /// Where its answers go; fixed at pairing.
    package let callback: CallbackScheme
    /// By capability, as it was spelled.
    package let granted: [String: SchemeReach]
    package let paired: Int64
    package let revoked: Int64?
    let uses: Int64

    /// After as many envelopes of one direction two nonces are the same with a chance of 2⁻³³.
    static let useLimit: Int64 = 1 << 32

    /// The owner withdrew it, or its keys were used as often as they may be.
    package var isOver: Bool { revoked != nil || uses >= Self.useLimit }

    /// How far it may go; `nil` where it may not begin. `vlm` and `vision` are one: the lesser of the two holds.
    package func reach(for capability: AICapability) -> SchemeReach? {
        let reaches = granted.filter { AICapability(rawValue: $0.key) == capability }.values
        return reaches.contains(.onDevice) ? .onDevice : reaches.first
    }
}
#endif
