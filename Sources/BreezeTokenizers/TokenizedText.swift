/// The framed ids of one text or of a pair, and how much of it a length limit cut away.
public struct TokenizedText: Sendable, Hashable {
    public let ids: [Int32]
    /// The token type of each id: which text of a pair the model is told that it belongs to. Empty where
    /// every type is 0, as for a single text.
    public let typeIDs: [Int32]
    /// How many ids of the text, or of both texts of a pair, are missing from ``ids`` because of the limit;
    /// 0 when nothing was cut.
    public let truncatedCount: Int

    /// `typeIDs` are one for each id, or none where all are 0; zeros alone are stored as none, so that equal
    /// texts compare equal.
    public init(ids: [Int32], typeIDs: [Int32] = [], truncatedCount: Int = 0) {
        precondition(typeIDs.isEmpty || typeIDs.count == ids.count, "one token type for each id")
        self.ids = ids
        self.typeIDs = typeIDs.contains { $0 != 0 } ? typeIDs : []
        self.truncatedCount = truncatedCount
    }

    /// How many ids the whole text, or pair, has, frame included.
    public var totalCount: Int { ids.count + truncatedCount }
}
