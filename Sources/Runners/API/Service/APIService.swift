public import BreezeCore
public import Foundation

/// A service that speaks OpenAI's protocol, and what of it may be asked: OpenRouter, OpenAI, a vLLM or MLC server, a
/// cluster behind a balancer, another device's hub. Holds no secret, so that it may stand in a file.
public struct APIService: Hashable, Sendable {
    public enum Dialect: String, Codable, Sendable {
        /// `chat/completions`: every compatible server has it.
        case chatCompletions
        /// `responses`: no seed, stop texts or penalties.
        case responses
    }

    /// A sampling parameter beyond OpenAI's own. A server that does not know one mostly drops it without a word, so
    /// each is sent only where it is said to be known.
    public enum Extension: String, Codable, CaseIterable, Sendable {
        case topK, minP, repetitionPenalty
    }

    /// What the server calls the most tokens of an answer. OpenAI's newer models refuse the older name.
    public enum TokenLimitField: String, Codable, Sendable {
        case maxTokens = "max_tokens"
        case maxCompletionTokens = "max_completion_tokens"
    }

    /// Lower-case letters, digits, `-` and `_`: the first part of the runners' ids.
    public var name: String
    /// What people call it.
    public var title: String
    /// What paths such as `chat/completions` are appended to: `https://openrouter.ai/api/v1`. Plain http is for
    /// loopback alone.
    public var baseURL: URL
    public var dialect: Dialect
    /// Sent with each request. A key has no place here.
    public var headers: [String: String]
    /// The name under which the key is kept, as `breeze secrets set` takes it; `nil` where the server wants none.
    public var keyName: String?
    public var extensions: Set<Extension>
    public var tokenLimitField: TokenLimitField
    /// Whether answers are asked for as streams. Without, a long answer is one long silence.
    public var streams: Bool
    /// Requests that may be under way at once, for each model.
    public var concurrency: Int
    /// `.network`, unless the developer says otherwise.
    ///
    /// `.onDevice` takes the requests past the consent and the redaction that guard what leaves the device, and lets
    /// those through that are pinned to it. It is taken for a loopback address alone, and even there nobody but the
    /// developer can know that it is true: what listens may be a model on this device, or a tunnel or a proxy to a
    /// server elsewhere. So it is never derived from the address.
    public var locality: Locality
    /// `nil` for every service but OpenRouter: others refuse its fields.
    public var openRouter: OpenRouterOptions?
    public var models: [APIModel]

    public init(
        name: String,
        title: String? = nil,
        baseURL: URL,
        dialect: Dialect = .chatCompletions,
        headers: [String: String] = [:],
        keyName: String? = nil,
        extensions: Set<Extension> = [],
        tokenLimitField: TokenLimitField = .maxTokens,
        streams: Bool = true,
        concurrency: Int = 4,
        locality: Locality = .network,
        openRouter: OpenRouterOptions? = nil,
        models: [APIModel]
    ) {
        self.name = name
        self.title = title ?? name
        self.baseURL = baseURL
        self.dialect = dialect
        self.headers = headers
        self.keyName = keyName
        self.extensions = extensions
        self.tokenLimitField = tokenLimitField
        self.streams = streams
        self.concurrency = concurrency
        self.locality = locality
        self.openRouter = openRouter
        self.models = models
    }
}

/// A model of a service.
public struct APIModel: Hashable, Sendable {
    /// As the service calls it: `anthropic/claude-sonnet-4.5`.
    public var id: String
    /// Of chat, vlm and embedding. With vlm, the turns of a chat may hold images, too.
    public var capabilities: [AICapability]
    /// Tokens of input and output together.
    public var contextLength: Int?
    /// As ``Runner/qualityTier``.
    public var qualityTier: Int

    public init(
        _ id: String,
        capabilities: [AICapability] = [.chat],
        contextLength: Int? = nil,
        qualityTier: Int = 5
    ) {
        self.id = id
        self.capabilities = capabilities
        self.contextLength = contextLength
        self.qualityTier = qualityTier
    }
}

extension APIModel: Codable {
    private enum CodingKeys: String, CodingKey { case id, capabilities, contextLength, qualityTier }

    /// Only `id` must be there.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try values.decode(String.self, forKey: .id),
            capabilities: try values.decodeIfPresent([AICapability].self, forKey: .capabilities) ?? [.chat],
            contextLength: try values.decodeIfPresent(Int.self, forKey: .contextLength),
            qualityTier: try values.decodeIfPresent(Int.self, forKey: .qualityTier) ?? 5
        )
    }
}

extension APIService: Codable {
    private enum CodingKeys: String, CodingKey {
        case name, title, baseURL, dialect, headers, keyName, extensions, tokenLimitField, streams,
            concurrency
        case locality, openRouter, models
    }

    /// `name`, `baseURL` and `models` must be there; the others have the defaults of the memberwise initializer.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        func value<Value: Decodable>(_ key: CodingKeys, or fallback: Value) throws -> Value {
            try values.decodeIfPresent(Value.self, forKey: key) ?? fallback
        }
        self.init(
            name: try values.decode(String.self, forKey: .name),
            title: try values.decodeIfPresent(String.self, forKey: .title),
            baseURL: try values.decode(URL.self, forKey: .baseURL),
            dialect: try value(.dialect, or: .chatCompletions),
            headers: try value(.headers, or: [:]),
            keyName: try values.decodeIfPresent(String.self, forKey: .keyName),
            extensions: try value(.extensions, or: []),
            tokenLimitField: try value(.tokenLimitField, or: .maxTokens),
            streams: try value(.streams, or: true),
            concurrency: try value(.concurrency, or: 4),
            locality: try value(.locality, or: .network),
            openRouter: try values.decodeIfPresent(OpenRouterOptions.self, forKey: .openRouter),
            models: try values.decode([APIModel].self, forKey: .models)
        )
    }
}
