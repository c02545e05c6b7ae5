import BreezeCore
import BreezeFiles
import BreezeTestSupport
import Foundation
import Synchronization
import Testing

@testable import BreezeModels

struct GGUFImportTests {
    private let folder: ScratchFolder
    private let store: ModelStore
    private let root: URL

    init() throws {
        folder = try ScratchFolder()
        store = ModelStore(home: folder.url.appending(path: "home"))
        root = folder.url.appending(path: "home/models")
    }

    /// Every file below the store but its lock.
    private func leftovers() -> [String] {
        let found = FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []
        let folders = ["blobs", "manifests", "previous", "records", "derived", "downloads", "tmp", "lock"]
        return found.filter { !folders.contains($0) && !$0.hasPrefix("records/") }.sorted()
    }

    private func failure(_ url: URL, store other: ModelStore? = nil) async -> BreezeError? {
        await #expect(throws: BreezeError.self) { try await (other ?? store).importModel(from: url) }
    }

    @Test func `an imported file is listed with what it says`() async throws {
        let url = try TinyQwen3().write(to: folder, under: "Tiny Qwen3-F16.gguf")
        let outcome = try await store.importModel(from: url)
        #expect(!outcome.alreadyInstalled)
        #expect(try store.list() == ModelListing(models: [outcome.manifest], damaged: []))
        let info = outcome.manifest.info
        #expect(info.id == "tiny-qwen3-f16")
        #expect(info.name == "random-qwen3-tiny")
        #expect(info.format == .gguf)
        #expect(info.frameworks == [.llamaCpp])
        #expect(info.capabilities == [.chat])
        #expect(info.architecture == "qwen3")
        #expect(info.contextLength == 2048)
        #expect(info.quantization == "F16")
        #expect(info.source == url.path)
        let size = try #require(FileStatus.size(of: url))
        #expect(info.size == size)
        #expect(info.estimatedMemory.map { $0 > size } == true)
        #expect(outcome.manifest.gguf == (try GGUFModelFacts(GGUFFile(url: url))))
        let files = try store.files(for: info.id)
        let blob = try #require(files.gguf)
        #expect(try Data(contentsOf: blob) == Data(contentsOf: url))
        #expect(blob.lastPathComponent == "sha256-\(try #require(info.digest))")
        #expect(try await store.remove(info.id) > size)
        #expect(leftovers().isEmpty)
    }

    @Test func `an encoder in a GGUF file can embed`() async throws {
        let outcome = try await store.importModel(from: try TinyEncoder().writeGGUF(to: folder))
        #expect(outcome.manifest.info.capabilities == [.embedding])
        #expect(outcome.manifest.encoder == nil)
        #expect(outcome.manifest.gguf?.pooling == .mean)
    }

    @Test(arguments: [
        ("Qwen3-0.6B-Q4_K_M.gguf", "qwen3-0.6b-q4_k_m"), ("model.gguf", "random-qwen3-tiny"),
        ("sha256-00aa", "random-qwen3-tiny"), ("UPPER.GGUF", "upper"),
    ])
    func `the id comes from the file's name, or from the model's where that says nothing`(
        name: String,
        id: String
    ) async throws {
        let outcome = try await store.importModel(from: try TinyQwen3().write(to: folder, under: name))
        #expect(outcome.manifest.info.id == id)
        #expect(try store.files(for: id).gguf != nil)
    }

