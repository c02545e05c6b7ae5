import BreezeCatalog
import BreezeCore
import BreezeDownloads
import BreezeModels
import BreezeTestSupport
import BreezeTransport
import Foundation
import Synchronization
import Testing

@Suite struct ModelManagerTests {
    private let folder: ScratchFolder
    private let home: URL
    private let gguf: Data
    private let digest: String

    init() async throws {
        folder = try ScratchFolder()
        home = folder.url.appending(path: "home")
        let file = try TinyQwen3().write(to: folder)
        gguf = try Data(contentsOf: file)
        digest = try await ModelStore.sha256(of: file)
    }

    private func manager(
        _ transport: any HTTPTransport,
        _ entries: [CatalogEntry] = [],
        unpack: ArchiveUnpacking? = nil
    ) throws -> ModelManager {
        let endpoint = try #require(URL(string: "https://hub.test"))
        return ModelManager(
            store: ModelStore(home: home),
            home: home,
            catalog: ModelCatalog(entries),
            providers: ProviderRegistry([
                HuggingFaceProvider(transport: transport, endpoint: endpoint),
                AddressProvider(transport: transport),
                LocalFileProvider(),
            ]),
            transport: transport,
            unpack: unpack
        )
    }

    private func hub(sha256: String? = nil, license: String = "apache-2.0", body: Data? = nil)
        -> FileTransport
    {
        let listing = """
            {"id":"a/b","sha":"c0ffee","cardData":{"license":"\(license)"},"siblings":[{"rfilename":"tiny.gguf",
             "size":\(gguf.count),"lfs":{"sha256":"\(sha256 ?? digest)","size":\(gguf.count)}}]}
            """
        return FileTransport([
            "/api/models/a/b/revision/main?blobs=true": Data(listing.utf8),
            "/api/models/a/b/revision/c0ffee?blobs=true": Data(listing.utf8),
            "/a/b/resolve/c0ffee/tiny.gguf": body ?? gguf, "/tiny.gguf": body ?? gguf,
        ])
    }

    private let yes = TermsAcceptance(terms: true)

