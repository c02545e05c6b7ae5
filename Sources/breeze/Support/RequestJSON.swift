import BreezeCore
import Foundation

/// JSON that a person or a script wrote, with faults named by place and field.
enum RequestJSON {
    /// `what` begins a sentence about the JSON: a file's name, or `The request`. `command` is the one whose help has
    /// examples of it.
    static func decode<Value: Decodable>(_ type: Value.Type, from data: Data, what: String, command: String)
        throws -> Value
    {
        let text = try TextFile.text(data, from: what)
        guard !text.allSatisfy(\.isWhitespace) else {
            throw BreezeError(
                .invalidRequest,
                "\(what) is empty.",
                remedy: "It is JSON, for example {\"capability\":\"chat\",\"prompt\":\"hello\"}."
            )
        }
        do { return try JSONDecoder().decode(type, from: data) } catch {
            throw BreezeError(
                .invalidRequest,
                "\(what) \(fault(error, in: data)).",
                remedy:
                    "Compare it with the examples: breeze \(command) --help",
                underlying: error
            )
        }
    }

    private static func fault(_ error: any Error, in data: Data) -> String {
        switch error as? DecodingError {
        case .keyNotFound(let key, let context):
            "lacks the field \(path(context.codingPath + [key]))"
        case .typeMismatch(_, let context):
            "has a wrong kind of value at \(path(context.codingPath)): \(sentence(context.debugDescription))"
        case .valueNotFound(_, let context):
            "has no value at \(path(context.codingPath)), where one is needed"
        case .dataCorrupted(let context) where !context.codingPath.isEmpty:
            "has a wrong value at \(path(context.codingPath)): \(sentence(context.debugDescription))"
        case .dataCorrupted(let context):
            "is not valid JSON: "
                + (syntaxFault(in: Array(data)) ?? sentence(context.debugDescription))
        default:
            "cannot be read: \(error)"
        }
    }

    /// With its place, which Foundation does not tell on every platform.
    private static func syntaxFault(in bytes: [UInt8]) -> String? {
        do throws(StrictJSON.Fault) {
            _ = try StrictJSON(parsing: bytes)
            return nil
        } catch {
            return error.words(in: bytes)
        }
    }

    private static func sentence(_ text: String) -> String {
        text.hasSuffix(".") ? String(text.dropLast()) : text
    }

    /// `messages[2].content`.
    private static func path(_ keys: [any CodingKey]) -> String {
        guard !keys.isEmpty else { return "its top" }
        return keys.reduce("") { path, key in
            if let index = key.intValue { return "\(path)[\(index)]" }
            return path.isEmpty ? key.stringValue : "\(path).\(key.stringValue)"
        }
    }
}
