import BreezeCore
import BreezeTransport
import Foundation

/// Reads answers of `embeddings`.
enum EmbeddingReader {
    /// The vectors of `count` texts, in the order of the texts.
    /// - Throws: ``BreezeError/Code/invalidResponse`` where one is missing, or not like the others.
    static func vectors(_ body: JSONValue, count: Int) throws -> [[Float]] {
        guard let data = body["data"]?.arrayValue, data.count == count else {
            throw invalid("it holds \(body["data"]?.arrayValue?.count ?? 0) vectors for \(count) texts")
        }
        var vectors = [[Float]](repeating: [], count: count)
        for (position, element) in data.enumerated() {
            let index = element["index"]?.intValue ?? position
            guard vectors.indices.contains(index), vectors[index].isEmpty else {
                throw invalid("its vectors are not numbered as the texts are")
            }
            guard let vector = vector(element["embedding"]), !vector.isEmpty,
                vector.allSatisfy(\.isFinite)
            else {
                throw invalid("vector \(index + 1) is no list of numbers")
            }
            vectors[index] = vector
        }
        guard Set(vectors.map(\.count)).count <= 1 else { throw invalid("its vectors differ in length") }
        return vectors
    }

    /// Numbers, or base64 of little-endian float32, which some servers send unasked.
    private static func vector(_ value: JSONValue?) -> [Float]? {
        if let numbers = value?.arrayValue {
            let vector = numbers.compactMap { $0.doubleValue.map { Float($0) } }
            return vector.count == numbers.count ? vector : nil
        }
        guard let text = value?.stringValue, let data = Data(base64Encoded: text), data.count % 4 == 0 else {
            return nil
        }
        let bytes = [UInt8](data)
        return stride(from: 0, to: bytes.count, by: 4).map { start in
            let bits = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[start + $1]) << (8 * UInt32($1)) }
            return Float(bitPattern: bits)
        }
    }

    private static func invalid(_ why: String) -> BreezeError {
        BreezeError(.invalidResponse, "The service's embeddings cannot be used: \(why).")
    }
}
