import BreezeCore
import Foundation

/// A result as bytes: the length of its JSON, the JSON without its vectors or its recording, then these.
enum ResultPayload {
    static func encode(_ result: InferenceResult) throws -> [UInt8] {
        var slim = result
        var blob: [UInt8] = []
        switch result.output {
        case .embeddings(let vectors):
            slim.output = .embeddings([])
            blob.reserveCapacity(vectors.reduce(0) { $0 + 4 + 4 * $1.count })
            for vector in vectors {
                blob.append(UInt32(vector.count))
                blob.append(vector)
            }
        case .audio(var clip):
            blob = Array(clip.data)
            clip.data = Data()
            slim.output = .audio(clip)
        default: break
        }
        let json = try WireJSON.encode(slim)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(4 + json.count + blob.count)
        bytes.append(UInt32(json.count))
        bytes.append(contentsOf: json)
        bytes.append(contentsOf: blob)
        return bytes
    }

    static func decode(_ payload: ArraySlice<UInt8>) throws(WireFault) -> InferenceResult {
        var reader = ByteReader(payload)
        var head = ByteReader(try reader.take(Int(try reader.word())))
        var result = try head.json(InferenceResult.self)
        switch result.output {
        case .embeddings:
            var vectors: [[Float]] = []
            while !reader.rest.isEmpty { vectors.append(try reader.floats(Int(try reader.word()))) }
            result.output = .embeddings(vectors)
        case .audio(var clip):
            clip.data = Data(reader.rest)
            result.output = .audio(clip)
        default: try reader.finish()
        }
        return result
    }
}
