/// The languages that clients speak.
package enum WireDialect: String, Sendable, CaseIterable {
    case openAI
    case ollama
    /// Breeze's own, of the route for its SDK.
    case native

    /// Whose error shape a path gets, known or not: Ollama's routes are the ones under `/api`, and the panel's have
    /// OpenAI's.
    package init(path: String) {
        self =
            switch path {
            case "/api": .ollama
            case "/breeze/v1/inference": .native
            default: path.hasPrefix("/api/") ? .ollama : .openAI
            }
    }
}
