package import BreezeCore

/// Why no value could be made from a schema, or none could be checked.
package enum SchemaFailure: Error {
    /// A keyword that is not understood, or that no value was found for.
    case unsupported(keyword: String)
    /// The schema breaks the rules of JSON Schema.
    case malformed(keyword: String, reason: String)
    /// A `$ref` leads back to itself with no way out.
    case endless
    case tooLarge(String)

    /// As the caller's error; `parameter` says whose schema it is, `runner` who cannot satisfy it.
    package func error(in parameter: String, by runner: String) -> BreezeError {
        let remedy = "Simplify the schema, or ask another runner."
        switch self {
        case .unsupported(let keyword):
            return BreezeError(
                .unsupported,
                "The keyword \(keyword) in \(parameter) is one that \(runner) cannot satisfy.",
                remedy: remedy
            )
        case .malformed(let keyword, let reason):
            return BreezeError(
                .invalidRequest,
                "\(parameter) is no valid JSON Schema: \(keyword) \(reason).",
                remedy: "Correct the schema."
            )
        case .endless:
            return BreezeError(
                .unsupported,
                "The keyword $ref in \(parameter) asks for a value without end.",
                remedy: remedy
            )
        case .tooLarge(let what):
            return BreezeError(
                .unsupported,
                "\(parameter) asks for more than \(runner) makes: \(what).",
                remedy: remedy
            )
        }
    }
}
