import BreezeCore
import BreezeTestSupport
import Foundation
import Testing

@testable import BreezeModels

@Suite struct ModelStoreUpkeepTests {
    private let folder: ScratchFolder
    private let home: URL
    private let store: ModelStore

    init() throws {
        folder = try ScratchFolder()
        home = folder.url.appending(path: "home")
        store = ModelStore(home: home)
    }

    private func install(_ seed: UInt64, as id: String, _ options: ImportOptions = ImportOptions())
        async throws
        -> ModelManifest
    {
        var options = options
        options.id = id
        let file = try TinyQwen3(seed: seed).write(to: folder, under: "\(UUID()).gguf")
        return try await store.importModel(from: file, options).manifest
    }

    private func blob(_ manifest: ModelManifest) throws -> URL {
        store.layout.blob(try #require(manifest.files.first).sha256)
    }

    private func spoil(_ url: URL) throws {
        let handle = try FileHandle(forUpdating: url)
        try handle.seek(toOffset: 5_000)
        try handle.write(contentsOf: Data([1, 2, 3]))
        try handle.close()
    }

    @Test func `verify hashes every file, and names the one that is not what was installed`() async throws {
        let manifest = try await install(1, as: "a")
        #expect(
            try await store.verify("a")
                == VerificationReport(id: "a", files: 1, bytes: manifest.info.size, faults: [])
        )
        try spoil(try blob(manifest))
        let report = try await store.verify("a")
        #expect(report.faults.map(\.file) == manifest.files.map(\.name))
        #expect(report.faults.first?.expected == manifest.files.first?.sha256)
        #expect(report.faults.first?.found != manifest.files.first?.sha256)
    }

