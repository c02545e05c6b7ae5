package import BreezeCore
import Foundation
package import Synchronization

/// An encoder for tests: the sum of its words' directions, where synonyms share one. Remembers what it was asked.
package final class BagOfWords: InferenceService {
    package struct State: Sendable {
        package var requests: [InferenceRequest] = []
        package var model = "bag-of-words"
        package var dimension = 64
        /// Another one turns all directions.
        package var salt: UInt64 = 1
        package var locality = Locality.onDevice
        /// Called with each request before it is answered.
        package var before: (@Sendable (InferenceRequest) async throws -> Void)?
    }

    package let state = Mutex(State())
    package init() {}

    private static let synonyms = ["ship": "boat", "vessel": "boat", "lorry": "truck", "purchase": "buy"]

    package func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }

    /// The texts of all requests but those that only ask who it is.
    package var texts: [String] {
        state.withLock { $0.requests }.flatMap(\.texts).filter {
            !$0.hasPrefix("The lighthouse keeper's letter")
        }
    }

    package func run(_ request: InferenceRequest) async throws -> InferenceResult {
        let state = state.withLock { state in
            state.requests.append(request)
            return state
        }
        try await state.before?(request)
        let candidate = RoutingDecision.Candidate(runner: "bag", model: state.model, locality: state.locality)
        return InferenceResult(
            requestID: request.id,
            output: .embeddings(request.texts.map { Self.vector($0, state) }),
            runner: "bag",
            model: state.model,
            routing: RoutingDecision(capability: .embedding, chosen: "bag", candidates: [candidate])
        )
    }

    /// Of any length.
    package static func vector(_ text: String, _ state: State = State()) -> [Float] {
        var vector = Array(repeating: Float(0), count: state.dimension)
        let words = text.lowercased().split { !$0.isLetter && !$0.isNumber }
        for word in words {
            var hash = state.salt &* 0x9E37_79B9_7F4A_7C15 ^ 0xCBF2_9CE4_8422_2325
            for byte in (synonyms[String(word)] ?? String(word)).utf8 {
                hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
            }
            for _ in 0..<3 {
                hash = hash &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                vector[Int(hash >> 33) % state.dimension] += hash >> 32 & 1 == 0 ? 1 : -1
            }
        }
        return vector.allSatisfy { $0 == 0 } ? vector.map { _ in 1 } : vector
    }

    package func stream(_ request: InferenceRequest) -> InferenceStream {
        InferenceStream { [self] sink in
            try await sink.send(InferenceChunk(requestID: request.id, .result(run(request))))
        }
    }

    package func cancel(_ id: String) async -> Bool { false }

    package func explain(_ request: InferenceRequest) async throws -> RoutingDecision {
        RoutingDecision(capability: request.capability, chosen: "bag", candidates: [])
    }
}
