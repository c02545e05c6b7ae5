#if Hub
package import BreezeCore

/// What became of one URL, for the log and for whoever handed it over. Holds no prompt; the URL holds an answer.
package struct SchemeOutcome: Sendable {
    package enum Delivery: Hashable, Sendable {
        /// Nobody was told anything.
        case nothing
        /// This URL was opened.
        case url(String)
        /// The answer went to the socket where a process waited for it.
        case socket
    }

    package let delivery: Delivery
    /// Why the URL was not taken, or what was asked for not done; where nothing was delivered, only this place knows.
    package let error: BreezeError?

    init(_ delivery: Delivery, error: BreezeError? = nil) {
        self.delivery = delivery
        self.error = error
    }
}
#endif
