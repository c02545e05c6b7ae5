import BreezeCore

/// A failure as it is written to standard error.
enum FailureText {
    private struct Envelope: Encodable {
        let error: BreezeError
    }

    /// One line: `{"error":{"code","message","remedy"}}`.
    static func json(_ error: BreezeError) -> String {
        // The three strings of an error always encode.
        (try? JSONText.line(Envelope(error: error.withRemedy))) ?? error.description
    }

    static func plain(_ error: BreezeError) -> String {
        var lines = ["breeze: \(error.message)"]
        if let remedy = error.remedy {
            lines += remedy.split(separator: "\n").map { "  \($0)" }
        }
        return lines.joined(separator: "\n").printable
    }
}

extension BreezeError {
    /// Scripts may rely on the field.
    fileprivate var withRemedy: BreezeError {
        remedy == nil ? BreezeError(code, message, remedy: "See what breeze doctor says.") : self
    }
}
