import BreezeCore
import BreezeHub
import BreezeMail
import BreezeMailClassifier
import BreezeMailIndex
import BreezeMailJudgement

/// What the hub has read of mail: the same program that reads it for the command line.
struct HubMail: MailReading {
    func index(
        _ order: IndexOrder,
        _ progress: @escaping @Sendable (IndexProgress) -> Void
    ) async throws -> IndexReport {
        try await MailIndexerProcess().index(order, progress)
    }

    func page(_ order: PageOrder) async throws -> MailPage {
        try await MailIndexerProcess().page(order)
    }

    func facts(_ order: FactsOrder) async throws -> [Result<MailFacts, BreezeError>] {
        try await MailIndexerProcess().facts(order)
    }

    var encoderRemedy: String { Remedies.noRunner(for: .embedding) }
}
