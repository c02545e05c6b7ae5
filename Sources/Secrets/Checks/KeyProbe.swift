import BreezeCore
public import Foundation

/// The one request that tells whether a service takes a key, and what its answer means. It costs nothing at any of
/// them.
public struct KeyProbe: Sendable {
    /// What a service said, as far as it matters.
    public struct Answer: Sendable {
        public let status: Int
        public let body: [UInt8]

        public init(status: Int, body: [UInt8]) {
            self.status = status
            self.body = body
        }
    }

    /// Sends it, as a GET, without following a redirect to another host.
    public typealias Send = @Sendable (KeyProbe) async throws -> Answer

    public let service: CredentialService
    public let url: URL
    /// The header that carries ``value``.
    public let header: String
    public let value: Secret
    private let kind: Kind

    private enum Kind { case huggingFace, kaggle, brave, keyOnly }

    /// `nil` where no request tells. `HF_ENDPOINT` in the environment names another Hugging Face.
    public init?(_ credential: Credential, environment: [String: String] = [:]) throws {
        service = credential.service
        let key = credential.key
        switch service.name {
        case CredentialService.huggingFace.name:
            let endpoint = environment["HF_ENDPOINT"].flatMap { $0.isEmpty ? nil : $0 }
            url = try Self.url((endpoint ?? "https://huggingface.co"), "/api/whoami-v2")
            (kind, header, value) = (.huggingFace, "Authorization", try Self.bearer(key))
        case CredentialService.kaggle.name:
            url = try Self.url("https://www.kaggle.com", "/api/v1/hello")
            let pair = Data("\(credential.user?.reveal() ?? ""):\(key.reveal())".utf8)
            let basic = "Basic \(pair.base64EncodedString())"
            (kind, header, value) = (.kaggle, "Authorization", try Secret(basic, named: "The header"))
        case CredentialService.openRouter.name:
            url = try Self.url("https://openrouter.ai", "/api/v1/key")
            (kind, header, value) = (.keyOnly, "Authorization", try Self.bearer(key))
        case CredentialService.openAI.name:
            url = try Self.url("https://api.openai.com", "/v1/models")
            (kind, header, value) = (.keyOnly, "Authorization", try Self.bearer(key))
        case CredentialService.brave.name:
            // Without a query, which alone would be billed.
            url = try Self.url("https://api.search.brave.com", "/res/v1/web/search")
            (kind, header, value) = (.brave, "X-Subscription-Token", key)
        default: return nil
        }
    }

    /// What the answer says of the key. Nothing of the body but an account's name is passed on: OpenRouter's holds
    /// parts of the key.
    /// - Throws: ``BreezeError`` `.resourceUnavailable` where the answer says nothing of it.
    public func outcome(of answer: Answer) throws -> SecretCheckOutcome {
        let fields = try? JSONDecoder().decode(Fields.self, from: Data(answer.body))
        switch (kind, answer.status) {
        case (_, 401): return .refused
        case (.kaggle, 200) where fields?.code == 401: return .refused
        case (.kaggle, 200) where fields?.userName != nil: return .accepted(account: fields?.userName)
        case (.huggingFace, 200) where fields?.name != nil: return .accepted(account: fields?.name)
        case (.keyOnly, 200): return .accepted(account: nil)
        case (.brave, 422) where fields?.error?.code == "SUBSCRIPTION_TOKEN_INVALID": return .refused
        // Nothing but the query that was left out is missed.
        case (.brave, 422) where fields?.error?.code == "VALIDATION": return .accepted(account: nil)
        default:
            throw BreezeError.resourceUnavailable(
                "\(service.title) answered with status \(answer.status), which says nothing of the \(partName).",
                remedy: "Try again later."
            )
        }
    }

    private var partName: String { service.parts[service.parts.count - 1].name }

    private struct Fields: Decodable {
        struct Fault: Decodable { let code: String? }
        let name: String?
        let userName: String?
        let code: Int?
        let error: Fault?

        private enum CodingKeys: CodingKey { case name, userName, code, error }

        /// Services differ in what kind of value a name stands for; one that is of another kind says nothing.
        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            name = try? values.decodeIfPresent(String.self, forKey: .name)
            userName = try? values.decodeIfPresent(String.self, forKey: .userName)
            code = try? values.decodeIfPresent(Int.self, forKey: .code)
            error = try? values.decodeIfPresent(Fault.self, forKey: .error)
        }
    }

    private static func bearer(_ key: Secret) throws -> Secret {
        try Secret("Bearer \(key.reveal())", named: "The header")
    }

    private static func url(_ base: String, _ path: String) throws -> URL {
        let trimmed = base.hasSuffix("/") ? String(base.dropLast()) : base
        guard let url = URL(string: trimmed + path), url.host() != nil else {
            throw BreezeError(
                .invalidSetting,
                "HF_ENDPOINT is no address.",
                remedy: "Give it as in https://huggingface.co, or unset it."
            )
        }
        return url
    }
}

extension KeyProbe {
    /// A check that asks by `send`.
    public static func check(
        environment: [String: String],
        by send: @escaping Send
    ) -> SecretCheck {
        { credential in
            guard let probe = try KeyProbe(credential, environment: environment) else {
                return .notCheckable(reason(for: credential.service))
            }
            return try probe.outcome(of: try await send(probe))
        }
    }

    private static func reason(for service: CredentialService) -> String {
        service.name == CredentialService.picovoice.name
            ? "A Picovoice AccessKey is checked by Picovoice's own library, when it starts."
            : "Breeze knows no request by which \(service.title) says whether it takes a key."
    }
}
