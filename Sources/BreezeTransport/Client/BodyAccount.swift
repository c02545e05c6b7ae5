import Synchronization

/// What the ledger is told of one body; its first end counts.
package final class BodyAccount: Sendable {
    private let entry: Mutex<EgressEntry?>
    private let ledger: EgressLedger?

    package init(_ entry: EgressEntry?, _ ledger: EgressLedger?) {
        self.entry = Mutex(entry)
        self.ledger = ledger
    }

    package func add(_ bytes: Int) {
        entry.withLock { $0?.bytesDown += Int64(bytes) }
    }

    package func end(_ outcome: EgressEntry.Outcome) async {
        let ended: EgressEntry? = entry.withLock { entry in
            defer { entry = nil }
            entry?.outcome = outcome
            return entry
        }
        if let ended { await ledger?.end(ended) }
    }
}
