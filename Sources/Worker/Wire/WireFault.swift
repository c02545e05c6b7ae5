import BreezeCore

/// Bytes that the protocol does not allow. Whoever meets one ends the connection: what follows cannot be trusted.
struct WireFault: Error, Hashable {
    let reason: String

    init(_ reason: String) {
        self.reason = reason
    }
}
