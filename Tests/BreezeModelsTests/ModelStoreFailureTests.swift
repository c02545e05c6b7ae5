import BreezeCore
import BreezeFiles
import BreezeTestSupport
import Foundation
import Synchronization
import Testing

@testable import BreezeModels

struct ModelStoreFailureTests {
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

    private func failure(_ directory: URL, store other: ModelStore? = nil) async -> BreezeError? {
        await #expect(throws: BreezeError.self) { try await (other ?? store).importModel(from: directory) }
    }

    @Test(arguments: [
        ("model.safetensors", nil as String?, BreezeError.Code.invalidFile),
        ("model.safetensors", "GGUF", .invalidFile),
        ("config.json", nil, .invalidFile), ("config.json", "{}", .invalidFile),
        ("vocab.txt", nil, .invalidFile),
        ("tokenizer.json", "{", .invalidFile),
        ("tokenizer.json", "{}", .invalidFile),
        ("tokenizer.json", #"{"model":{"vocab":{"a":-1}}}"#, .invalidFile),
    ])
    func `a folder with a missing or damaged file leaves nothing`(
        name: String,
        text: String?,
        code: BreezeError.Code
    ) async throws {
        let directory = try TinyBERT().write(to: folder)
        let url = directory.appending(path: name)
        try? FileManager.default.removeItem(at: url)
        if let text { try Data(text.utf8).write(to: url) }
        let error = await failure(directory)
        #expect(error?.code == code)
        #expect(error?.message.contains(name) == true, "\(error?.message ?? "no error")")
        #expect(leftovers().isEmpty)
    }

    @Test(arguments: [171, 301])
    func `a tokenizer of another model is refused`(tokens: Int) async throws {
        let directory = try TinyBERT(words: words(300)).write(to: folder)
        try folder.write("tiny-bert/vocab.txt", words(tokens).joined(separator: "\n"))
        let error = await failure(directory)
        #expect(error?.code == .invalidFile)
        #expect(error?.message.contains("\(tokens) tokens") == true)
    }

    @Test func `an embedding table rounded up is accepted`() async throws {
        let directory = try TinyBERT(words: words(320)).write(to: folder)
        try folder.write("tiny-bert/vocab.txt", words(300).joined(separator: "\n"))
        _ = try await store.importModel(from: directory)
    }

    private func words(_ count: Int) -> [String] {
        ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"] + (5..<count).map { "w\($0)" }
    }

    @Test func `mutated folders are accepted or refused, and never crash`() throws {
        var generator = SeededGenerator(seed: 21)
        let directory = try TinyBERT(width: 4, layers: 1, heads: 2, intermediate: 4).write(to: folder)
        var refused = 0
        for name in [
            "config.json", "modules.json", "1_Pooling/config.json", "vocab.txt", "model.safetensors",
        ] {
            let url = directory.appending(path: name)
            let sound = [UInt8](try Data(contentsOf: url))
            for _ in 0..<300 {
                var bytes = sound
                let index = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: bytes[index] = UInt8.random(in: .min ... .max, using: &generator)
                case 1: bytes.remove(at: index)
                default: bytes.removeLast(bytes.count - index)
                }
                try Data(bytes).write(to: url)
                do {
                    _ = try EncoderPackage(directory: directory)
                } catch is BreezeError {
                    refused += 1
                }
            }
            try Data(sound).write(to: url)
        }
        #expect(refused > 500)
        _ = try EncoderPackage(directory: directory)
    }

    @Test(arguments: [
        ("pytorch_model.bin", "PyTorch"), ("model.safetensors.index.json", "several pieces"),
        ("m.gguf", "GGUF"),
    ])
    func `a folder of another kind is named`(name: String, kind: String) async throws {
        try folder.write("other/\(name)", "x")
        let error = await failure(folder.url.appending(path: "other"))
        #expect(error?.code == .unsupported)
        #expect(error?.message.contains(kind) == true)
    }

