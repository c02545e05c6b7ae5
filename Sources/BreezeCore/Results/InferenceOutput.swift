public import Foundation

/// What a runner answers with. In JSON an object with `kind` and the field of that kind.
public enum InferenceOutput: Hashable, Sendable {
    case text(String)
    /// One vector a text, in the order of the request; all of one length.
    case embeddings([[Float]])
    /// One a text, in the order of the request.
    case classifications([Classification])
    /// Best first.
    case ranking([RankedDocument])
    // Apart, so that the common answers are not of their size.
    indirect case transcript(Transcript)
    indirect case audio(AudioClip)
    indirect case verdict(GuardianVerdict)
}

/// The categories of one text.
public struct Classification: Codable, Hashable, Sendable {
    public struct Score: Codable, Hashable, Sendable {
        public var label: String
        /// Probability, 0…1; the scores of one text add up to 1.
        public var score: Double

        public init(label: String, score: Double) {
            self.label = label
            self.score = score
        }
    }

    /// Every category, likeliest first.
    public var scores: [Score]

    public init(scores: [Score]) {
        self.scores = scores.sorted { ($0.score, $1.label) > ($1.score, $0.label) }
    }

    /// The likeliest category.
    public var label: String? { scores.first?.label }
}

public struct RankedDocument: Codable, Hashable, Sendable {
    /// Place in the request's ``InferenceRequest/inputs``.
    public var index: Int
    /// Higher is more relevant; comparable within one result only.
    public var score: Double

    public init(index: Int, score: Double) {
        self.index = index
        self.score = score
    }
}

public struct Transcript: Codable, Hashable, Sendable {
    public struct Segment: Codable, Hashable, Sendable {
        public var text: String
        /// Seconds from the recording's beginning.
        public var start: Double
        public var end: Double

        public init(text: String, start: Double, end: Double) {
            self.text = text
            self.start = start
            self.end = end
        }
    }

    public var text: String
    /// BCP 47, where the runner knows it.
    public var language: String?
    /// Probability, 0…1, where the runner knows it.
    public var confidence: Double?
    public var segments: [Segment]?

    public init(
        text: String,
        language: String? = nil,
        confidence: Double? = nil,
        segments: [Segment]? = nil
    ) {
        self.text = text
        self.language = language
        self.confidence = confidence
        self.segments = segments
    }
}

public struct AudioClip: Codable, Hashable, Sendable {
    /// A whole file of ``mediaType``.
    public var data: Data
    public var mediaType: String
    /// Hertz.
    public var sampleRate: Int
    /// Seconds.
    public var duration: Double

    public init(data: Data, mediaType: String, sampleRate: Int, duration: Double) {
        self.data = data
        self.mediaType = mediaType
        self.sampleRate = sampleRate
        self.duration = duration
    }
}

extension InferenceOutput {
    /// The words of the answer: text or transcript; `nil` for the kinds that have none.
    public var text: String? {
        switch self {
        case .text(let text): text
        case .transcript(let transcript): transcript.text
        default: nil
        }
    }
}

extension InferenceOutput: Codable {
    private enum Kind: String, Codable {
        case text, embeddings, classifications, ranking, transcript, audio, verdict
    }
    private enum CodingKeys: String, CodingKey {
        case kind, text, embeddings, classifications, ranking, transcript, audio, verdict
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        switch try values.decode(Kind.self, forKey: .kind) {
        case .text: self = .text(try values.decode(String.self, forKey: .text))
        case .embeddings: self = .embeddings(try values.decode([[Float]].self, forKey: .embeddings))
        case .classifications:
            self = .classifications(try values.decode([Classification].self, forKey: .classifications))
        case .ranking: self = .ranking(try values.decode([RankedDocument].self, forKey: .ranking))
        case .transcript: self = .transcript(try values.decode(Transcript.self, forKey: .transcript))
        case .audio: self = .audio(try values.decode(AudioClip.self, forKey: .audio))
        case .verdict: self = .verdict(try values.decode(GuardianVerdict.self, forKey: .verdict))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        func put(_ kind: Kind, _ value: some Encodable, _ key: CodingKeys) throws {
            try values.encode(kind, forKey: .kind)
            try values.encode(value, forKey: key)
        }
        switch self {
        case .text(let value): try put(.text, value, .text)
        case .embeddings(let value): try put(.embeddings, value, .embeddings)
        case .classifications(let value): try put(.classifications, value, .classifications)
        case .ranking(let value): try put(.ranking, value, .ranking)
        case .transcript(let value): try put(.transcript, value, .transcript)
        case .audio(let value): try put(.audio, value, .audio)
        case .verdict(let value): try put(.verdict, value, .verdict)
        }
    }
}
