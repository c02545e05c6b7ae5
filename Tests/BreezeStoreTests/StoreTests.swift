#if Hub
import BreezeCore
import BreezeStore
import BreezeTestSupport
import Foundation
import GRDB
import Testing

/// Notes of a made-up feature, in its first release and in its second.
enum Notes {
    static let first: StoreSchema.Step = {
        try $0.execute(sql: "CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT)")
    }
    static let second: StoreSchema.Step = { database in
        try database.execute(
            sql: "ALTER TABLE note ADD COLUMN mood TEXT NOT NULL DEFAULT 'calm';"
                + "CREATE TABLE tag (note INTEGER NOT NULL REFERENCES note (id), name TEXT)"
        )
    }
    static let version1 = StoreSchema("the notes", steps: [first])
    static let version2 = StoreSchema("the notes", steps: [first, second])

    static func add(_ text: String, to store: Store) async throws {
        try await store.write { try $0.execute(sql: "INSERT INTO note (text) VALUES (?)", arguments: [text]) }
    }

    static func texts(in store: Store) async throws -> [String] {
        try await store.read { try String.fetchAll($0, sql: "SELECT text FROM note ORDER BY id") }
    }
}

/// A folder that is made by the store, in one that is the test's.
struct Place {
    let scratch: ScratchFolder
    let folder: URL
    let file: URL

    init() throws {
        scratch = try ScratchFolder()
        folder = scratch.url.appending(path: "home/notes")
        file = folder.appending(path: "notes.sqlite")
    }

    func open(_ schema: StoreSchema = Notes.version2) throws -> Store {
        // 2026-01-31 12:00:00 UTC.
        try Store.open(file, schema: schema, now: { Date(timeIntervalSince1970: 1_769_860_800) })
    }

    var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
    }
}

func mode(of path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? -1
}

func setMode(_ mode: Int, of path: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
}

@Suite struct StoreTests {
    let place: Place

    init() throws { place = try Place() }

    @Test func `the file, what lies beside it and the folder are their owner's alone`() async throws {
        let store = try place.open()
        try await Notes.add("a", to: store)
        #expect(try mode(of: place.folder.path) == 0o700)
        #expect(place.names == ["notes.sqlite", "notes.sqlite-shm", "notes.sqlite-wal", "notes.sqlite.lock"])
        for name in place.names { #expect(try mode(of: place.folder.appending(path: name).path) == 0o600) }
        try store.close()
    }

    @Test func `closing a second time does nothing`() throws {
        let store = try place.open()
        try store.close()
        try store.close()
    }

    @Test(arguments: [("", 0o750, "chmod 700"), ("/notes.sqlite", 0o644, "chmod 600")])
    func `what others may look into is refused`(path: String, mode: Int, remedy: String) throws {
        try place.open().close()
        try setMode(mode, of: place.folder.path + path)
        let error = #expect(throws: BreezeError.self) { try place.open() }
        #expect(error?.code == .inputOutput)
        #expect(error?.remedy?.contains(remedy) == true)
    }

    @Test func `a link in the file's place is not followed`() throws {
        try place.open().close()
        let elsewhere = place.scratch.url.appending(path: "elsewhere.sqlite")
        try FileManager.default.moveItem(at: place.file, to: elsewhere)
        try FileManager.default.createSymbolicLink(at: place.file, withDestinationURL: elsewhere)
        let error = #expect(throws: BreezeError.self) { try place.open() }
        #expect(error?.message.contains("is a link") == true)
    }

    @Test func `changes are logged ahead, durable, and foreign keys hold`() async throws {
        let store = try place.open()
        let pragmas = try await store.write { database in
            try ["journal_mode", "synchronous", "foreign_keys", "busy_timeout"].map {
                try String.fetchOne(database, sql: "PRAGMA \($0)")
            }
        }
        // 2 is FULL.
        #expect(pragmas == ["wal", "2", "1", "5000"])
        await #expect(throws: BreezeError.self) {
            try await store.write { try $0.execute(sql: "INSERT INTO tag VALUES (7, 'x')") }
        }
    }

