import BreezeCatalog
import BreezeCore
import BreezeModels
import BreezeTestSupport
import Foundation
import Testing

@Suite struct CatalogTests {
    private let catalog: ModelCatalog

    init() throws { catalog = try ModelCatalog.builtIn() }

    @Test func `the built-in catalog has what it promises, pinned`() {
        let wanted = [
            "qwen3-1.7b-q4_k_m", "qwen3-0.6b-q4_k_m", "all-minilm-l6-v2", "phi-3.5-mini-instruct-q4_k_m",
            "gemma-3-1b-it-q4_k_m",
        ]
        for id in wanted { #expect(catalog.entry(id) != nil, "\(id)") }
        #expect(Set(catalog.entries.map(\.id)).count == catalog.entries.count)
        for entry in catalog.entries {
            #expect(entry.revision?.utf8.count == 40, "\(entry.id)")
            #expect(!entry.files.isEmpty)
            #expect(
                entry.files.allSatisfy { $0.sha256?.utf8.count == 64 && ($0.size ?? 0) > 0 },
                "\(entry.id)"
            )
            #expect(entry.license != nil && entry.licenseURL != nil, "\(entry.id)")
            #expect(entry.downloadBytes == entry.files.reduce(0) { $0 + ($1.size ?? 0) }, "\(entry.id)")
        }
        // Listed as GGUF and as MLX directories.
        for family in ["smollm3-3b", "qwen2.5-3b-instruct", "llama-3.2-1b-instruct", "llama-3.2-3b-instruct"]
        {
            let formats = catalog.entries.filter { $0.id.hasPrefix(family) }.map(\.format)
            #expect(Set(formats) == [.gguf, .mlx], "\(family)")
        }
        #expect(catalog.entry("gemma-3-1b-it-q4_k_m")?.status == .needsReview)
        #expect(catalog.entries.contains { $0.tags.contains("enhanced") && $0.id.hasPrefix("phi-3.5-mini") })
    }

    @Test(arguments: [
        (Int64(5_999_999_999), "qwen3-0.6b-q4_k_m"), (6_000_000_000, "qwen3-1.7b-q4_k_m"),
        (64_000_000_000, "qwen3-1.7b-q4_k_m"),
    ])
    func `a device of six billion bytes takes the larger chat model`(memory: Int64, id: String) throws {
        let found = catalog.recommendations(deviceMemory: memory, budget: memory)
        let chat = try #require(found.first { $0.capability == .chat })
        #expect(chat.entry.id == id)
        #expect(chat.reason.contains("GB of memory"))
    }

    @Test func `what forbids commercial use or was not reviewed is never recommended`() {
        for entry in catalog.recommendations(deviceMemory: 1 << 40, budget: 1 << 40).map(\.entry) {
            #expect(entry.status == .approved && entry.commercialUse == .allowed, "\(entry.id)")
        }
        let qwen = catalog.entries.filter { $0.id.hasPrefix("qwen2.5-3b") }
        #expect(!qwen.isEmpty && qwen.allSatisfy { $0.commercialUse == .forbidden })
    }

    @Test func `a device without room is offered nothing that it cannot run`() {
        let found = catalog.recommendations(deviceMemory: 500_000_000, budget: 300_000_000)
        #expect(!found.contains { $0.capability == .chat })
        #expect(found.contains { $0.capability == .embedding })
    }

    @Test(arguments: [
        (Int64?.some(10), Int64(20), Int64(30), ModelFit.fits), (25, 20, 30, .fitsIfOthersLeave),
        (31, 20, 30, .doesNotFit(needs: 31, has: 30)), (nil, 20, 30, .unknown),
    ])
    func `a model fits, fits if others leave, or does not`(
        needed: Int64?,
        free: Int64,
        budget: Int64,
        expected: ModelFit
    ) {
        #expect(ModelFit(needed: needed, free: free, budget: budget) == expected)
    }

    @Test(arguments: [
        ("apache-2.0", ModelLicense.Permission.allowed, ModelLicense.Status.approved),
        ("cc-by-nc-4.0", .forbidden, .forbidden), ("qwen-research", .unknown, .needsReview),
    ])
    func `a licence that is not known here is not guessed`(
        name: String,
        use: ModelLicense.Permission,
        status: ModelLicense.Status
    ) {
        let license = ModelLicense(named: name)
        #expect(license.commercialUse == use)
        #expect(license.status == status)
    }

    @Test(
        arguments: [
            ("hf:Qwen/Qwen3-0.6B-GGUF", "huggingface", "Qwen/Qwen3-0.6B-GGUF", nil, []),
            ("hf:a/b@v1:Q4_K_M", "huggingface", "a/b", "v1", ["Q4_K_M"]),
            ("https://huggingface.co/a/b", "huggingface", "a/b", nil, []),
            (
                "https://huggingface.co/a/b/resolve/main/x%20y/z.gguf?download=true", "huggingface", "a/b",
                "main", ["x y/z.gguf"]
            ),
            ("kaggle:google/gemma/gguf/2b@3", "kaggle", "google/gemma/gguf/2b", "3", []),
            ("https://example.org/m.gguf", "url", "https://example.org/m.gguf", nil, []),
            ("file:/models/m.gguf", "file", "/models/m.gguf", nil, []),
        ] as [(String, String, String, String?, [String])]
    )
    func `what people write names a model`(
        text: String,
        provider: String,
        repository: String,
        revision: String?,
        files: [String]
    ) throws {
        let reference = try ModelReference(parsing: text)
        #expect(reference.provider == provider)
        #expect(reference.repository == repository)
        #expect(reference.revision == revision)
        #expect(reference.files == files)
    }

    @Test(arguments: ["", "qwen", "hf:alone", "hf:a/b@", "hf:a/b:", "ftp://x/y", "hf:a/b/c"])
    func `what names no model is refused`(text: String) {
        let error = #expect(throws: BreezeError.self) { try ModelReference(parsing: text) }
        #expect(error?.code == .invalidParameter)
    }

    @Test func `an app brings along two hundred megabytes of models at most, whatever they are called`()
        throws
    {
        let folder = try ScratchFolder()
        try TinyQwen3().write(to: folder, under: "picture.png")
        try Data(repeating: 7, count: 100_000).write(to: folder.url.appending(path: "noise.gguf"))
        let small = try BundleCheck(package: folder.url)
        #expect(small.models.map(\.path) == ["picture.png"])
        #expect(small.models.first?.format == .gguf)
        #expect(small.isAllowed)
        // A hole in the file takes no disk and counts all the same.
        let handle = try FileHandle(forWritingTo: folder.url.appending(path: "picture.png"))
        try handle.truncate(atOffset: 200_000_001)
        try handle.close()
        #expect(try !BundleCheck(package: folder.url).isAllowed)
    }
}
