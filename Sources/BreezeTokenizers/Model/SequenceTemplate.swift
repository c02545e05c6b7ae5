/// What a model puts around one text, or around and between two: ids of special tokens and the places of the
/// texts, in order, each with the token type that the model is told.
struct SequenceTemplate: Sendable {
    struct Part: Sendable {
        enum Content: Sendable {
            case frame([Int32])
            case first
            case second
        }

        let content: Content
        var typeID: Int32 = 0
    }

    let parts: [Part]
    /// The ids that belong to no text.
    let frame: [Int32]
    private let hasTypes: Bool

    init(parts: [Part]) {
        self.parts = parts
        frame = parts.flatMap { part -> [Int32] in
            if case .frame(let ids) = part.content { ids } else { [] }
        }
        hasTypes = parts.contains { $0.typeID != 0 }
    }

    /// `[CLS] A [SEP]`
    static func single(cls: Int32, sep: Int32) -> Self {
        Self(parts: [Part(content: .frame([cls])), Part(content: .first), Part(content: .frame([sep]))])
    }

    /// `[CLS] A [SEP] B [SEP]`, the second text and its end of type 1.
    static func bertPair(cls: Int32, sep: Int32) -> Self {
        Self(
            parts: single(cls: cls, sep: sep).parts + [
                Part(content: .second, typeID: 1), Part(content: .frame([sep]), typeID: 1),
            ]
        )
    }

    /// `<s> A </s> </s> B </s>`: RoBERTa and MPNet have one token type.
    static func robertaPair(cls: Int32, sep: Int32) -> Self {
        Self(
            parts: single(cls: cls, sep: sep).parts + [
                Part(content: .frame([sep])), Part(content: .second), Part(content: .frame([sep])),
            ]
        )
    }

    func filled(
        first: ArraySlice<Int32>,
        second: ArraySlice<Int32> = [],
        truncatedCount: Int
    ) -> TokenizedText {
        var ids: [Int32] = []
        var typeIDs: [Int32] = []
        let count = first.count + second.count + frame.count
        ids.reserveCapacity(count)
        if hasTypes { typeIDs.reserveCapacity(count) }
        for part in parts {
            switch part.content {
            case .frame(let frame): ids += frame
            case .first: ids += first
            case .second: ids += second
            }
            if hasTypes {
                typeIDs.append(contentsOf: repeatElement(part.typeID, count: ids.count - typeIDs.count))
            }
        }
        return TokenizedText(ids: ids, typeIDs: typeIDs, truncatedCount: truncatedCount)
    }
}