    @Test func `a file in place of a folder, and nothing at all, are refused`() async throws {
        let file = try folder.write("file", "x")
        #expect(await failure(file)?.code == .invalidFile)
        #expect(await failure(folder.url.appending(path: "none"))?.code == .inputOutput)
    }

    @Test func `a named pipe in place of the weights does not hang`() async throws {
        let directory = try TinyBERT().write(to: folder)
        let weights = directory.appending(path: "model.safetensors")
        try FileManager.default.removeItem(at: weights)
        #expect(mkfifo(weights.path, 0o600) == 0)
        #expect(await failure(directory)?.code == .invalidFile)
    }

    @Test func `a model too large for memory is refused before anything is written`() async throws {
        let directory = try TinyBERT().write(to: folder)
        let error = await #expect(throws: BreezeError.self) {
            try await store.importModel(from: directory, ImportOptions(memoryLimit: 1_000))
        }
        #expect(error?.code == .insufficientMemory)
        #expect(leftovers().isEmpty)
    }

    @Test func `too little disk is said with figures before anything is written`() async throws {
        let small = ModelStore(home: folder.url.appending(path: "home"), freeBytes: { _ in 1_000 })
        let error = await failure(try TinyBERT().write(to: folder), store: small)
        #expect(error?.code == .insufficientDisk)
        #expect(error?.message.contains("1000 are free") == true, "\(error?.message ?? "")")
        #expect(leftovers().isEmpty)
    }

    /// A real file system of 2 MiB that runs full while the import writes, because the check before it is
    /// blinded.
    @Test(.enabled(if: SmallDisk.isAvailable, "needs the right to mount a small disk"))
    func `a disk that runs full in the middle leaves nothing`() async throws {
        let disk = try SmallDisk(at: folder.url.appending(path: "disk"), megabytes: 2)
        defer { disk.unmount() }
        // 1.3 MiB of weights: the copy fits and the graph does not.
        let model = TinyBERT(width: 64, layers: 4, heads: 4, intermediate: 256, positions: 2_000)
        let directory = try model.write(to: folder)
        let blind = ModelStore(home: disk.url, freeBytes: { _ in nil })
        let error = await failure(directory, store: blind)
        #expect(error?.code == .insufficientDisk)
        #expect(try blind.list() == ModelListing(models: [], damaged: []))
        let root = disk.url.appending(path: "models")
        for path in ["blobs", "manifests", "derived", "tmp"] {
            #expect(StoreLayout.contents(of: root.appending(path: path)).isEmpty)
        }
        // And with the check in place it does not begin.
        #expect(await failure(directory, store: ModelStore(home: disk.url))?.code == .insufficientDisk)
    }

    @Test(arguments: [ImportProgress.Stage.copying, .converting])
    func `an import cancelled in the middle leaves nothing`(stage: ImportProgress.Stage) async throws {
        let directory = try TinyBERT().write(to: folder)
        let store = store
        let error = await #expect(throws: BreezeError.self) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    _ = try await store.importModel(from: directory) { progress in
                        guard progress.stage == stage else { return }
                        withUnsafeCurrentTask { $0?.cancel() }
                    }
                }
                try await group.waitForAll()
            }
        }
        #expect(error?.code == .cancelled)
        #expect(leftovers().isEmpty)
        #expect(try await !store.importModel(from: directory).alreadyInstalled)
    }

    @Test func `what a killed import left is not listed and goes with the next one`() async throws {
        let directory = try TinyBERT().write(to: folder)
        try store.layout.create()
        // As kill -9 leaves it: a staging folder, a graph half written, and blobs renamed before their
        // manifest.
        try folder.write("home/models/tmp/4711/model.safetensors", "half")
        try folder.write("home/models/tmp/1.onnx", "half")
        let orphan = String(repeating: "a", count: 64)
        try folder.write("home/models/blobs/sha256-\(orphan)", "orphan")
        try folder.write("home/models/derived/\(orphan)/encoder-onnx-v1.onnx", "orphan")
        #expect(try store.list() == ModelListing(models: [], damaged: []))
        _ = try await store.importModel(from: directory)
        #expect(StoreLayout.contents(of: store.layout.temporary).isEmpty)
        #expect(!leftovers().contains { $0.contains(orphan) })
        #expect(try store.list().models.count == 1)
    }

    @Test(arguments: ["", "{", "null", "{}", #"{"schema":1}"#, #"{"schema":99}"#, "\0\0\0"])
    func `a damaged manifest is listed as damaged and hides no other model`(text: String) async throws {
        let directory = try TinyBERT().write(to: folder)
        _ = try await store.importModel(from: directory, ImportOptions(id: "bad"))
        _ = try await store.importModel(from: directory, ImportOptions(id: "good"))
        try folder.write("home/models/manifests/bad.json", text)
        let listing = try store.list()
        #expect(listing.models.map(\.info.id) == ["good"])
        #expect(listing.damaged.map(\.id) == ["bad"])
        #expect(#expect(throws: BreezeError.self) { try store.manifest(for: "bad") }?.code == .invalidFile)
        // Importing again mends it; removing it would have worked as well.
        #expect(try await !store.importModel(from: directory, ImportOptions(id: "bad")).alreadyInstalled)
        #expect(try store.list().models.map(\.info.id) == ["bad", "good"])
    }

    @Test func `a damaged manifest can be removed and others keep their files`() async throws {
        let directory = try TinyBERT().write(to: folder)
        _ = try await store.importModel(from: directory, ImportOptions(id: "bad"))
        _ = try await store.importModel(from: directory, ImportOptions(id: "good"))
        try folder.write("home/models/manifests/bad.json", "{")
        try await store.remove("bad")
        #expect(try store.list().models.map(\.info.id) == ["good"])
        _ = try store.files(for: "good")
    }

    @Test func `a blob that is missing or cut short makes its model damaged`() async throws {
        let outcome = try await store.importModel(from: try TinyBERT().write(to: folder))
        let file = try #require(outcome.manifest.files.first)
        let blob = store.layout.blob(file.sha256)
        #expect(truncate(blob.path, 10) == 0)
        #expect(try store.list().damaged.first?.reason.contains("10 bytes") == true)
        try FileManager.default.removeItem(at: blob)
        #expect(try store.list().damaged.first?.reason.contains("missing") == true)
    }

    @Test func `a manifest cannot point outside the store`() async throws {
        let outcome = try await store.importModel(from: try TinyBERT().write(to: folder))
        var manifest = outcome.manifest
        manifest.files[0].sha256 = "x/../../../../secret"
        try folder.write("home/models/manifests/tiny-bert.json", [UInt8](try JSONEncoder().encode(manifest)))
        #expect(try store.list().damaged.count == 1)
    }

    @Test func `two imports at once install one model, and one finds it there`() async throws {
        let directory = try TinyBERT().write(to: folder)
        let store = store
        let outcomes = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<4 {
                group.addTask { try await store.importModel(from: directory).alreadyInstalled }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.filter { !$0 }.count == 1)
        #expect(outcomes.count == 4)
        #expect(StoreLayout.contents(of: store.layout.temporary).isEmpty)
    }

    @Test func `an import that waits for another can be cancelled`() async throws {
        let directory = try TinyBERT().write(to: folder)
        try store.layout.create()
        let lock = try await FileLock.acquire(store.layout.lock)
        let store = store
        let task = Task {
            try await store.importModel(from: directory) { progress in
                #expect(progress.stage == .waiting)
                withUnsafeCurrentTask { $0?.cancel() }
            }
        }
        let error = await #expect(throws: BreezeError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        lock.release()
        #expect(try await !store.importModel(from: directory).alreadyInstalled)
    }
}
