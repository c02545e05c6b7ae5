import BreezeCatalog
import BreezeCore
import BreezeDownloads
import BreezeModels
import BreezeTransport
import Foundation
import Testing

/// Held against answers in the shape of the providers' public documentation.
@Suite struct ProviderTests {
    private func hub(_ answers: [String: ScriptedTransport.Answer]) throws -> (
        ScriptedTransport, HuggingFaceProvider
    ) {
        let transport = ScriptedTransport(answers)
        let endpoint = try #require(URL(string: "https://hub.test"))
        return (transport, HuggingFaceProvider(transport: transport, endpoint: endpoint) { "hf_secret" })
    }

    private static let repository = """
        {"id":"a/b","sha":"0123456789012345678901234567890123456789","gated":false,"author":"a",
         "cardData":{"license":"apache-2.0"},"tags":["gguf","license:apache-2.0"],
         "siblings":[{"rfilename":"README.md","size":10},
          {"rfilename":"b-Q4_K_M.gguf","size":100,"lfs":{"sha256":"\(String(repeating: "a", count: 64))","size":100,"pointerSize":1}},
          {"rfilename":"b-Q8_0.gguf","size":200,"lfs":{"sha256":"\(String(repeating: "b", count: 64))","size":200}}]}
        """

    @Test func `a repository is pinned to its commit, with the digest of the usual quantisation`()
        async throws
    {
        let (transport, provider) = try hub([
            "/api/models/a/b/revision/main?blobs=true": .init(body: Self.repository)
        ])
        let package = try await provider.resolve(ModelReference(provider: "huggingface", repository: "a/b"))
        #expect(package.files.map(\.name) == ["b-Q4_K_M.gguf"])
        #expect(package.files.first?.sha256 == String(repeating: "a", count: 64))
        #expect(
            package.files.first?.url.absoluteString
                == "https://hub.test/a/b/resolve/0123456789012345678901234567890123456789/b-Q4_K_M.gguf"
        )
        #expect(package.size == 100)
        #expect(package.license.name == "Apache-2.0" && package.license.commercialUse == .allowed)
        #expect(package.suggestedID == "b-q4_k_m")
        #expect(transport.requests.first?.headers["Authorization"] == "Bearer hf_secret")
        #expect(transport.requests.first?.purpose == .modelSearch)
    }

    @Test func `the credential goes to the provider's own host alone`() async throws {
        let (_, provider) = try hub(["/api/models/a/b/revision/main?blobs=true": .init(body: Self.repository)]
        )
        let package = try await provider.resolve(ModelReference(provider: "huggingface", repository: "a/b"))
        let plan = try await provider.downloadModel(package)
        let authorization = try #require(plan.authorization)
        let own = try #require(URL(string: "https://hub.test/a/b"))
        let other = try #require(URL(string: "https://cdn.test/a/b"))
        #expect(try await authorization.headers(own, .request)["Authorization"] == "Bearer hf_secret")
        #expect(try await authorization.headers(other, .request)["Authorization"] == nil)
    }

    @Test func `a licence file outranks the card`() async throws {
        let listed = Self.repository.replacing("\"README.md\"", with: "\"LICENSE\"")
        let commit = "0123456789012345678901234567890123456789"
        let (_, provider) = try hub([
            "/api/models/a/b/revision/main?blobs=true": .init(body: listed),
            "/a/b/resolve/\(commit)/LICENSE": .init(body: "MIT License\n\nCopyright"),
        ])
        let package = try await provider.resolve(ModelReference(provider: "huggingface", repository: "a/b"))
        #expect(package.license.name == "MIT")
    }

    @Test(arguments: [
        (401, "GatedRepo", BreezeError.Code.authRequired), (403, "GatedRepo", .authRequired),
        (404, "RevisionNotFound", .unknownModel), (401, "RepoNotFound", .unknownModel),
        (401, "", .authRequired),
        (429, "", .resourceUnavailable), (503, "", .resourceUnavailable),
    ])
    func `each failure of the hub has its own code`(status: Int, code: String, expected: BreezeError.Code)
        async throws
    {
        let headers: HeaderFields = code.isEmpty ? ["Retry-After": "7"] : ["X-Error-Code": code]
        let (_, provider) = try hub([
            "/api/models/a/b/revision/main?blobs=true": .init(status: status, headers: headers, body: "{}")
        ])
        let error = await #expect(throws: BreezeError.self) {
            try await provider.resolve(ModelReference(provider: "huggingface", repository: "a/b"))
        }
        #expect(error?.code == expected)
        #expect(error?.remedy != nil)
        #expect(error?.message.contains("hf_secret") == false)
        if status == 429 { #expect(error?.retryAfter == .seconds(7)) }
    }

    @Test(arguments: ["not json", "[]", "{\"siblings\":7}"])
    func `an answer that is none is a typed error`(body: String) async throws {
        let (_, provider) = try hub(["/api/models/a/b/revision/main?blobs=true": .init(body: body)])
        let error = await #expect(throws: BreezeError.self) {
            try await provider.resolve(ModelReference(provider: "huggingface", repository: "a/b"))
        }
        #expect(error?.code == .invalidResponse)
    }

    @Test func `a search asks for text, author and format, and reads the list`() async throws {
        let path =
            "/api/models?limit=5&full=true&search=qwen&author=mlx-community&filter=mlx&sort=downloads&direction=-1"
        let (_, provider) = try hub([
            path: .init(
                body: """
                    [{"id":"mlx-community/Qwen3-0.6B-4bit","gated":"auto","downloads":9,"likes":2,
                      "tags":["mlx","license:apache-2.0"]}]
                    """
            )
        ])
        let query = ModelQuery(text: "qwen", author: "mlx-community", format: "mlx", limit: 5)
        let offer = try #require(try await provider.discoverModels(query).first)
        #expect(offer.name == "mlx-community/Qwen3-0.6B-4bit")
        #expect(offer.isGated && offer.license == "apache-2.0" && offer.downloads == 9)
    }

    @Test func `several files that nothing tells apart are asked about`() async throws {
        let body = Self.repository.replacing("b-Q4_K_M", with: "b-Q5_K_M")
        let (_, provider) = try hub(["/api/models/a/b/revision/main?blobs=true": .init(body: body)])
        let error = await #expect(throws: BreezeError.self) {
            try await provider.resolve(ModelReference(provider: "huggingface", repository: "a/b"))
        }
        #expect(error?.code == .invalidParameter)
        #expect(error?.remedy?.contains("b-Q8_0.gguf") == true)
        let named = ModelReference(provider: "huggingface", repository: "a/b", files: ["q8_0"])
        #expect(try await provider.resolve(named).files.map(\.name) == ["b-Q8_0.gguf"])
    }

    @Test func `Kaggle's editions have a version, files and no digests`() async throws {
        let transport = ScriptedTransport([
            "/api/v1/models/google/gemma/gguf/2b/get": .init(
                body: #"{"versionNumber":3,"licenseName":"Apache 2.0","slug":"2b"}"#
            ),
            "/api/v1/models/google/gemma/gguf/2b/3/files?pageSize=100": .init(
                body: #"{"files":[{"name":"m.gguf","size":12}],"nextPageToken":"t"}"#
            ),
            "/api/v1/models/google/gemma/gguf/2b/3/files?pageSize=100&pageToken=t": .init(
                body: #"{"files":[{"name":"config.json","size":2}],"nextPageToken":""}"#
            ),
        ])
        let endpoint = try #require(URL(string: "https://kaggle.test/api/v1"))
        let provider = KaggleProvider(transport: transport, endpoint: endpoint) { ("me", "key") }
        let reference = try ModelReference(parsing: "kaggle:google/gemma/gguf/2b")
        let package = try await provider.resolve(reference)
        #expect(package.files.map(\.name) == ["m.gguf"])
        #expect(package.files.first?.sha256 == nil)
        #expect(package.revision == "3" && package.license.name == "Apache-2.0")
        // RFC 7617: base64 of "me:key".
        #expect(transport.requests.first?.headers["Authorization"] == "Basic bWU6a2V5")
    }

    @Test func `Kaggle's failures with status 200 are failures`() async throws {
        let transport = ScriptedTransport([
            "/api/v1/models/a/b/c/d/get": .init(body: #"{"code":403,"message":"Consent is needed."}"#)
        ])
        let endpoint = try #require(URL(string: "https://kaggle.test/api/v1"))
        let provider = KaggleProvider(transport: transport, endpoint: endpoint)
        let error = await #expect(throws: BreezeError.self) {
            try await provider.resolve(try ModelReference(parsing: "kaggle:a/b/c/d"))
        }
        #expect(error?.code == .authRequired)
    }

    @Test func `a provider is replaced while the program runs`() async throws {
        let transport = ScriptedTransport(["/m.bin": .init(headers: ["Content-Length": "7"])])
        let registry = ProviderRegistry([AddressProvider(transport: transport), LocalFileProvider()])
        #expect(await registry.all.map(\.name) == ["file", "url"])
        let digest = String(repeating: "c", count: 64)
        await registry.register(AddressProvider(transport: transport, sha256: digest))
        let package = try await registry.provider("url").resolve(
            try ModelReference(parsing: "https://x.test/m.bin")
        )
        #expect(package.files.first?.sha256 == digest && package.files.first?.size == 7)
        let error = await #expect(throws: BreezeError.self) { try await registry.provider("urk") }
        #expect(error?.remedy == "Did you mean url?")
    }

    @Test(arguments: [404, 405, 501])
    func `a server that tells no size is asked for the file all the same`(status: Int) async throws {
        let transport = ScriptedTransport(["/m.bin": .init(status: status)])
        let reference = try ModelReference(parsing: "https://x.test/m.bin")
        let package = try await AddressProvider(transport: transport).resolve(reference)
        #expect(package.files.map(\.name) == ["m.bin"] && package.size == nil)
        #expect(transport.requests.map(\.method) == ["HEAD"])
    }
}