    @Test func `importing the same file again writes nothing, and another under the same id is refused`()
        async throws
    {
        let url = try TinyQwen3().write(to: folder)
        let first = try await store.importModel(from: url, ImportOptions(id: "chat"))
        let stages = Mutex<Set<ImportProgress.Stage>>([])
        let second = try await store.importModel(from: url, ImportOptions(id: "chat")) { progress in
            stages.withLock { _ = $0.insert(progress.stage) }
        }
        #expect(second == ImportOutcome(manifest: first.manifest, alreadyInstalled: true))
        #expect(stages.withLock { $0 } == [.comparing])
        let other = try TinyQwen3(seed: 2).write(to: folder, under: "other.gguf")
        let error = await #expect(throws: BreezeError.self) {
            try await store.importModel(from: other, ImportOptions(id: "chat"))
        }
        #expect(error?.code == .invalidParameter)
        // Under an id of its own the same content takes no second blob.
        _ = try await store.importModel(from: url, ImportOptions(id: "again"))
        #expect(StoreLayout.contents(of: store.layout.blobs).count == 1)
    }

    @Test(arguments: [0, 3, 100, 4_000, 100_000])
    func `a file that was cut short leaves nothing`(length: Int) async throws {
        let url = try TinyQwen3().write(to: folder)
        try Data(Data(contentsOf: url).prefix(length)).write(to: url)
        #expect(await failure(url)?.code == .invalidFile)
        #expect(leftovers().isEmpty)
    }

    @Test func `a piece of a split model is refused with the reason`() async throws {
        var model = TinyQwen3()
        model.edit = { $0.set("split.count", .uint16(3)) }
        let error = await failure(try model.write(to: folder, under: "big-00001-of-00003.gguf"))
        #expect(error?.code == .unsupported)
        #expect(error?.message.contains("one of 3 pieces") == true)
        #expect(error?.remedy?.contains("--merge") == true)
        #expect(leftovers().isEmpty)
    }

    @Test func `a file that is neither is refused, and so is none`() async throws {
        #expect(await failure(try folder.write("notes.txt", "hello"))?.message.contains("GGUF file") == true)
        #expect(await failure(try folder.write("notes.gguf", "hello"))?.code == .invalidFile)
        #expect(await failure(folder.url.appending(path: "none.gguf"))?.code == .inputOutput)
        let pipe = folder.url.appending(path: "pipe.gguf")
        #expect(mkfifo(pipe.path, 0o600) == 0)
        #expect(await failure(pipe)?.code == .invalidFile)
    }

    @Test func `too little memory or disk is said before anything is written`() async throws {
        let url = try TinyQwen3().write(to: folder)
        let error = await #expect(throws: BreezeError.self) {
            try await store.importModel(from: url, ImportOptions(memoryLimit: 1_000))
        }
        #expect(error?.code == .insufficientMemory)
        let small = ModelStore(home: folder.url.appending(path: "home"), freeBytes: { _ in 1_000 })
        #expect(await failure(url, store: small)?.code == .insufficientDisk)
        #expect(leftovers().isEmpty)
    }

    /// A real file system of 1 MiB that runs full while the import writes, because the check before it is
    /// blinded.
    @Test(.enabled(if: SmallDisk.isAvailable, "needs the right to mount a small disk"))
    func `a disk that runs full in the middle leaves nothing`() async throws {
        let disk = try SmallDisk(at: folder.url.appending(path: "disk"), megabytes: 1)
        defer { disk.unmount() }
        var model = TinyQwen3()
        model.layers = 24
        let url = try model.write(to: folder)
        let blind = ModelStore(home: disk.url, freeBytes: { _ in nil })
        #expect(await failure(url, store: blind)?.code == .insufficientDisk)
        let root = disk.url.appending(path: "models")
        for path in ["blobs", "manifests", "tmp"] {
            #expect(StoreLayout.contents(of: root.appending(path: path)).isEmpty)
        }
    }

    @Test func `an import cancelled in the middle leaves nothing`() async throws {
        let url = try TinyQwen3().write(to: folder)
        let store = store
        let error = await #expect(throws: BreezeError.self) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    _ = try await store.importModel(from: url) { progress in
                        guard progress.stage == .copying else { return }
                        withUnsafeCurrentTask { $0?.cancel() }
                    }
                }
                try await group.waitForAll()
            }
        }
        #expect(error?.code == .cancelled)
        #expect(leftovers().isEmpty)
        #expect(try await !store.importModel(from: url).alreadyInstalled)
    }

    /// It is spoilt between the check and the copy, while another import has the lock.
    @Test func `a file that changes during the import is refused`() async throws {
        let url = try TinyQwen3().write(to: folder)
        try store.layout.create()
        let lock = try await FileLock.acquire(store.layout.lock)
        let error = await #expect(throws: BreezeError.self) {
            try await store.importModel(from: url) { progress in
                guard progress.stage == .waiting else { return }
                #expect(truncate(url.path, 100_000) == 0)
                lock.release()
            }
        }
        #expect(error?.code == .invalidFile)
        #expect(error?.message.contains(url.path) == true, "\(error?.message ?? "")")
        #expect(leftovers().isEmpty)
    }
}
