/// The framed ids of one text, and how much of it a length limit cut away.
public struct TokenizedText: Sendable, Hashable {
    public let ids: [Int32]
    /// How many ids of the text are missing from ``ids`` because of the limit; 0 when the text is whole.
    public let truncatedCount: Int

    public init(ids: [Int32], truncatedCount: Int = 0) {
        self.ids = ids
        self.truncatedCount = truncatedCount
    }

    /// How many ids the whole text has, frame included.
    public var totalCount: Int { ids.count + truncatedCount }
}
