/// Thrown by a way that was not taken: nothing was sent, so that the next way may be tried. Whatever else a
/// way throws is the answer, since the request may have run.
public struct NothingSent: Error, Hashable, Sendable {
    /// A sentence for the person who looks why the hub is not used.
    public let reason: String
    /// What would open the way; `nil` where nothing does.
    public let remedy: String?

    public init(_ reason: String, remedy: String? = nil) {
        self.reason = reason
        self.remedy = remedy
    }
}
