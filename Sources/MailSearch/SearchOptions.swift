/// How mail is searched.
public struct SearchOptions: Codable, Hashable, Sendable {
    public var mode: SearchMode
    /// Hits that are returned at most.
    public var limit: Int
    /// Hits that are passed over.
    public var offset: Int
    public var grouping: SearchGrouping
    /// Whether ``SearchResults/explanation`` and ``SearchHit/explanation`` are wanted.
    public var isExplained: Bool
    /// Unicode scalars of a snippet at most.
    public var snippetLength: Int

    public init(
        mode: SearchMode = .both,
        limit: Int = 20,
        offset: Int = 0,
        grouping: SearchGrouping = .messages,
        isExplained: Bool = false,
        snippetLength: Int = 200
    ) {
        self.mode = mode
        self.limit = limit
        self.offset = offset
        self.grouping = grouping
        self.isExplained = isExplained
        self.snippetLength = snippetLength
    }
}

/// What messages are ranked by.
public enum SearchMode: String, Codable, Hashable, Sendable, CaseIterable {
    /// The words that were typed.
    case words
    /// What the words mean, by vectors. Fields, phrases and words that are not wanted filter as they do elsewhere.
    case meaning
    case both
}

public enum SearchGrouping: String, Codable, Hashable, Sendable, CaseIterable {
    case messages
    /// Of each thread its best message.
    case threads
}