    @Test func `a write that throws leaves nothing`() async throws {
        let store = try place.open()
        let error = await #expect(throws: BreezeError.self) {
            try await store.write { database in
                try database.execute(sql: "INSERT INTO note (text) VALUES ('half')")
                throw BreezeError(.cancelled, "no")
            }
        }
        #expect(error?.code == .cancelled)
        #expect(try await Notes.texts(in: store) == [])
    }

    // MARK: - Versions

    @Test func `a file of the first release keeps what it holds`() async throws {
        let old = try place.open(Notes.version1)
        try await Notes.add("kept", to: old)
        try old.close()
        let new = try place.open()
        let row = try await new.read { try String.fetchAll($0, sql: "SELECT text || ', ' || mood FROM note") }
        #expect(row == ["kept, calm"])
        #expect(try await new.read { try Int.fetchOne($0, sql: "PRAGMA user_version") } == 2)
    }

    @Test func `a file of a later release is left alone`() async throws {
        let new = try place.open(Notes.version2)
        try await Notes.add("later", to: new)
        try new.close()
        let before = try Data(contentsOf: place.file)
        let error = #expect(throws: BreezeError.self) { try place.open(Notes.version1) }
        #expect(error?.code == .newerSchema)
        #expect(error?.message.contains("version 2, and this Breeze knows version 1") == true)
        #expect(error?.remedy?.contains("Update Breeze") == true)
        #expect(try Data(contentsOf: place.file) == before)
    }

    @Test func `a step that fails leaves the file at the version before`() async throws {
        let broken = StoreSchema(
            "the notes",
            steps: [
                Notes.first,
                { database in
                    try database.execute(sql: "CREATE TABLE half (id INTEGER)")
                    throw BreezeError(.internalError, "broken step")
                },
            ]
        )
        #expect(throws: BreezeError.self) { try place.open(broken) }
        let store = try place.open(Notes.version1)
        let tables = try await store.read { try String.fetchAll($0, sql: "SELECT name FROM sqlite_master") }
        #expect(tables == ["note"])
    }

    @Test func `another program's database is left alone`() throws {
        try place.open().close()
        try FileManager.default.removeItem(at: place.file)
        let theirs = try DatabaseQueue(path: place.file.path)
        try theirs.write { try $0.execute(sql: "CREATE TABLE bookmark (url TEXT)") }
        try theirs.close()
        try setMode(0o600, of: place.file.path)
        let error = #expect(throws: BreezeError.self) { try place.open() }
        #expect(error?.message.contains("another program's") == true)
    }

    // MARK: - Several at once

    @Test func `two see each other's changes, and each notices the other's`() async throws {
        let (one, two) = (try place.open(), try place.open())
        let before = try await one.foreignChanges()
        try await Notes.add("mine", to: one)
        #expect(try await one.foreignChanges() == before)
        try await Notes.add("theirs", to: two)
        #expect(try await one.foreignChanges() != before)
        #expect(try await Notes.texts(in: one) == ["mine", "theirs"])
        try two.close()
        try await Notes.add("after", to: one)
        #expect(try await Notes.texts(in: one) == ["mine", "theirs", "after"])
    }

    @Test func `twenty that open at once make one file`() async throws {
        let place = place
        try await withThrowingTaskGroup { group in
            for index in 0..<20 {
                group.addTask {
                    let store = try place.open()
                    try await Notes.add("\(index)", to: store)
                    try store.close()
                }
            }
            try await group.waitForAll()
        }
        let texts = try await Notes.texts(in: try place.open())
        #expect(Set(texts) == Set((0..<20).map { "\($0)" }))
    }

    @Test func `a backup is whole, in one file, and replaces nothing`() async throws {
        let store = try place.open()
        for index in 0..<50 { try await Notes.add("\(index)", to: store) }
        let folder = place.scratch.url.appending(path: "backups")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        let target = folder.appending(path: "notes.sqlite")
        try await store.backup(to: target)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["notes.sqlite"])
        #expect(try mode(of: target.path) == 0o600)
        let copy = try DatabaseQueue(path: target.path)
        #expect(try await copy.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM note") } == 50)
        #expect(try await copy.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") } == "ok")
        try copy.close()
        await #expect(throws: BreezeError.self) { try await store.backup(to: target) }
    }
}
#endif
