#if Hub
import BreezeCore
import BreezeStore
import BreezeTestSupport
import Foundation
import GRDB
import Testing

@Suite struct DamageTests {
    let place: Place

    init() throws { place = try Place() }

    /// What a power cut leaves: the files as they are while somebody writes.
    private func crashed() async throws -> Place {
        let store = try place.open()
        for index in 0..<400 {
            try await Notes.add("note \(index) " + String(repeating: "x", count: 200), to: store)
        }
        let after = try Place()
        try FileManager.default.createDirectory(
            at: after.folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        for name in ["notes.sqlite", "notes.sqlite-wal"] {
            try FileManager.default.copyItem(
                at: place.folder.appending(path: name),
                to: after.folder.appending(path: name)
            )
        }
        try store.close()
        return after
    }

    private func overwrite(_ file: URL, at offset: UInt64, _ bytes: [UInt8]) throws {
        let handle = try FileHandle(forWritingTo: file)
        try handle.seek(toOffset: offset)
        try handle.write(contentsOf: bytes)
        try handle.close()
    }

    @Test func `what was written is there after a crash`() async throws {
        let after = try await crashed()
        let store = try after.open()
        #expect(store.movedAside == nil)
        #expect(try await Notes.texts(in: store).count == 400)
    }

    @Test func `a log that was cut short gives what was whole`() async throws {
        let after = try await crashed()
        let log = after.folder.appending(path: "notes.sqlite-wal")
        let bytes = try Data(contentsOf: log)
        try #require(bytes.count > 20_000)
        try bytes.prefix(bytes.count - 5_000).write(to: log)
        try setMode(0o600, of: log.path)
        let store = try after.open()
        let texts = try await Notes.texts(in: store)
        #expect(store.movedAside == nil)
        #expect(!texts.isEmpty && texts.count < 400)
        #expect(texts.enumerated().allSatisfy { $1.hasPrefix("note \($0) ") })
    }

    @Test func `a file that is none is moved aside, as it was, and said`() async throws {
        try place.open().close()
        let rubbish = Array(
            "this is no database, and it is longer than the header of one, which has 100 bytes".utf8
        )
        try overwrite(place.file, at: 0, rubbish)
        let before = try Data(contentsOf: place.file)
        let store = try place.open()
        let aside = try #require(store.movedAside)
        #expect(aside.url.lastPathComponent == "notes.sqlite.damaged-20260131T120000Z")
        #expect(try Data(contentsOf: aside.url) == before)
        #expect(aside.notice(of: "the notes").contains(aside.url.path))
        try await Notes.add("new", to: store)
        #expect(try await Notes.texts(in: store) == ["new"])
        try store.close()
        // A second one at the same moment does not take the first one's place.
        try overwrite(place.file, at: 0, rubbish)
        let again = try place.open()
        #expect(again.movedAside?.url.lastPathComponent == "notes.sqlite.damaged-20260131T120000Z-2")
    }

    @Test func `pages that a crash has spoilt are found when it is opened`() async throws {
        let after = try await crashed()
        // Take the log in, so that the pages are in the file, then leave another log behind.
        let queue = try DatabaseQueue(path: after.file.path)
        try await queue.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        try await queue.write { try $0.execute(sql: "INSERT INTO note (text) VALUES ('last')") }
        let log = try Data(contentsOf: after.folder.appending(path: "notes.sqlite-wal"))
        try queue.close()
        try log.write(to: after.folder.appending(path: "notes.sqlite-wal"))
        let size = try Data(contentsOf: after.file).count
        try overwrite(after.file, at: UInt64(size / 2), [UInt8](repeating: 0xA5, count: 8_192))
        let store = try after.open()
        #expect(store.movedAside != nil)
        #expect(try await Notes.texts(in: store) == [])
    }

    @Test func `damage that shows in use is looked into at the next start`() async throws {
        let store = try place.open()
        for index in 0..<400 {
            try await Notes.add("\(index) " + String(repeating: "x", count: 200), to: store)
        }
        try store.close()
        let size = try Data(contentsOf: place.file).count
        try overwrite(place.file, at: UInt64(size / 2), [UInt8](repeating: 0xA5, count: 8_192))
        let damaged = try place.open()
        #expect(damaged.movedAside == nil)
        let error = await #expect(throws: BreezeError.self) { try await Notes.texts(in: damaged) }
        #expect(error?.code == .invalidFile)
        #expect(error?.remedy?.contains("moves the damaged file aside") == true)
        try damaged.close()
        let mended = try place.open()
        #expect(mended.movedAside != nil)
        #expect(try await Notes.texts(in: mended) == [])
    }

    @Test func `a file that somebody works with is not moved`() async throws {
        let store = try place.open()
        try await Notes.add("a", to: store)
        try overwrite(place.file, at: 0, Array("rubbish rubbish rubbish".utf8))
        _ = try? place.open()
        #expect(place.names.allSatisfy { !$0.contains("damaged") })
        _ = try? store.close()
    }
}
#endif
