import BreezeCore

/// The services that Breeze knows, in the order in which they are listed. An app adds its own.
public struct CredentialServices: Sendable {
    public private(set) var all: [CredentialService]

    public init(_ services: [CredentialService]) {
        all = services
    }

    /// Replaces a service of the same name.
    public mutating func register(_ service: CredentialService) {
        if let index = all.firstIndex(where: { $0.name == service.name }) {
            all[index] = service
        } else {
            all.append(service)
        }
    }

    /// - Throws: ``BreezeError`` `.invalidRequest` where there is none. What was asked for is not repeated: it may be
    ///   the secret itself, typed in the wrong place.
    public func named(_ name: String) throws -> CredentialService {
        if let service = all.first(where: { $0.name == name }) { return service }
        if name.hasPrefix(CredentialService.customPrefix) {
            return try .custom(String(name.dropFirst(CredentialService.customPrefix.count)))
        }
        let names = all.map(\.name)
        throw BreezeError(
            .invalidRequest,
            "There is no service of that name.",
            remedy: (nearestName(to: name, in: names).map { "Did you mean \($0)? " } ?? "")
                + "There are \(names.joined(separator: ", ")), and custom:NAME for any other."
        )
    }
}

extension CredentialServices {
    public static let builtIn = CredentialServices([
        .huggingFace, .kaggle, .picovoice, .openRouter, .brave, .openAI,
    ])
}

extension CredentialService {
    public static let huggingFace = CredentialService(
        "huggingface",
        title: "Hugging Face",
        purpose: "models whose licence must be accepted first, and private ones",
        page: "https://huggingface.co/settings/tokens",
        parts: [Part("access token", variables: ["HF_TOKEN", "HUGGING_FACE_HUB_TOKEN"])]
    )
    public static let kaggle = CredentialService(
        "kaggle",
        title: "Kaggle",
        purpose: "models from Kaggle whose terms must be accepted first",
        page: "https://www.kaggle.com/settings",
        parts: [
            Part("user name", variables: ["KAGGLE_USERNAME"], isPublic: true),
            Part("key", variables: ["KAGGLE_KEY"]),
        ]
    )
    public static let picovoice = CredentialService(
        "picovoice",
        title: "Picovoice",
        purpose: "picoLLM models, whose library checks the key",
        page: "https://console.picovoice.ai",
        parts: [Part("AccessKey", variables: ["PICOVOICE_ACCESS_KEY"])]
    )
    public static let openRouter = CredentialService(
        "openrouter",
        title: "OpenRouter",
        purpose: "network models, where you allowed them",
        page: "https://openrouter.ai/settings/keys",
        parts: [Part("API key", variables: ["OPENROUTER_API_KEY"])]
    )
    public static let brave = CredentialService(
        "brave",
        title: "Brave Search",
        purpose: "searching the web, where you allowed it",
        page: "https://api-dashboard.search.brave.com/app/keys",
        parts: [Part("API key", variables: ["BRAVE_API_KEY"])]
    )
    public static let openAI = CredentialService(
        "openai",
        title: "OpenAI",
        purpose: "network models, where you allowed them",
        page: "https://platform.openai.com/api-keys",
        parts: [Part("API key", variables: ["OPENAI_API_KEY"])]
    )

    static let customPrefix = "custom:"

    /// A service of the user's own. Its variable is `BREEZE_SECRET_` and the name in capitals.
    /// - Throws: ``BreezeError`` `.invalidRequest`, without the name, where it is not lower-case letters, digits and
    ///   single hyphens between them, 64 at most.
    public static func custom(_ name: String) throws -> CredentialService {
        let words = name.split(separator: "-", omittingEmptySubsequences: false)
        let isName = words.allSatisfy { word in
            !word.isEmpty && word.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) }
        }
        guard isName, name.utf8.count <= 64 else {
            throw BreezeError(
                .invalidRequest,
                "A custom name is of lower-case letters, digits and hyphens between them, 64 at most.",
                remedy: "For example: breeze secrets set custom:my-server"
            )
        }
        return CredentialService(
            customPrefix + name,
            title: name,
            purpose: "a service of your own",
            page: nil,
            parts: [
                Part(
                    "key",
                    variables: ["BREEZE_SECRET_\(name.uppercased().replacing("-", with: "_"))"]
                )
            ]
        )
    }
}
