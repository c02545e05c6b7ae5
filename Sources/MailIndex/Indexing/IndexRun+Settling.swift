#if Hub
import BreezeMail
import BreezeStore
import GRDB

/// The end of a run.
extension IndexRun {
    private static let settledAtOnce = 5_000

    /// Takes out what is missed everywhere.
    func settle() throws {
        while let missed = try store.writeNow({
            try IndexWriter(database: $0).takeMissed(limit: Self.settledAtOnce)
        }) {
            for place in missed where !place.others.isEmpty && linked.contains(place.message) {
                // It was taken for one more copy when it was found.
                counts.copies -= 1
                if !place.others.contains(place.folder) { counts.moved += 1 }
            }
        }
        while true {
            let (seen, gone) = try store.writeNow {
                try IndexWriter(database: $0).removeLoose(limit: Self.settledAtOnce)
            }
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

    /// Has all messages put into threads anew where one came or went: a message may join threads that stood apart.
    func thread() throws {
        guard let assign = settings.threading else { return }
        let isOpen = try store.readNow { database in
            try Bool.fetchOne(database, sql: "SELECT EXISTS (SELECT 1 FROM message WHERE thread IS NULL)")
                ?? false
        }
        guard isOpen || counts.deleted > 0 else { return }
        let (members, before) = try store.readNow { try Self.members($0) }
        var threads: [Int64: Int64] = [:]
        for group in assign(members) {
            guard let first = group.min() else { continue }
            for message in group { threads[message] = first }
        }
        try store.writeNow { database in
            let update = try database.cachedStatement(sql: "UPDATE message SET thread = ? WHERE id = ?")
            for member in members {
                let thread = threads[member.id] ?? member.id
                if before[member.id] != thread { try update.execute(arguments: [thread, member.id]) }
            }
            try database.execute(
                sql: """
                    DELETE FROM thread;
                    INSERT INTO thread SELECT thread,
                        (SELECT baseSubject FROM message AS own WHERE own.id = message.thread),
                        count(*), min(date), max(date)
                    FROM message GROUP BY thread
                    """
            )
        }
    }

    private static func members(_ database: Database) throws -> ([ThreadMember], [Int64: Int64]) {
        var members: [ThreadMember] = []
        var before: [Int64: Int64] = [:]
        let rows = try Row.fetchCursor(
            database,
            sql:
                "SELECT id, messageID, refs, inReplyTo, baseSubject, isReply, date, thread FROM message ORDER BY id"
        )
        while let row = try rows.next() {
            var subject = BaseSubject("")
            (subject.text, subject.isReply) = (row[4], row[5])
            let member = ThreadMember(
                id: row[0],
                messageID: row[1],
                references: (row[2] as String).split(separator: "\n").map(String.init),
                inReplyTo: (row[3] as String).split(separator: "\n").map(String.init),
                subject: subject,
                date: row[6]
            )
            before[member.id] = row[7]
            members.append(member)
        }
        return (members, before)
    }
}
#endif
