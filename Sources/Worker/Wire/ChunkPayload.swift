import BreezeCore
import Foundation

/// A chunk as bytes: a tag, then what it holds. What a decode loop sends for every token takes no detour through
/// JSON.
enum ChunkPayload {
    private enum Tag: UInt8 {
        case text, reasoning, audio, embedding, json
    }

    /// The request's id is known to both sides, so it is left out of every chunk that has it.
    static func encode(_ chunk: InferenceChunk, of requestID: String) throws -> [UInt8] {
        guard chunk.requestID == requestID else { return try json(chunk) }
        switch chunk.content {
        case .text(let text): return [Tag.text.rawValue] + text.utf8
        case .reasoning(let text): return [Tag.reasoning.rawValue] + text.utf8
        case .audio(let data): return [Tag.audio.rawValue] + data
        case .embedding(let index, let vector):
            guard let index = UInt32(exactly: index) else { return try json(chunk) }
            var bytes = [Tag.embedding.rawValue]
            bytes.reserveCapacity(5 + 4 * vector.count)
            bytes.append(index)
            bytes.append(vector)
            return bytes
        default: return try json(chunk)
        }
    }

    private static func json(_ chunk: InferenceChunk) throws -> [UInt8] {
        [Tag.json.rawValue] + (try WireJSON.encode(chunk))
    }

    static func decode(_ payload: ArraySlice<UInt8>, of requestID: String) throws(WireFault) -> InferenceChunk
    {
        var reader = ByteReader(payload)
        let number = try reader.byte()
        guard let tag = Tag(rawValue: number) else {
            throw WireFault("a chunk of the unknown kind \(number)")
        }
        switch tag {
        case .text: return InferenceChunk(requestID: requestID, .text(try reader.text()))
        case .reasoning: return InferenceChunk(requestID: requestID, .reasoning(try reader.text()))
        case .audio: return InferenceChunk(requestID: requestID, .audio(Data(reader.rest)))
        case .embedding:
            let index = Int(try reader.word())
            let vector = try reader.floats(reader.rest.count / 4)
            try reader.finish()
            return InferenceChunk(requestID: requestID, .embedding(index: index, vector: vector))
        case .json: return try reader.json()
        }
    }
}
