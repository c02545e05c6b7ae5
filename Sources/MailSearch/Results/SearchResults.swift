public import BreezeMail

/// What a search found.
public struct SearchResults: Codable, Hashable, Sendable {
    /// Best first; newest first where nothing ranks them.
    public var hits: [SearchHit]
    /// Messages that were found and ranked, or threads where the search is by threads; at least as many.
    public var found: Int
    /// Whether there may be more than ``found``.
    public var isMore: Bool
    /// What ranked them: another mode than the one that was asked for where a notice says why.
    public var mode: SearchMode
    /// What a person should know of how they were found.
    public var notices: [SearchNotice]
    /// `nil` unless it was asked for.
    public var explanation: SearchExplanation?
}

/// A message that was found.
public struct SearchHit: Codable, Hashable, Sendable {
    /// In this index, and no other.
    public var message: Int64
    public var messageID: String
    /// Of one copy.
    public var path: String
    /// Larger is better; holds within one search. 0 where nothing ranks.
    public var score: Double
    public var subject: String
    public var from: [MailAddress]
    public var date: MailDate?
    /// Of its thread, the number in the index and the name that `thread:` takes; `nil` until it was put into one.
    public var thread: Int64?
    public var threadName: String?
    /// Messages of its thread.
    public var threadCount: Int
    /// Messages of its thread that were found too, and are not shown for themselves; 0 without grouping.
    public var others: Int
    public var snippet: Snippet
    public var coverage: SearchCoverage
    public var explanation: HitExplanation?
}

/// How much of a message a search knows.
public struct SearchCoverage: Codable, Hashable, Sendable {
    /// Bytes of its text that are in the index, and that it has.
    public var textRead: Int
    public var textSize: Int
    /// Passages that have a vector, and that it was split into; both 0 until it was.
    public var passagesRead: Int
    public var passages: Int
}

/// Something that a person should know of a search.
public struct SearchNotice: Codable, Hashable, Sendable {
    public var kind: Kind
    /// A sentence.
    public var message: String

    public init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }

    /// Open, so that adding one never breaks a caller's `switch`.
    public struct Kind: RawRepresentable, Codable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// How the query was read: a ``QueryNotice``.
        public static let query = Self(rawValue: "query")
        /// Messages with some of the words were looked for, since few or none have all.
        public static let relaxed = Self(rawValue: "relaxed")
        /// More messages match than are ranked: the ones that came into the index last are.
        public static let common = Self(rawValue: "common")
        /// Meaning was asked for and cannot be searched now; words answer.
        public static let noMeaning = Self(rawValue: "no_meaning")
        /// Not all messages have their vectors yet.
        public static let partlyEmbedded = Self(rawValue: "partly_embedded")
        /// A field that nothing in the index answers to.
        public static let unknownField = Self(rawValue: "unknown_field")
    }
}

/// How a search came to its hits.
public struct SearchExplanation: Codable, Hashable, Sendable {
    /// The query as it was understood, in its canonical form.
    public var understood: String
    /// What was looked for by its meaning; empty where nothing was.
    public var meaning: String
    public var asked: SearchMode
    /// Messages that words, and meaning, put into an order.
    public var wordsRanked: Int
    public var meaningRanked: Int
    /// What embedded the query, and the vectors that it was held against; `nil` where none was.
    public var encoder: String?
    /// Vectors that were looked at.
    public var vectors: Int
    /// Seconds of wall time.
    public var wordSeconds: Double
    public var embeddingSeconds: Double
    public var vectorSeconds: Double
    public var totalSeconds: Double
}

/// Where one hit's score comes from.
public struct HitExplanation: Codable, Hashable, Sendable {
    /// Among those that words found, from 1; `nil` where they did not find it.
    public var wordRank: Int?
    /// bm25 over all fields, the subject's words counting four times.
    public var wordScore: Double?
    /// Whether it lacks some of the words.
    public var isRelaxed: Bool
    /// Among those that meaning found, from 1.
    public var meaningRank: Int?
    /// The cosine of its nearest passage.
    public var cosine: Double?
    /// Its nearest passage, from 0.
    public var passage: Int?
    /// Whether its subject holds all words, which counts for itself.
    public var isInSubject: Bool
}
