#if Hub
import BreezeMail
import BreezeStore
import GRDB

/// The end of a run.
extension IndexRun {
    private static let settledAtOnce = 5_000

    /// Takes out what is missed everywhere.
    func settle() throws {
        while let missed = try write({ try $0.takeMissed(limit: Self.settledAtOnce) }) {
            for place in missed where !place.others.isEmpty && linked.contains(place.message) {
                // It was taken for one more copy when it was found.
                counts.copies -= 1
                if !place.others.contains(place.folder) { counts.moved += 1 }
            }
        }
        while true {
            let (seen, gone) = try write { try $0.removeLoose(limit: Self.settledAtOnce) }
            counts.deleted += gone
            if seen == 0 { break }
        }
        guard !removed.isEmpty else { return }
        try store.writeNow { database in
            for directory in removed {
                try database.execute(sql: "DELETE FROM directory WHERE id = ?", arguments: [directory])
            }
        }
        removed = []
    }
}
#endif
