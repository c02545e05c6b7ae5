import BreezeCore
import BreezeSecrets
import BreezeTestSupport
import Foundation
import Synchronization
import Testing

@Suite struct `The sealed file` {
    private static let value = "marker-7d1e"

    private func filled() async throws -> Fixture {
        let fixture = try Fixture()
        _ = try await fixture.secrets.set(.brave, to: [Self.value])
        return fixture
    }

    private func refusal(_ fixture: Fixture) async throws -> BreezeError {
        let error = try #require(
            await #expect(throws: BreezeError.self) { try await fixture.secrets.credential(for: .brave) }
        )
        #expect(!"\(error)".contains("marker"))
        #expect(error.remedy != nil)
        // Nothing is written over what cannot be read.
        await #expect(throws: BreezeError.self) { try await fixture.secrets.set(.openAI, to: ["x"]) }
        #expect(await fixture.secrets.stores().map(\.state) == [.absent, .broken])
        return error
    }

    @Test func `is its owner's alone, as are the key and the folder`() async throws {
        let fixture = try await filled()
        #expect(try mode(of: fixture.folder) == 0o700)
        for name in try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path) {
            #expect(try mode(of: fixture.folder.appending(path: name)) == 0o600, "\(name)")
        }
    }

    @Test func `holds no value as it is`() async throws {
        let fixture = try await filled()
        for name in try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path) {
            let bytes = try Data(contentsOf: fixture.folder.appending(path: name))
            #expect(bytes.range(of: Data(Self.value.utf8)) == nil, "\(name)")
            #expect(bytes.range(of: Data("brave".utf8)) == nil, "\(name)")
        }
    }

    @Test func `is sealed anew each time, and with the same key`() async throws {
        let fixture = try await filled()
        let (box, key) = (try Data(contentsOf: fixture.box), try Data(contentsOf: fixture.key))
        _ = try await fixture.secrets.set(.brave, to: [Self.value])
        #expect(try Data(contentsOf: fixture.key) == key)
        #expect(try Data(contentsOf: fixture.box) != box)
        #expect(key.count == 32)
    }

    // MARK: - Refusals

    @Test(arguments: [("box", 0o640), ("box", 0o604), ("key", 0o644), ("folder", 0o750), ("folder", 0o701)])
    func `what others may open is refused`(_ part: String, _ mode: Int) async throws {
        let fixture = try await filled()
        let file = part == "box" ? fixture.box : part == "key" ? fixture.key : fixture.folder
        try setMode(mode, of: file)
        let error = try await refusal(fixture)
        #expect(error.code == .invalidFile)
        #expect(error.message.contains("is open to other users (mode 0\(String(mode, radix: 8)))"))
        #expect(error.remedy?.contains("chmod") == true)
        try setMode(part == "folder" ? 0o700 : 0o600, of: file)
    }

    @Test(
        .enabled(if: geteuid() == 0, "only root can give a file away"),
        arguments: ["box", "key", "folder"]
    )
    func `what belongs to another user is refused`(_ part: String) async throws {
        let fixture = try await filled()
        let file = part == "box" ? fixture.box : part == "key" ? fixture.key : fixture.folder
        #expect(chown(file.path, 1, 1) == 0)
        #expect(try await refusal(fixture).message.contains("belongs to another user"))
    }

    @Test(arguments: ["box", "key", "folder"])
    func `a link is refused`(_ part: String) async throws {
        let fixture = try await filled()
        let file = part == "box" ? fixture.box : part == "key" ? fixture.key : fixture.folder
        let elsewhere = fixture.scratch.url.appending(path: "elsewhere")
        try FileManager.default.moveItem(at: file, to: elsewhere)
        try FileManager.default.createSymbolicLink(at: file, withDestinationURL: elsewhere)
        #expect(try await refusal(fixture).message.contains("is a link"))
    }

    @Test func `a folder in the file's place is refused`() async throws {
        let fixture = try await filled()
        try FileManager.default.removeItem(at: fixture.box)
        try FileManager.default.createDirectory(at: fixture.box, withIntermediateDirectories: false)
        try setMode(0o700, of: fixture.box)
        #expect(try await refusal(fixture).message.contains("is no regular file"))
    }

    @Test func `every changed byte and every cut is noticed`() async throws {
        let fixture = try await filled()
        let whole = try Data(contentsOf: fixture.box)
        let store = SealedFileStore(folder: fixture.folder)
        for index in whole.indices {
            var changed = whole
            changed[index] ^= 1
            try changed.write(to: fixture.box)
            try setMode(0o600, of: fixture.box)
            #expect(throws: BreezeError.self, "byte \(index)") { try store.read(.brave) }
        }
        for count in 0..<whole.count {
            try whole.prefix(count).write(to: fixture.box)
            try setMode(0o600, of: fixture.box)
            #expect(throws: BreezeError.self, "cut at \(count)") { try store.read(.brave) }
        }
        #expect(try await refusal(fixture).message.contains("was changed"))
        try whole.write(to: fixture.box)
        try setMode(0o600, of: fixture.box)
        #expect(try store.read(.brave)?.map { $0.reveal() } == [Self.value])
    }

    @Test(arguments: [
        ([UInt8](repeating: 7, count: 32), "another key"), ([1, 2, 3], "not of 32 bytes"), (nil, "missing"),
    ])
    func `another key, half a key and none are refused`(_ key: [UInt8]?, _ words: String) async throws {
        let fixture = try await filled()
        try FileManager.default.removeItem(at: fixture.key)
        if let key {
            try Data(key).write(to: fixture.key)
            try setMode(0o600, of: fixture.key)
        }
        #expect(try await refusal(fixture).message.contains(words))
    }

    // MARK: - Writers

    @Test func `a crash between writing and renaming leaves what was there before`() async throws {
        let fixture = try await filled()
        let crashed = fixture.scratch.url.appending(path: "crashed")
        let copied = Mutex(false)
        // What the disk holds at that moment is what a crash leaves.
        let writer = SealedFileStore(folder: fixture.folder) { _ in
            try FileManager.default.copyItem(at: fixture.folder, to: crashed)
            copied.withLock { $0 = true }
        }
        try writer.write(.brave, [try Secret("newer", named: "It")])
        #expect(copied.withLock { $0 })
        let left = try FileManager.default.contentsOfDirectory(atPath: crashed.path)
        #expect(left.count == 4)
        let after = SealedFileStore(folder: crashed)
        #expect(try after.read(.brave)?.map { $0.reveal() } == [Self.value])
        try after.write(.openAI, [try Secret("other", named: "It")])
        #expect(try after.names() == ["brave", "openai"])
        let names = try FileManager.default.contentsOfDirectory(atPath: crashed.path).sorted()
        #expect(names == ["key", "lock", "secrets.sealed"])
    }

    @Test func `a crash before the first key is in its place leaves nothing that is in the way`() throws {
        struct Crash: Error {}
        let scratch = try ScratchFolder()
        let folder = scratch.url.appending(path: "secrets")
        let crashing = SealedFileStore(folder: folder) { name in
            if name == SealedFileStore.fileName { throw Crash() }
        }
        #expect(throws: Crash.self) { try crashing.write(.brave, [try Secret("one", named: "It")]) }
        let store = SealedFileStore(folder: folder)
        #expect(try store.read(.brave) == nil)
        try store.write(.brave, [try Secret("two", named: "It")])
        #expect(try store.read(.brave)?.map { $0.reveal() } == ["two"])
    }

    @Test func `writers at once lose none of each other's`() async throws {
        let scratch = try ScratchFolder()
        let folder = scratch.url.appending(path: "secrets")
        let names = (0..<12).map { "name-\($0)" }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for name in names {
                group.addTask {
                    // A service each, as another process would have.
                    let secrets = SecretsService(
                        environment: [:],
                        system: ScriptedStore(.absent("none")),
                        sealed: SealedFileStore(folder: folder)
                    )
                    _ = try await secrets.set(try .custom(name), to: [name])
                }
            }
            try await group.waitForAll()
        }
        let store = SealedFileStore(folder: folder)
        #expect(try store.names() == names.map { "custom:\($0)" }.sorted())
        for name in names { #expect(try store.read(.custom(name))?.map { $0.reveal() } == [name]) }
    }

    @Test func `who waits too long for another writer is told`() throws {
        let scratch = try ScratchFolder()
        let folder = scratch.url.appending(path: "secrets")
        let outer = SealedFileStore(folder: folder) { _ in
            let inner = SealedFileStore(folder: folder, patience: .zero)
            let error = #expect(throws: BreezeError.self) {
                try inner.write(.openAI, [try Secret("x", named: "It")])
            }
            #expect(error?.code == .busy)
        }
        try outer.write(.brave, [try Secret("x", named: "It")])
    }
}
