package import BreezeCore
import Foundation

/// What comes back to a callback, plain or sealed.
package struct SchemeAnswer: Sendable {
    package enum State: String, Codable, Sendable {
        case done, failed
        /// A part of a message arrived, and ``SchemeAnswer/next`` is awaited.
        case more
        /// ``SchemeAnswer/offer`` is the hub's half of a pairing.
        case pairing
        case paired
    }

    /// So far that no sum of two such times overflows.
    private static let latest: Int64 = 1 << 53

    /// The request's id; of a pairing its commitment; of another envelope its nonce in hexadecimal.
    package var requestID: String
    package var state: State
    /// Nothing else comes for this request. A stream comes as one final chunk.
    package var isFinal: Bool
    package var result: InferenceResult?
    package var status: SchemeStatus?
    package var error: BreezeError?
    /// The hub's time, in milliseconds since 1970; in every sealed answer, in no plain one.
    package var time: Int64?
    /// The owner wants to pair: the app may open `pair` within 10 minutes.
    package var pair: Bool?
    package var next: Int?
    package var offer: [UInt8]?
    package var app: AppID?
    package var granted: [String: SchemeReach]?

    package init(_ state: State, to requestID: String, isFinal: Bool = true) {
        self.state = state
        self.requestID = requestID
        self.isFinal = isFinal
    }

    package static func done(_ result: InferenceResult, to requestID: String) -> SchemeAnswer {
        var answer = SchemeAnswer(.done, to: requestID)
        answer.result = result
        return answer
    }

    package static func failed(_ error: BreezeError, to requestID: String) -> SchemeAnswer {
        var answer = SchemeAnswer(.failed, to: requestID)
        answer.error = error
        return answer
    }

    /// As it goes into a URL or an envelope.
    package func bytes() throws(BreezeError) -> [UInt8] {
        try SchemeWriter.bytes(self)
    }

    /// Passes over members that it does not know.
    /// - Throws: ``BreezeError`` `.invalidRequest`, `.unsupportedVersion`.
    package init(parsing bytes: [UInt8]) throws(BreezeError) {
        guard try SchemeJSON.object(bytes)["v"]?.integer == 1 else { throw SchemeFault.version }
        do {
            self = try JSONDecoder().decode(SchemeAnswer.self, from: Data(bytes))
        } catch {
            throw BreezeError(
                .invalidRequest,
                "The answer is not as it should be.",
                remedy: SchemeFault.page,
                underlying: error
            )
        }
    }
}

/// What `breezeapp://status` is told. The plain one is a hint that anybody can forge.
package struct SchemeStatus: Codable, Hashable, Sendable {
    package struct Capability: Codable, Hashable, Sendable {
        package var available: Bool
        package var reason: String?

        package init(available: Bool, reason: String? = nil) {
            self.available = available
            self.reason = reason
        }
    }

    package var versions: [Int]
    package var paired: Bool
    /// Sealed only, as ``capabilities``.
    package var ready: Bool?
    package var capabilities: [String: Capability]?

    package init(paired: Bool, ready: Bool? = nil, capabilities: [String: Capability]? = nil) {
        versions = [1]
        self.paired = paired
        self.ready = ready
        self.capabilities = capabilities
    }
}

extension SchemeAnswer: Codable {
    private enum CodingKeys: String, CodingKey {
        case v, requestID, state, isFinal = "final", result, status, error, time, pair, next, offer, app,
            granted
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try values.decode(State.self, forKey: .state),
            to: try values.decode(String.self, forKey: .requestID),
            isFinal: try values.decode(Bool.self, forKey: .isFinal)
        )
        result = try values.decodeIfPresent(InferenceResult.self, forKey: .result)
        status = try values.decodeIfPresent(SchemeStatus.self, forKey: .status)
        error = try values.decodeIfPresent(BreezeError.self, forKey: .error)
        time = try values.decodeIfPresent(Int64.self, forKey: .time)
        guard (0...Self.latest).contains(time ?? 0) else { throw SchemeFault.request("time is none") }
        pair = try values.decodeIfPresent(Bool.self, forKey: .pair)
        next = try values.decodeIfPresent(Int.self, forKey: .next)
        offer = try values.decodeIfPresent(String.self, forKey: .offer).map {
            try StrictBase64.bytes(ofURL: $0.utf8, limit: SchemeURL.helloLimit)
        }
        if let text = try values.decodeIfPresent(String.self, forKey: .app) {
            guard let id = AppID(text) else { throw SchemeFault.request("app is not an app's id") }
            app = id
        }
        granted = try values.decodeIfPresent([String: SchemeReach].self, forKey: .granted)
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(1, forKey: .v)
        try values.encode(requestID, forKey: .requestID)
        try values.encode(state, forKey: .state)
        try values.encode(isFinal, forKey: .isFinal)
        try values.encodeIfPresent(result, forKey: .result)
        try values.encodeIfPresent(status, forKey: .status)
        try values.encodeIfPresent(error, forKey: .error)
        try values.encodeIfPresent(time, forKey: .time)
        try values.encodeIfPresent(pair, forKey: .pair)
        try values.encodeIfPresent(next, forKey: .next)
        try values.encodeIfPresent(offer.map { StrictBase64.url($0) }, forKey: .offer)
        try values.encodeIfPresent(app?.text, forKey: .app)
        try values.encodeIfPresent(granted, forKey: .granted)
    }
}
