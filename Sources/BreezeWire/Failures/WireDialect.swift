/// The two languages that clients speak.
package enum WireDialect: String, Sendable, CaseIterable {
    case openAI
    case ollama

    /// Whose error shape a path gets, known or not: Ollama's routes are the ones under `/api`.
    package init(path: String) {
        self = path == "/api" || path.hasPrefix("/api/") ? .ollama : .openAI
    }
}
