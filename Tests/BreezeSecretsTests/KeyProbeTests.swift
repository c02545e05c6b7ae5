import BreezeCore
import BreezeSecrets
import Foundation
import Testing

/// Requests and answers as the services' documentation has them.
@Suite struct `Checking a key` {
    private func probe(_ name: String, _ environment: [String: String] = [:]) throws -> KeyProbe? {
        let service = try CredentialServices.builtIn.named(name)
        let texts = service.isPair ? ["ann", "marker"] : ["marker"]
        let values = try texts.map { try Secret($0, named: "It") }
        let credential = Credential(service: service, values: values, source: CredentialSource(.terminal))
        return try KeyProbe(credential, environment: environment)
    }

    @Test(arguments: [
        ("huggingface", "https://huggingface.co/api/whoami-v2", "Authorization", "Bearer marker"),
        // printf ann:marker | base64
        ("kaggle", "https://www.kaggle.com/api/v1/hello", "Authorization", "Basic YW5uOm1hcmtlcg=="),
        ("openrouter", "https://openrouter.ai/api/v1/key", "Authorization", "Bearer marker"),
        ("openai", "https://api.openai.com/v1/models", "Authorization", "Bearer marker"),
        ("brave", "https://api.search.brave.com/res/v1/web/search", "X-Subscription-Token", "marker"),
    ])
    func `asks where the service says`(
        _ name: String,
        _ url: String,
        _ header: String,
        _ value: String
    ) throws {
        let probe = try #require(try probe(name))
        #expect(probe.url.absoluteString == url)
        #expect(probe.header == header)
        #expect(probe.value.reveal() == value)
    }

    @Test func `heeds another address of Hugging Face`() throws {
        let probe = try probe("huggingface", ["HF_ENDPOINT": "https://hf.example.org/"])
        #expect(probe?.url.absoluteString == "https://hf.example.org/api/whoami-v2")
        #expect(throws: BreezeError.self) { try self.probe("huggingface", ["HF_ENDPOINT": "not an address"]) }
    }

    private static let answers: [(String, Int, String, SecretCheckOutcome)] = [
        ("huggingface", 200, #"{"type":"user","name":"ann","orgs":[]}"#, .accepted(account: "ann")),
        ("huggingface", 401, #"{"error":"Invalid credentials in Authorization header"}"#, .refused),
        ("kaggle", 200, #"{"userName":"ann"}"#, .accepted(account: "ann")),
        ("kaggle", 200, #"{"code":401,"message":"Unauthenticated"}"#, .refused),
        ("kaggle", 401, "", .refused),
        ("openrouter", 200, #"{"data":{"label":"sk-or-v1-mar...ker"}}"#, .accepted(account: nil)),
        ("openrouter", 401, #"{"error":{"code":401,"message":"User not found."}}"#, .refused),
        ("brave", 422, #"{"error":{"code":"VALIDATION","status":422}}"#, .accepted(account: nil)),
        ("brave", 422, #"{"error":{"code":"SUBSCRIPTION_TOKEN_INVALID","status":422}}"#, .refused),
    ]

    @Test(arguments: answers)
    func `understands the answers`(
        _ name: String,
        _ status: Int,
        _ body: String,
        _ outcome: SecretCheckOutcome
    ) throws {
        let answer = KeyProbe.Answer(status: status, body: Array(body.utf8))
        #expect(try probe(name)?.outcome(of: answer) == outcome)
    }

    @Test(arguments: [
        ("huggingface", 503, ""), ("huggingface", 200, "<html>marker</html>"), ("kaggle", 200, "{}"),
        ("brave", 422, "{}"), ("brave", 429, ""), ("openrouter", 403, ""),
    ])
    func `an answer that says nothing of the key is neither`(
        _ name: String,
        _ status: Int,
        _ body: String
    ) throws {
        let probe = try #require(try probe(name))
        let answer = KeyProbe.Answer(status: status, body: Array(body.utf8))
        let error = #expect(throws: BreezeError.self) { try probe.outcome(of: answer) }
        #expect(error?.code.rawValue == "resource_unavailable")
        #expect(error.map { "\($0)".contains("marker") } == false)
    }

    @Test(arguments: ["picovoice", "custom:mine"])
    func `where no request tells, none is made`(_ name: String) async throws {
        let service = try CredentialServices.builtIn.named(name)
        let value = try Secret("marker", named: "It")
        let credential = Credential(service: service, values: [value], source: CredentialSource(.terminal))
        let check = KeyProbe.check(environment: [:]) { _ in
            Issue.record("asked")
            return KeyProbe.Answer(status: 200, body: [])
        }
        guard case .notCheckable(let why) = try await check(credential) else {
            Issue.record("not said")
            return
        }
        #expect(!why.isEmpty)
    }
}
