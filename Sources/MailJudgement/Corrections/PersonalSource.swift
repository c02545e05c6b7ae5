#if Hub
import BreezeMail
import BreezeMailClassifier
import BreezeMailIndex
import GRDB

/// Changes with everything that ``PersonalSource`` reads.
struct PersonalMark: Equatable {
    private let numbers: [Int64?]

    init(_ database: Database) throws {
        let row = try Row.fetchOne(
            database,
            sql: """
                SELECT (SELECT value FROM fact WHERE name = 'changes'), count(*), max(made), sum(made),
                    sum(length(value)), sum(length(lesson)) FROM correction
                """
        )
        numbers = row.map { row in (0..<row.count).map { index -> Int64? in row[index] } } ?? []
    }
}

/// What the owner said, and whom they write to.
struct PersonalSource {
    let rules: [PersonalJudgement.Rule]
    let lessons: [Lesson]
    let contacts: Set<String>

    /// Of a correction: `yes` or `no` for an address.
    static let contactKind = "contact"

    init(_ database: Database) throws {
        let rows = try Row.fetchAll(database, sql: "SELECT * FROM correction ORDER BY made, kind, key")
        let corrections = rows.map(Correction.init)
        let said = corrections.compactMap { OwnersCorrection($0) }
        rules = said.map(\.rule)
        lessons = said.compactMap(\.lesson)
        var contacts = try Self.writtenTo(database)
        for correction in corrections where correction.kind == Self.contactKind {
            if correction.value == "yes" {
                contacts.insert(correction.key)
            } else {
                contacts.remove(correction.key)
            }
        }
        self.contacts = contacts
    }

    /// Recipients of what the owner sent. The owner is none: who forges a sender likes to take the reader's own address.
    private static func writtenTo(_ database: Database) throws -> Set<String> {
        let folders = try String.fetchAll(database, sql: "SELECT DISTINCT folder FROM directory")
        let sent = folders.filter { SentFolder.names.contains(SentFolder.name(of: $0)) }
        guard !sent.isEmpty else { return [] }
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT sender, recipients, copies FROM text WHERE id IN
                    (SELECT message FROM place JOIN directory ON directory.id = directory
                    WHERE folder IN (\(databaseQuestionMarks(count: sent.count))))
                """,
            arguments: StatementArguments(sent)
        )
        var (own, others): (Set<String>, Set<String>) = ([], [])
        while let row = try rows.next() {
            func addresses(_ column: Int) -> [String] {
                AddressLine.addresses(row[column]).map { $0.address.lowercased() }
            }
            own.formUnion(addresses(0))
            others.formUnion(addresses(1) + addresses(2))
        }
        return others.subtracting(own)
    }
}

/// What mail programs call the folder of what was sent.
private enum SentFolder {
    static let names: Set = [
        "sent", "sent items", "sent messages", "sent mail", "sent-mail", "sentmail", "gesendet",
        "gesendete objekte",
        "gesendete elemente", "envoyés", "éléments envoyés", "messages envoyés", "enviados",
        "elementos enviados",
        "mensajes enviados", "itens enviados", "inviati", "posta inviata", "verzonden", "verzonden items",
        "skickat",
        "skickade", "sendt", "lähetetyt", "wysłane", "odeslaná pošta", "отправленные", "надіслані", "已发送",
        "送信済み",
    ]

    static func name(of folder: String) -> String {
        folder.split { $0 == "/" || $0 == "." }.last.map { $0.lowercased() } ?? ""
    }
}
#endif
