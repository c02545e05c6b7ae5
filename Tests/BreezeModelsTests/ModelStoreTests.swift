import BreezeCore
import BreezeFiles
import BreezeTestSupport
import Foundation
import Synchronization
import Testing

@testable import BreezeModels

struct ModelStoreTests {
    private let folder: ScratchFolder
    private let store: ModelStore
    private let root: URL

    init() throws {
        folder = try ScratchFolder()
        store = ModelStore(home: folder.url.appending(path: "home/breeze"))
        root = folder.url.appending(path: "home/breeze/models")
    }

    private func names(_ path: String) -> [String] {
        StoreLayout.contents(of: root.appending(path: path)).map(\.lastPathComponent)
    }

    private func mode(_ url: URL) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
        return try #require(attributes[.posixPermissions] as? Int)
    }

    @Test func `an imported model is listed with what its files say`() async throws {
        let directory = try TinyBERT(prefix: "bert.").write(to: folder, under: "Tiny BERT")
        let readme = "---\nlanguage: en\nlicense: apache-2.0\n---\n# Tiny\n"
        try folder.write("Tiny BERT/README.md", readme)
        let outcome = try await store.importModel(from: directory)
        #expect(!outcome.alreadyInstalled)
        let listing = try store.list()
        #expect(listing.damaged.isEmpty)
        #expect(listing.models == [outcome.manifest])
        let info = outcome.manifest.info
        #expect(info.id == "tiny-bert")
        #expect(info.name == "Tiny BERT")
        #expect(info.format == .safetensors)
        #expect(info.frameworks == [.liteRT, .onnxRuntime])
        #expect(info.capabilities == [.embedding, .classification])
        #expect(info.architecture == "bert")
        #expect(info.contextLength == 16)
        #expect(info.quantization == "F32")
        #expect(info.license == "Apache-2.0")
        #expect(info.source == directory.path)
        #expect(outcome.manifest.files.map(\.name).contains("README.md"))
        let sizes = outcome.manifest.files.reduce(0) { $0 + $1.size }
        let graphs = derivedFiles().filter { $0.pathExtension != "json" }
        #expect(graphs.count == 2)
        #expect(info.size == graphs.reduce(sizes) { $0 + (FileStatus.size(of: $1) ?? 0) })
    }

    /// Digests by coreutils' `sha256sum`, run by the test.
    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/sha256sum"), "needs sha256sum"))
    func `blobs are named by the SHA-256 of what was imported`() async throws {
        let directory = try TinyBERT().write(to: folder)
        let outcome = try await store.importModel(from: directory)
        for file in outcome.manifest.files {
            let path = directory.appending(path: file.name).path
            let sum = try await ChildProcess(URL(filePath: "/usr/bin/sha256sum"), [path]).run()
            #expect(sum.output.prefix(64) == file.sha256)
            let blob = try Data(contentsOf: store.layout.blob(file.sha256))
            #expect(try blob == Data(contentsOf: directory.appending(path: file.name)))
        }
        #expect(
            outcome.manifest.info.digest
                == outcome.manifest.files.first { $0.name == "model.safetensors" }?.sha256
        )
    }

    @Test func `the store is closed to other users`() async throws {
        let outcome = try await store.importModel(from: try TinyBERT().write(to: folder))
        for path in ["", "blobs", "manifests", "derived", "tmp"] {
            #expect(try mode(root.appending(path: path)) == 0o700)
        }
        let files = try store.files(for: outcome.manifest.info.id)
        for url in Array(files.files.values) + derivedFiles() + [store.layout.manifest("tiny-bert")] {
            #expect(try mode(url) == 0o600)
        }
    }

    private func derivedFiles() -> [URL] {
        StoreLayout.contents(of: store.layout.derived).flatMap { StoreLayout.contents(of: $0) }
    }

    @Test func `a runner gets every file and a complete graph`() async throws {
        let outcome = try await store.importModel(from: try TinyBERT().write(to: folder))
        let files = try store.files(for: "tiny-bert")
        #expect(files.manifest == outcome.manifest)
        #expect(
            Set(files.files.keys) == [
                "model.safetensors", "config.json", "modules.json", "1_Pooling/config.json",
                "sentence_bert_config.json",
                "vocab.txt", "tokenizer_config.json",
            ]
        )
        for format in [EncoderGraph.Format.onnx, .liteRTInt8] {
            let graph = try await store.graph(format, for: "tiny-bert")
            #expect(FileStatus.size(of: graph.url) == graph.record.size)
            #expect(try await graph.isIntact())
            #expect(graph.record.probe?.output.count == 16)
        }
    }

    @Test func `importing the same content again writes nothing`() async throws {
        let directory = try TinyBERT().write(to: folder)
        let first = try await store.importModel(from: directory)
        let stages = Mutex<Set<ImportProgress.Stage>>([])
        let second = try await store.importModel(from: directory) { progress in
            stages.withLock { _ = $0.insert(progress.stage) }
        }
        #expect(second == ImportOutcome(manifest: first.manifest, alreadyInstalled: true))
        #expect(stages.withLock { $0 } == [.comparing])
    }

    @Test func `a model of which less was kept before is taken in anew`() async throws {
        let directory = try TinyBERT().write(to: folder)
        let before = try await store.importModel(from: directory).manifest
        try folder.write(
            "tiny-bert/config_sentence_transformers.json",
            #"{"prompts": {"query": "q: "}}"#
        )
        let outcome = try await store.importModel(from: directory)
        #expect(!outcome.alreadyInstalled)
        #expect(outcome.manifest.files.count == before.files.count + 1)
        #expect(try store.list().models == [outcome.manifest])
        #expect(outcome.manifest.encoder?.prompts == ["query": "q: "])
        #expect(try await store.importModel(from: directory).alreadyInstalled)
    }

    @Test(arguments: [EncoderGraph.Format.onnx, .liteRTInt8])
    func `importing again mends a graph whose bytes were damaged`(format: EncoderGraph.Format) async throws {
        let directory = try TinyBERT().write(to: folder)
        _ = try await store.importModel(from: directory)
        let url = try await store.graph(format, for: "tiny-bert").url
        let sound = try Data(contentsOf: url)
        var damaged = sound
        damaged[damaged.count / 2] ^= 0xFF
        try damaged.write(to: url)
        #expect(try await store.importModel(from: directory).alreadyInstalled)
        #expect(try Data(contentsOf: url) == sound)
    }

    @Test func `a home that is a file is an error and not an empty store`() throws {
        let file = try folder.write("home.txt", "no folder")
        let error = #expect(throws: BreezeError.self) { try ModelStore(home: file).list() }
        #expect(error?.code == .inputOutput)
    }

    @Test func `another model under the same id is refused`() async throws {
        let first = try await store.importModel(
            from: try TinyBERT().write(to: folder),
            ImportOptions(id: "x")
        )
        let other = try TinyBERT(seed: 2).write(to: folder, under: "other")
        let error = await #expect(throws: BreezeError.self) {
            try await store.importModel(from: other, ImportOptions(id: "x"))
        }
        #expect(error?.code == .invalidParameter)
        #expect(try store.manifest(for: "x") == first.manifest)
    }

    @Test func `progress ends at its total`() async throws {
        let last = Mutex<[ImportProgress.Stage: ImportProgress]>([:])
        _ = try await store.importModel(from: try TinyBERT().write(to: folder)) { progress in
            last.withLock { $0[progress.stage] = progress }
        }
        let copying = try #require(last.withLock { $0[.copying] })
        #expect(copying.completed == copying.total)
        #expect(copying.total > 0)
        #expect(last.withLock { $0[.converting] } != nil)
    }

    @Test(arguments: [
        "", ".", "..", "../x", "a/b", "A", "a b", "-a", ".hidden", "a\0b", "é",
        String(repeating: "a", count: 129),
    ])
    func `an id that is no file name is refused`(id: String) async throws {
        let directory = try TinyBERT().write(to: folder)
        let error = await #expect(throws: BreezeError.self) {
            try await store.importModel(from: directory, ImportOptions(id: id))
        }
        #expect(error?.code == .invalidParameter)
        #expect(throws: BreezeError.self) { try store.manifest(for: id) }
    }

    @Test func `an unknown model names the nearest one`() async throws {
        _ = try await store.importModel(
            from: try TinyBERT().write(to: folder),
            ImportOptions(id: "all-minilm")
        )
        let error = #expect(throws: BreezeError.self) { try store.manifest(for: "all-miniln") }
        #expect(error?.code == .unknownModel)
        #expect(error?.remedy?.contains("all-minilm") == true)
        let removal = await #expect(throws: BreezeError.self) { try await store.remove("nothing-like-it") }
        #expect(removal?.code == .unknownModel)
    }

    @Test func `an empty store lists nothing and is not made by looking`() throws {
        #expect(try store.list() == ModelListing(models: [], damaged: []))
        #expect(!FileManager.default.fileExists(atPath: root.path))
    }

    @Test func `removing frees what no other model uses`() async throws {
        let directory = try TinyBERT().write(to: folder)
        let first = try await store.importModel(from: directory, ImportOptions(id: "one"))
        _ = try await store.importModel(from: directory, ImportOptions(id: "two"))
        let blobs = names("blobs")
        let little = try await store.remove("one")
        #expect(little < 10_000)
        #expect(names("blobs") == blobs)
        _ = try store.files(for: "two")
        #expect(try await store.remove("two") > first.manifest.info.size)
        #expect(names("blobs").isEmpty)
        #expect(names("derived").isEmpty)
        #expect(try store.list().models.isEmpty)
    }

    @Test func `models with other pooling share weights and not graphs`() async throws {
        let mean = try await store.importModel(
            from: try TinyBERT().write(to: folder),
            ImportOptions(id: "mean")
        )
        let directory = try TinyBERT(pooling: "cls_token").write(to: folder, under: "cls")
        let cls = try await store.importModel(from: directory)
        #expect(mean.manifest.info.digest == cls.manifest.info.digest)
        #expect(mean.manifest.derivedKey != cls.manifest.derivedKey)
    }

    @Test(arguments: [EncoderGraph.Format.onnx, .liteRTInt8])
    func `a graph that is missing or was changed is made again, byte for byte`(
        format: EncoderGraph.Format
    ) async throws {
        _ = try await store.importModel(from: try TinyBERT().write(to: folder))
        let graph = try await store.graph(format, for: "tiny-bert")
        let sound = try Data(contentsOf: graph.url)
        #expect(truncate(graph.url.path, 100) == 0)
        #expect(try await store.graph(format, for: "tiny-bert").record.sha256 == graph.record.sha256)
        #expect(try Data(contentsOf: graph.url) == sound)
        // One bit, and the size as it was.
        var flipped = sound
        flipped[flipped.count / 2] ^= 1
        try flipped.write(to: graph.url)
        #expect(try await store.graph(format, for: "tiny-bert").record.sha256 == graph.record.sha256)
        #expect(try Data(contentsOf: graph.url) == sound)
        // As a crash between the two renames leaves it.
        try FileManager.default.removeItem(at: DerivedFile.record(of: graph.url))
        #expect(try await store.graph(format, for: "tiny-bert").url == graph.url)
        try FileManager.default.removeItem(at: graph.url.deletingLastPathComponent())
        #expect(try await store.graph(format, for: "tiny-bert").url == graph.url)
        #expect(try Data(contentsOf: graph.url) == sound)
    }

    @Test func `a graph of an older version makes room for its successor, and others stay`() async throws {
        _ = try await store.importModel(from: try TinyBERT().write(to: folder))
        let graph = try await store.graph(.onnx, for: "tiny-bert")
        let before = derivedFiles().map(\.lastPathComponent)
        let derived = graph.url.deletingLastPathComponent()
        for name in ["encoder-onnx-v1.onnx", "encoder-onnx-v1.onnx.json", "encoder-onnx-v1-cpu.cache"] {
            try Data("old".utf8).write(to: derived.appending(path: name))
        }
        try FileManager.default.removeItem(at: graph.url)
        _ = try await store.graph(.onnx, for: "tiny-bert")
        #expect(derivedFiles().map(\.lastPathComponent) == before)
    }

    @Test func `what a runtime derives is made once, and again when it was cut short or forgotten`()
        async throws
    {
        _ = try await store.importModel(from: try TinyBERT().write(to: folder))
        let made = Mutex(0)
        func derive() async throws -> DerivedFile {
            try await store.derivedFile("packed.cache", for: "tiny-bert") { url in
                try Data("weights".utf8).write(to: url)
                made.withLock { $0 += 1 }
            }
        }
        let file = try await derive()
        #expect(try await derive() == file)
        #expect(made.withLock { $0 } == 1)
        #expect(truncate(file.url.path, 3) == 0)
        #expect(try await derive().url == file.url)
        #expect(made.withLock { $0 } == 2)
        try await store.removeDerivedFile(file)
        #expect(!FileManager.default.fileExists(atPath: file.url.path))
        #expect(try await derive().url == file.url)
        #expect(made.withLock { $0 } == 3)
        let error = await #expect(throws: BreezeError.self) {
            try await store.derivedFile("bad.cache", for: "tiny-bert") { _ in
                throw BreezeError(.loadFailed, "no")
            }
        }
        #expect(error?.code == .loadFailed)
        #expect(StoreLayout.contents(of: store.layout.temporary).isEmpty)
    }

    @Test func `a model that an older Breeze installed works, its graphs made again`() async throws {
        let installed = try await store.importModel(from: try TinyBERT().write(to: folder)).manifest
        let url = store.layout.manifest("tiny-bert")
        var manifest = try #require(
            try JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [String: Any]
        )
        // As version 1 wrote it.
        manifest["schema"] = 1
        manifest["graph"] = [
            "kind": "encoder-onnx", "version": 1, "key": try #require(installed.derivedKey), "size": 9_000,
            "sha256": String(repeating: "0", count: 64),
        ]
        manifest["derivedKey"] = nil
        try JSONSerialization.data(withJSONObject: manifest).write(to: url)
        for file in derivedFiles() { try FileManager.default.removeItem(at: file) }
        #expect(try store.list().damaged.isEmpty)
        #expect(try await store.graph(.liteRTInt8, for: "tiny-bert").isIntact())
        #expect(try await store.graph(.onnx, for: "tiny-bert").isIntact())
    }

    @Test func `licences are read and never guessed`() {
        #expect(LicenseReader.frontMatter("---\nlicense: mit\n---\n") == "MIT")
        #expect(LicenseReader.frontMatter("---\r\nlicense: \"apache-2.0\"\r\n---\r\n") == "Apache-2.0")
        #expect(LicenseReader.frontMatter("---\nlicense:\n- apache-2.0\n---\n") == "Apache-2.0")
        #expect(
            LicenseReader.frontMatter("---\nlicense: other\nlicense_name: tiny-research\n---\n")
                == "tiny-research"
        )
        #expect(LicenseReader.frontMatter("---\nlicense: other\n---\n") == nil)
        #expect(LicenseReader.frontMatter("# A model\nlicense: mit\n") == nil)
        #expect(LicenseReader.frontMatter("---\nlanguage: en\n---\nlicense: mit\n") == nil)
    }

    @Test(.enabled(if: Oracle.miniLM != nil, "needs all-MiniLM-L6-v2 from `make setup`"))
    func `MiniLM is installed with its published facts`() async throws {
        let directory = try #require(Oracle.miniLM)
        let info = try await store.importModel(from: directory).manifest.info
        #expect(info.id == "all-minilm-l6-v2")
        #expect(info.license == "Apache-2.0")
        #expect(info.contextLength == 256)
        #expect(info.digest == "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db")
        // 22 713 216 less the pooler (384 × 384 + 384), which sentence-transformers leaves unused.
        #expect(info.parameterCount == 22_565_376)
    }
}
