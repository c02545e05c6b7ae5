public import Foundation

/// What OpenRouter takes beyond OpenAI's protocol. In JSON with OpenRouter's own names.
public struct OpenRouterOptions: Codable, Hashable, Sendable {
    /// The app's site and name in OpenRouter's public rankings, sent as `HTTP-Referer` and `X-Title`; `nil` sends
    /// neither.
    public var referer: URL?
    public var title: String?
    /// Models that answer where the asked one cannot, in order.
    public var models: [String]
    public var provider: ProviderPreferences

    public init(
        referer: URL? = nil,
        title: String? = nil,
        models: [String] = [],
        provider: ProviderPreferences = ProviderPreferences()
    ) {
        self.referer = referer
        self.title = title
        self.models = models
        self.provider = provider
    }

    /// Which of the companies behind OpenRouter may answer. What is `nil` is left to OpenRouter.
    public struct ProviderPreferences: Codable, Hashable, Sendable {
        public enum DataCollection: String, Codable, Sendable { case allow, deny }
        public enum Sort: String, Codable, Sendable { case price, throughput, latency }

        /// Tried first, in this order, by their slugs.
        public var order: [String]?
        /// No others.
        public var only: [String]?
        public var ignore: [String]?
        public var allowFallbacks: Bool?
        /// Only those that heed every parameter of the request: the others drop what they do not know.
        public var requireParameters: Bool?
        /// `deny` leaves those out that may keep or learn from what they are sent.
        public var dataCollection: DataCollection?
        /// Only endpoints that keep nothing at all.
        public var zdr: Bool?
        public var quantizations: [String]?
        public var sort: Sort?
        /// US dollars for a million tokens: `prompt`, `completion`.
        public var maxPrice: [String: Double]?

        private enum CodingKeys: String, CodingKey {
            case order, only, ignore, zdr, quantizations, sort
            case allowFallbacks = "allow_fallbacks"
            case requireParameters = "require_parameters"
            case dataCollection = "data_collection"
            case maxPrice = "max_price"
        }

        /// Unless told otherwise, nobody who collects data, and nobody who would drop a parameter.
        public init(
            order: [String]? = nil,
            only: [String]? = nil,
            ignore: [String]? = nil,
            allowFallbacks: Bool? = nil,
            requireParameters: Bool? = true,
            dataCollection: DataCollection? = .deny,
            zdr: Bool? = nil,
            quantizations: [String]? = nil,
            sort: Sort? = nil,
            maxPrice: [String: Double]? = nil
        ) {
            self.order = order
            self.only = only
            self.ignore = ignore
            self.allowFallbacks = allowFallbacks
            self.requireParameters = requireParameters
            self.dataCollection = dataCollection
            self.zdr = zdr
            self.quantizations = quantizations
            self.sort = sort
            self.maxPrice = maxPrice
        }
    }
}

extension OpenRouterOptions {
    private enum CodingKeys: String, CodingKey { case referer, title, models, provider }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            referer: try values.decodeIfPresent(URL.self, forKey: .referer),
            title: try values.decodeIfPresent(String.self, forKey: .title),
            models: try values.decodeIfPresent([String].self, forKey: .models) ?? [],
            provider: try values.decodeIfPresent(ProviderPreferences.self, forKey: .provider)
                ?? ProviderPreferences()
        )
    }
}

extension OpenRouterOptions.ProviderPreferences {
    /// A field that is left out has the default of the memberwise initializer; `null` leaves it to OpenRouter.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        func value<Value: Decodable>(_ key: CodingKeys, or fallback: Value?) throws -> Value? {
            values.contains(key) ? try values.decodeIfPresent(Value.self, forKey: key) : fallback
        }
        self.init(
            order: try value(.order, or: nil),
            only: try value(.only, or: nil),
            ignore: try value(.ignore, or: nil),
            allowFallbacks: try value(.allowFallbacks, or: nil),
            requireParameters: try value(.requireParameters, or: true),
            dataCollection: try value(.dataCollection, or: .deny),
            zdr: try value(.zdr, or: nil),
            quantizations: try value(.quantizations, or: nil),
            sort: try value(.sort, or: nil),
            maxPrice: try value(.maxPrice, or: nil)
        )
    }

    /// `null` is written where a default would come back else.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encodeIfPresent(order, forKey: .order)
        try values.encodeIfPresent(only, forKey: .only)
        try values.encodeIfPresent(ignore, forKey: .ignore)
        try values.encodeIfPresent(allowFallbacks, forKey: .allowFallbacks)
        try values.encode(requireParameters, forKey: .requireParameters)
        try values.encode(dataCollection, forKey: .dataCollection)
        try values.encodeIfPresent(zdr, forKey: .zdr)
        try values.encodeIfPresent(quantizations, forKey: .quantizations)
        try values.encodeIfPresent(sort, forKey: .sort)
        try values.encodeIfPresent(maxPrice, forKey: .maxPrice)
    }
}
