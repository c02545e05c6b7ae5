import Foundation

extension APIService {
    /// OpenRouter, which passes requests on to many companies; `options` say to which.
    public static func openRouter(
        models: [APIModel],
        options: OpenRouterOptions = OpenRouterOptions()
    ) -> APIService {
        APIService(
            name: "openrouter",
            title: "OpenRouter",
            baseURL: address("https://openrouter.ai/api/v1"),
            keyName: "openrouter",
            extensions: Set(Extension.allCases),
            openRouter: options,
            models: models
        )
    }

    public static func openAI(models: [APIModel], dialect: Dialect = .responses) -> APIService {
        APIService(
            name: "openai",
            title: "OpenAI",
            baseURL: address("https://api.openai.com/v1"),
            dialect: dialect,
            keyName: "openai",
            tokenLimitField: .maxCompletionTokens,
            models: models
        )
    }

    private static func address(_ text: StaticString) -> URL {
        guard let url = URL(string: "\(text)") else { preconditionFailure("\(text) is no address") }
        return url
    }
}