    @Test func `a pull asks, fetches, checks and installs, once`() async throws {
        let transport = hub()
        let manager = try manager(transport)
        let plan = try await manager.plan("hf:a/b", id: "mine")
        #expect(
            plan.id == "mine" && plan.package.size == Int64(gguf.count) && plan.license.name == "Apache-2.0"
        )
        #expect(plan.source == "huggingface:a/b@c0ffee")
        #expect(transport.asked("/a/b/resolve/c0ffee/tiny.gguf") == 0)
        let outcome = try await manager.pull(plan, accepting: yes)
        #expect(outcome.manifest.info.digest == digest)
        #expect(outcome.manifest.info.capabilities == [.chat])
        #expect(outcome.manifest.origin?.revision == "c0ffee")
        #expect(try manager.availableModels().map(\.state) == [.installed])
        #expect(try manager.downloadedModelPath(variant: "mine") != nil)
        #expect(manager.unfinished().isEmpty)
        #expect(!outcome.alreadyInstalled)
        #expect(try await manager.pull(plan, accepting: yes).alreadyInstalled)
        #expect(transport.asked("/a/b/resolve/c0ffee/tiny.gguf") == 1)
        #expect(try await manager.deleteModel(id: "mine") >= Int64(gguf.count))
        #expect(try manager.downloadedModelPath(variant: "mine") == nil)
    }

    @Test func `nothing is fetched of terms that were not accepted`() async throws {
        let transport = hub(license: "cc-by-nc-4.0")
        let manager = try manager(transport)
        let plan = try await manager.plan("hf:a/b")
        for acceptance in [TermsAcceptance(terms: false), yes] {
            let error = await #expect(throws: BreezeError.self) {
                try await manager.pull(plan, accepting: acceptance)
            }
            #expect(error?.code == .termsNotAccepted)
        }
        #expect(transport.asked("/a/b/resolve/c0ffee/tiny.gguf") == 0)
        _ = try await manager.pull(plan, accepting: TermsAcceptance(terms: true, noncommercial: true))
        #expect(try manager.availableModels().first?.license.commercialUse == .forbidden)
    }

    @Test func `other bytes than were promised are not installed, and leave nothing`() async throws {
        var other = gguf
        other[gguf.count - 1] ^= 1
        let manager = try manager(hub(body: other))
        let plan = try await manager.plan("hf:a/b")
        let error = await #expect(throws: BreezeError.self) { try await manager.pull(plan, accepting: yes) }
        #expect(error?.code == .integrity)
        #expect(try manager.availableModels().isEmpty)
        #expect(manager.unfinished().isEmpty)
        #expect(try manager.storageUsage().downloads == 0)
    }

    @Test func `a file without a stated digest is held to its first one`() async throws {
        let first = try manager(hub())
        let address = "https://files.test/tiny.gguf"
        _ = try await first.pull(try await first.plan(address), accepting: yes)
        #expect(try await first.pull(try await first.plan(address), accepting: yes).alreadyInstalled)
        try await first.deleteModel(id: "tiny")
        var other = gguf
        other[gguf.count - 1] ^= 1
        let second = try manager(hub(body: other))
        let plan = try await second.plan(address)
        let error = await #expect(throws: BreezeError.self) { try await second.pull(plan, accepting: yes) }
        #expect(error?.code == .integrity)
    }

    @Test func `the catalog's digest outranks the server's`() async throws {
        var entry = try #require(try ModelCatalog.builtIn().entries.first)
        (entry.id, entry.repository, entry.revision) = ("known", "a/b", "c0ffee")
        entry.files = [.init(path: "tiny.gguf", size: nil, sha256: String(repeating: "0", count: 64))]
        let manager = try manager(hub(), [entry])
        let error = await #expect(throws: BreezeError.self) { try await manager.plan("known") }
        #expect(error?.code == .integrity)
        entry.files[0].sha256 = digest
        let right = try self.manager(hub(), [entry])
        let plan = try await right.plan("known")
        #expect(plan.license == entry.terms)
        _ = try await right.pull(plan, accepting: yes)
        #expect(try right.availableModels().first?.license == entry.terms)
    }

    @Test func `bytes that no runner takes are kept all the same`() async throws {
        let text = Data("no model at all".utf8)
        let transport = FileTransport(["/notes.bin": text])
        let manager = try manager(transport)
        let outcome = try await manager.pull(
            try await manager.plan("https://files.test/notes.bin"),
            accepting: yes
        )
        #expect(outcome.manifest.info.size == Int64(text.count))
        #expect(outcome.manifest.info.capabilities.isEmpty)
    }

    @Test func `an archive is unpacked, and the model in it installed`() async throws {
        let gguf = gguf
        let manager = try manager(
            FileTransport(["/model.tar.gz": Data("packed".utf8)]),
            unpack: { archive, folder in
                #expect(try String(contentsOf: archive, encoding: .utf8) == "packed")
                let inner = folder.appending(path: "outer/inner")
                try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
                try gguf.write(to: inner.appending(path: "tiny.gguf"))
            }
        )
        let stages = Mutex<[DownloadStage]>([])
        let plan = try await manager.plan("https://files.test/model.tar.gz", id: "packed")
        let outcome = try await manager.pull(plan, accepting: yes) { step in
            stages.withLock { if $0.last != step.stage { $0.append(step.stage) } }
        }
        #expect(outcome.manifest.info.digest == digest)
        let seen = stages.withLock { $0 }
        #expect(seen.contains(.extraction) && seen.last == .ready)
        #expect(try manager.storageUsage().downloads == 0)
    }

    @Test func `a name that is taken is refused before anything is fetched`() async throws {
        let transport = hub()
        let manager = try manager(transport)
        let file = try TinyQwen3(seed: 9).write(to: folder, under: "other.gguf")
        _ = try await manager.store.importModel(from: file, ImportOptions(id: "mine"))
        var plan = try await manager.plan("hf:a/b", id: "mine")
        let error = await #expect(throws: BreezeError.self) {
            try await manager.pull(plan, accepting: yes)
        }
        #expect(error?.code == .invalidParameter)
        #expect(transport.asked("/a/b/resolve/c0ffee/tiny.gguf") == 0)
        plan.replaces = true
        let begun = Mutex<PullPlan?>(nil)
        let outcome = try await manager.pull(plan, accepting: yes) { _ in
            begun.withLock { $0 = $0 ?? (try? manager.unfinished("mine")) }
        }
        // Whoever goes on with it puts it in the same place.
        #expect(begun.withLock { $0 }?.replaces == true)
        #expect(outcome.manifest.info.digest == digest)
        #expect(try await manager.store.rollback("mine").info.digest != digest)
    }

    @Test(arguments: ["qwn", "hf:", "nothing"])
    func `an unknown name is refused with what to do`(name: String) async throws {
        let manager = try manager(hub(), try ModelCatalog.builtIn().entries)
        let error = await #expect(throws: BreezeError.self) { try await manager.plan(name) }
        #expect(error?.code == .unknownModel)
        #expect(error?.remedy?.contains("breeze models search") == true)
    }

    @Test func `a file's integrity is its digest`() async throws {
        let manager = try manager(hub())
        let file = folder.url.appending(path: "abc")
        try Data("abc".utf8).write(to: file)
        let known = "BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD"
        #expect(try await manager.verifyIntegrity(path: file, sha256: known))
        #expect(try await !manager.verifyIntegrity(path: file, sha256: digest))
    }
}
