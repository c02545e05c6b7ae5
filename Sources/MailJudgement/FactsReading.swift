#if Hub
package import BreezeCore
package import BreezeMailClassifier
package import BreezeMailIndex

/// What reads messages that are to be judged, which is left to another process: they were written by strangers.
package protocol FactsReading: Sendable {
    /// One answer for each message of the order.
    /// - Throws: ``BreezeError``: `unavailable` where it cannot be asked, `run_failed` where it broke down.
    func facts(_ order: FactsOrder) async throws -> [Result<MailFacts, BreezeError>]
}
#endif
