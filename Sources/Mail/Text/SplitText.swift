/// A message's text with what the writer added told apart from what was quoted, forwarded or put under it.
public struct SplitText: Codable, Hashable, Sendable {
    public var passages: [Passage]

    public struct Passage: Codable, Hashable, Sendable {
        public var kind: Kind
        /// Its lines, quote marks included; without empty lines at either end.
        public var text: String

        public init(_ kind: Kind, _ text: String) {
            self.kind = kind
            self.text = text
        }
    }

    public enum Kind: String, Codable, Hashable, Sendable {
        case new
        /// `On … X wrote:`, and the mark or header block above an unmarked quote.
        case attribution
        case quote
        case signature
        /// What a mailing list puts under every message.
        case footer
        /// A message passed on: its words are new to the reader and not the writer's.
        case forwarded
    }

    public init(_ passages: [Passage] = []) {
        self.passages = passages
    }

    /// What the writer added.
    public var new: String { text(of: .new) }
    public var quoted: String { text(of: .quote) }
    public var signature: String { text(of: .signature) }
    public var forwarded: String { text(of: .forwarded) }

    /// Whether quoted text is answered piece by piece.
    public var isInline: Bool {
        let kinds = passages.map(\.kind).filter { $0 == .new || $0 == .quote }
        return kinds.count { $0 == .quote } > 1 && kinds.count { $0 == .new } > 1
    }

    private func text(of kind: Kind) -> String {
        passages.lazy.filter { $0.kind == kind }.map(\.text).joined(separator: "\n\n")
    }

    /// Tells the passages of a plain text apart. Linear in its length.
    public init(splitting text: String) {
        var splitter = TextSplitter(text)
        passages = splitter.split()
    }
}
