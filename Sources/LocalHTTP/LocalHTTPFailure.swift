/// Why there is no answer, or only a part of one.
package enum LocalHTTPFailure: Error, Hashable, Sendable {
    /// No connection came about, so nothing was sent: another way may be taken. A clause.
    case notThere(String)
    /// The connection ended before the answer did.
    case cut
    /// What came is no HTTP answer. A clause.
    case malformed(String)
    /// Nothing came for so long.
    case silent(Duration)
    /// The answer is larger than what is taken.
    case tooLarge(limit: Int)

    /// Whether the request certainly did not reach anybody.
    package var isBeforeSending: Bool {
        if case .notThere = self { true } else { false }
    }
}