    @Test func `a file that was written to is hashed again, one that was touched only once`() async throws {
        let manifest = try await install(1, as: "a")
        #expect(try await store.verifyChanged(manifest).files == 0)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1_000)],
            ofItemAtPath: try blob(manifest).path
        )
        let touched = try await store.verifyChanged(manifest)
        #expect(touched.files == 1 && touched.isIntact)
        #expect(try await store.verifyChanged(manifest).files == 0)
        try spoil(try blob(manifest))
        #expect(try await !store.verifyChanged(manifest).isIntact)
        // It stays refused.
        #expect(try await !store.verifyChanged(manifest).isIntact)
    }

    @Test func `a replaced model can be brought back, and the newer one after it`() async throws {
        let first = try await install(1, as: "a")
        let error = await #expect(throws: BreezeError.self) { try await install(2, as: "a") }
        #expect(error?.code == .invalidParameter)
        let second = try await install(2, as: "a", ImportOptions(replaces: true))
        #expect(try store.manifest(for: "a") == second)
        #expect(try await store.rollback("a") == first)
        #expect(try store.manifest(for: "a") == first)
        #expect(try await store.verify("a").isIntact)
        #expect(try await store.rollback("a") == second)
        let usage = try store.usage()
        #expect(usage.previous == first.info.size)
        #expect(try await store.prune() >= first.info.size)
        let gone = await #expect(throws: BreezeError.self) { try await store.rollback("a") }
        #expect(gone?.code == .invalidParameter)
        #expect(try store.usage().previous == 0)
    }

    @Test func `what fails in a replacement leaves the old model as it was`() async throws {
        let first = try await install(1, as: "a")
        let small = ModelStore(home: home, freeBytes: { _ in 1_000 })
        let file = try TinyQwen3(seed: 2).write(to: folder, under: "new.gguf")
        await #expect(throws: BreezeError.self) {
            try await small.importModel(from: file, ImportOptions(id: "a", replaces: true))
        }
        #expect(try store.manifest(for: "a") == first)
        #expect(try await store.verify("a").isIntact)
    }

    @Test func `usage counts shared files once and says what each removal gives back`() async throws {
        let file = try TinyQwen3(seed: 3).write(to: folder)
        let one = try await store.importModel(from: file, ImportOptions(id: "one")).manifest
        _ = try await store.importModel(from: file, ImportOptions(id: "two"))
        let other = try await install(4, as: "other")
        let usage = try store.usage()
        #expect(usage.models.map(\.id) == ["one", "other", "two"])
        #expect(usage.models.map(\.bytes) == [one.info.size, other.info.size, one.info.size])
        #expect(usage.models.map(\.ownBytes) == [0, other.info.size, 0])
        #expect(usage.blobs == one.info.size + other.info.size)
        #expect(usage.total == usage.blobs)
    }

    @Test func `the quota refuses what would pass it, and says how to go on`() async throws {
        let first = try await install(1, as: "a")
        let full = ModelStore(home: home, quota: first.info.size + 10)
        let file = try TinyQwen3(seed: 2).write(to: folder, under: "b.gguf")
        let error = await #expect(throws: BreezeError.self) { try await full.importModel(from: file) }
        #expect(error?.code == .quotaExceeded)
        #expect(error?.remedy?.contains("models.quota") == true)
        #expect(try store.list().models.map(\.info.id) == ["a"])
    }

    @Test func `a linked import takes no space again and leaves the file to its owner`() async throws {
        let file = try TinyQwen3(seed: 5).write(to: folder, under: "mine.gguf")
        let manifest = try await store.importModel(from: file, ImportOptions(id: "mine", mode: .link))
            .manifest
        var (original, kept) = (stat(), stat())
        let blob = try blob(manifest)
        #expect(stat(file.path, &original) == 0 && stat(blob.path, &kept) == 0)
        #expect(original.st_ino == kept.st_ino)
        try await store.remove("mine")
        #expect(FileManager.default.fileExists(atPath: file.path))
    }

    @Test func `a model that somebody runs is not removed`() async throws {
        let manifest = try await install(1, as: "a")
        var lease: FileLease? = FileLease([try blob(manifest)])
        let error = await #expect(throws: BreezeError.self) { try await store.remove("a") }
        #expect(error?.code == .modelInUse)
        #expect(try store.list().models.count == 1)
        withExtendedLifetime(lease) {}
        lease = nil
        #expect(try await store.remove("a") >= manifest.info.size)
        #expect(try store.list().models.isEmpty)
    }

    @Test func `files of any format are kept as they are, with what they say of themselves`() async throws {
        let place = folder.url.appending(path: "voice")
        try FileManager.default.createDirectory(
            at: place.appending(path: "sub"),
            withIntermediateDirectories: true
        )
        try Data("abc".utf8).write(to: place.appending(path: "sub/voice.bin"))
        try Data("{}".utf8).write(to: place.appending(path: "voice.json"))
        try Data("x".utf8).write(to: place.appending(path: ".DS_Store"))
        let origin = ModelOrigin(
            provider: "url",
            repository: "https://x.test/voice",
            license: ModelLicense(named: "MIT")
        )
        let options = ImportOptions(id: "voice", origin: origin, isGeneric: true)
        let manifest = try await store.importModel(from: place, options).manifest
        #expect(manifest.files.map(\.name) == ["sub/voice.bin", "voice.json"])
        // The digest of "abc" as FIPS 180-2 gives it.
        #expect(
            manifest.files.first?.sha256 == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        )
        #expect(manifest.license.commercialUse == .allowed && manifest.info.license == "MIT")
        #expect(try store.manifest(for: "voice") == manifest)
        #expect(try await store.importModel(from: place, options).alreadyInstalled)
    }

    @Test func `a folder with a link out of it is not taken`() async throws {
        let place = folder.url.appending(path: "links")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: place.appending(path: "passwd").path,
            withDestinationPath: "/etc/passwd"
        )
        let error = await #expect(throws: BreezeError.self) {
            try await store.importModel(from: place, ImportOptions(id: "links", isGeneric: true))
        }
        #expect(error?.code == .invalidFile)
    }
}
