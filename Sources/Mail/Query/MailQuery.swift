/// What a person typed to find mail, understood.
///
/// Plain language is words and nothing else: ``meaning`` holds them for a search by meaning.
/// ``QueryNode/description`` prints the canonical form, which reads as the same tree again.
public struct MailQuery: Hashable, Sendable {
    public var root: QueryNode
    /// What was read otherwise than it may have been meant.
    public var notices: [QueryNotice]

    public init(root: QueryNode, notices: [QueryNotice] = []) {
        self.root = root
        self.notices = notices
    }

    /// Reads what was typed; an empty text finds everything.
    /// - Throws: ``BreezeError`` `.invalidRequest` where a date or a size cannot be one, and where a limit is
    ///   passed; ``BreezeError/underlying`` is a ``QueryFault`` that names the place.
    public init(_ text: String, clock: QueryClock, limits: QueryLimits = QueryLimits()) throws {
        var parser = try QueryParser(text, clock: clock, limits: limits)
        root = try parser.parse()
        notices = parser.notices
    }

    /// The plain words and phrases that are wanted, in order: what an embedding is made of. Without fields,
    /// operators, beginnings of words and everything that is not wanted; empty where nothing is left.
    public var meaning: String {
        var words: [String] = []
        root.collectMeaning(&words)
        return words.joined(separator: " ")
    }
}

/// How much is read of a query.
public struct QueryLimits: Codable, Hashable, Sendable {
    /// Unicode scalars.
    public var length = 4_000
    /// Words, phrases and fields.
    public var terms = 400
    /// Parentheses within each other.
    public var depth = 32

    public init() {}
}

/// Something that a person should know of how the query was read.
public struct QueryNotice: Codable, Hashable, Sendable {
    public var kind: Kind
    /// Where it was typed, in Unicode scalars.
    public var range: Range<Int>
    /// A sentence.
    public var message: String

    /// Open, so that adding one never breaks a caller's `switch`.
    public struct Kind: RawRepresentable, Codable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A field that does not exist, or one of notmuch's or mu's that has no counterpart here: read as
        /// text.
        public static let unknownField = Self(rawValue: "unknown_field")
        /// A value that the field never has, or none at all.
        public static let unknownValue = Self(rawValue: "unknown_value")
        /// A quote or a parenthesis without its other half.
        public static let unbalanced = Self(rawValue: "unbalanced")
        /// An operator without its operands, or one that does not exist: read as a word or left out.
        public static let strayOperator = Self(rawValue: "stray_operator")
        /// Nothing in it can be looked for: left out.
        public static let nothingToFind = Self(rawValue: "nothing_to_find")
        /// A range whose end comes before its beginning: read the other way round.
        public static let reversedRange = Self(rawValue: "reversed_range")
    }
}

/// Where a query cannot be read, and what would have been.
public struct QueryFault: Error, Codable, Hashable, Sendable {
    /// In Unicode scalars.
    public var range: Range<Int>
    /// What was expected there, as a phrase.
    public var expected: String
}
