import Foundation

/// In JSON an object with `requestID`, `kind`, and the fields of that kind.
extension InferenceChunk: Codable {
    private enum Kind: String, Codable {
        case text, reasoning, toolCall, audio, embedding, classification, progress, result
    }
    private enum CodingKeys: String, CodingKey {
        case requestID, kind, text, toolCall, audio, index, embedding, classification, progress, result
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        func value<Value: Decodable>(_ key: CodingKeys) throws -> Value {
            try values.decode(Value.self, forKey: key)
        }
        let content: Content =
            switch try values.decode(Kind.self, forKey: .kind) {
            case .text: .text(try value(.text))
            case .reasoning: .reasoning(try value(.text))
            case .toolCall: .toolCall(try value(.toolCall))
            case .audio: .audio(try value(.audio))
            case .embedding: .embedding(index: try value(.index), vector: try value(.embedding))
            case .classification:
                .classification(index: try value(.index), try value(.classification))
            case .progress: .progress(try value(.progress))
            case .result: .result(try value(.result))
            }
        self.init(requestID: try value(.requestID), content)
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(requestID, forKey: .requestID)
        func put(_ kind: Kind, _ value: some Encodable, _ key: CodingKeys, index: Int? = nil) throws {
            try values.encode(kind, forKey: .kind)
            try values.encodeIfPresent(index, forKey: .index)
            try values.encode(value, forKey: key)
        }
        switch content {
        case .text(let text): try put(.text, text, .text)
        case .reasoning(let text): try put(.reasoning, text, .text)
        case .toolCall(let call): try put(.toolCall, call, .toolCall)
        case .audio(let data): try put(.audio, data, .audio)
        case .embedding(let index, let vector): try put(.embedding, vector, .embedding, index: index)
        case .classification(let index, let found):
            try put(.classification, found, .classification, index: index)
        case .progress(let progress): try put(.progress, progress, .progress)
        case .result(let result): try put(.result, result, .result)
        }
    }
}
