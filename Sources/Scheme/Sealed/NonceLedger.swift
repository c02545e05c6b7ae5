#if Hub || Pairing
/// Which messages were taken already, and until when that is known: shared by hub and handler, over restarts.
///
/// Points in time are milliseconds since 1970.
package protocol NonceLedger: Sendable {
    /// The latest time that was written down; 0 where none was.
    func last() throws -> Int64

    /// Takes a message whose seal is right, in **one transaction that is on the disk when this returns**, so that
    /// neither another process nor a power cut comes between what is read and what is written.
    ///
    /// 1. The time is the later of `now` and `last`: another process may have written a later one, and forgotten
    ///    nonces by it.
    /// 2. ``NonceRules/isCurrent(_:at:)`` of the expiry, or `.expired`. It is to be told when
    ///    ``NonceRules/isToBeTold(since:at:)`` says so of this app's last one that was, and the time is then written
    ///    down for it; nothing else is.
    /// 3. The nonce is not among this app's, or `.replayed`.
    /// 4. The time is written as the new `last`, and what has expired by it is deleted, of every app: neither is done
    ///    without the other.
    /// 5. Fewer than ``NonceRules/limit`` nonces of this app are left, or `.full`; the nonce and its expiry are
    ///    written.
    func take(
        _ nonce: MessageNonce,
        of app: AppID,
        until expiry: UInt64,
        at now: Int64
    ) throws -> NonceDecision
}

package enum NonceDecision: Hashable, Sendable {
    /// The message may be read. The time is what was written.
    case taken(at: Int64)
    case expired(at: Int64, isToBeTold: Bool)
    case replayed
    case full
}

/// What every ledger goes by.
package enum NonceRules {
    /// Most nonces of one app.
    package static let limit = 4_096
    static let lifetime: UInt64 = 300_000
    static let toldApart: Int64 = 10_000

    /// now < expiry ≤ now + 300,000
    package static func isCurrent(_ expiry: UInt64, at now: Int64) -> Bool {
        guard now >= 0, expiry > UInt64(now) else { return false }
        return expiry - UInt64(now) <= lifetime
    }

    /// Once in 10 s. What was told in a time that is yet to come was told when the clock was wrong.
    package static func isToBeTold(since told: Int64?, at now: Int64) -> Bool {
        told.map { now < $0 || now - $0 >= toldApart } ?? true
    }
}

/// Where the parts of messages wait for the rest, one set an app: shared by hub and handler.
package protocol PartShelf: Sendable {
    /// Takes it away.
    func takeParts(of app: AppID) throws -> PartSet?
    func putParts(_ parts: PartSet, of app: AppID) throws
}
#endif
