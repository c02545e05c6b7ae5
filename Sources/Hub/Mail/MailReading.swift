#if Hub
package import BreezeMail
package import BreezeMailIndex
package import BreezeMailJudgement

/// What reads mail where it lies, which the hub leaves to others: it was written by strangers.
package protocol MailReading: FactsReading {
    /// Brings an index up to what lies in the order's places. Ends with its task.
    /// - Throws: ``BreezeError`` as the index's own run.
    func index(
        _ order: IndexOrder,
        _ progress: @escaping @Sendable (IndexProgress) -> Void
    ) async throws -> IndexReport

    /// One message as its sender laid it out, less all that a page of a stranger must not do.
    /// - Throws: ``BreezeError``: `not_found` where it lies there no more, `timeout` where it takes too long.
    func page(_ order: PageOrder) async throws -> MailPage

    /// What to do where no encoder is installed.
    var encoderRemedy: String { get }
}
#endif
