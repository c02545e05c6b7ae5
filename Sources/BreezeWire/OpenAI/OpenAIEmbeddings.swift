package import BreezeCore
import Foundation

/// `POST /v1/embeddings`
package enum OpenAIEmbeddings {
    package static func parse(_ body: [UInt8]) throws -> EmbeddingCall {
        var (call, remarks) = try WireBody.read(body) { try read(&$0) }
        call.remarks = remarks
        return call
    }

    private static func read(_ fields: inout WireFields) throws -> EmbeddingCall {
        let model = try fields.requiredString("model")
        let input = try input(&fields)
        var config = InferenceConfig()
        config.keepAlive = try fields.keepAlive()
        config.contextSize = try fields.integer("num_ctx")
        let parts: KeyValuePairs<String, InputType> = [
            "query": .query, "passage": .passage, "search_query": .query, "search_document": .passage,
        ]
        var call = EmbeddingCall(
            model: model,
            input: input,
            configuration: config,
            inputType: try fields.word("input_type", parts)
        )
        let encodings: KeyValuePairs<String, EmbeddingCall.Encoding> = ["float": .float, "base64": .base64]
        call.encoding = try fields.word("encoding_format", encodings) ?? .float
        call.dimensions = try fields.integer("dimensions", in: 1...1_000_000)
        fields.accept("user")
        return call
    }

    /// A string, strings, tokens, or lists of tokens; all of one kind, and none of them empty.
    private static func input(_ fields: inout WireFields) throws -> EmbeddingCall.Input {
        let takes = "a string, a list of strings, a list of tokens, or a list of lists of tokens"
        guard let value = fields.raw("input") else { throw fields.missing("input", takes: takes) }
        let place = fields.path.member("input")
        if let text = value.string { return .texts([try checked(text, at: place)]) }
        guard let elements = value.array, let first = elements.first else {
            throw value.array == nil
                ? fields.wrong("input", value, takes: takes)
                : BreezeError.field(place, "is empty", takes: takes)
        }
        switch first {
        case .string:
            return .texts(
                try elements.enumerated().map { index, element in
                    guard let text = element.string else {
                        throw BreezeError.field(
                            place.element(index),
                            "is \(element.kindName)",
                            takes: "a string"
                        )
                    }
                    return try checked(text, at: place.element(index))
                }
            )
        case .integer: return .tokens([try tokens(elements, at: place)])
        case .array:
            return .tokens(
                try elements.enumerated().map { index, element in
                    guard let list = element.array, !list.isEmpty else {
                        let takes = "a list of tokens that is not empty"
                        throw BreezeError.field(place.element(index), "is \(element.kindName)", takes: takes)
                    }
                    return try tokens(list, at: place.element(index))
                }
            )
        default:
            throw BreezeError.field(place.element(0), "is \(first.kindName)", takes: "a string or a token")
        }
    }

    private static func checked(_ text: String, at place: WirePath) throws -> String {
        guard !text.isEmpty else {
            throw BreezeError.field(place, "is empty", takes: "a text that is not empty")
        }
        return text
    }

    static func tokens(_ elements: [StrictJSON], at place: WirePath) throws -> [Int] {
        try elements.enumerated().map { index, element in
            guard let token = element.wholeNumber, token >= 0, token <= Int(Int32.max) else {
                let takes = "a token, an integer from 0"
                throw BreezeError.field(place.element(index), "is no token", takes: takes)
            }
            return token
        }
    }

    package static func answer(_ result: InferenceResult, to call: EmbeddingCall) throws -> [UInt8] {
        let vectors = try call.vectors(of: result)
        var remarks = call.remarks
        remarks.notices += call.notices(of: result)
        var writer = JSONWriter(reserving: 1_024 + 12 * vectors.count * (vectors.first?.count ?? 0))
        writer.object { writer in
            writer.field("object", "list")
            writer.field("model", call.model)
            writer.array("data") { writer in
                for (index, vector) in vectors.enumerated() {
                    writer.object { writer in
                        writer.field("object", "embedding")
                        writer.field("index", index)
                        switch call.encoding {
                        case .float: writer.field("embedding", vector)
                        case .base64: writer.field("embedding", base64(vector))
                        }
                    }
                }
            }
            writer.object("usage") { writer in
                writer.field("prompt_tokens", result.usage.inputTokens)
                writer.field("total_tokens", result.usage.inputTokens)
            }
            writer.field("breeze", BreezeAccount([result], remarks))
        }
        return writer.bytes
    }

    /// Little-endian, as NumPy's `"<f4"` reads it.
    private static func base64(_ vector: [Float]) -> String {
        var data = Data(capacity: 4 * vector.count)
        for number in vector {
            withUnsafeBytes(of: number.bitPattern.littleEndian) { data.append(contentsOf: $0) }
        }
        return data.base64EncodedString()
    }
}
