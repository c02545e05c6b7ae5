import BreezeCore

/// The table of what the mock says to what.
struct CannedReplies: Decodable, Sendable {
    static let standardStyle = "standard"
    static let embedded = Fixture<CannedReplies>(PackageResources.replies_json, named: "replies.json")

    /// Wordings by style; each style has at least one.
    struct Wordings: Decodable, Sendable {
        let styles: [String: [String]]

        init(from decoder: any Decoder) throws {
            styles = try decoder.singleValueContainer().decode([String: [String]].self)
        }
    }

    private struct Reply: Decodable {
        let name: String
        let keywords: [String]
        let wordings: Wordings
    }

    private let replies: [Reply]
    private let keywords: KeywordIndex
    /// The place in `replies` of each keyword.
    private let owners: [Int]
    /// When no keyword is found: in Chinese where the message has Chinese characters.
    private let fallback: Wordings
    private let chineseFallback: Wordings
    /// After a tool has answered; `{content}` stands for what it said.
    private let afterTool: Wordings

    private enum CodingKeys: String, CodingKey { case replies, fallback, chineseFallback, afterTool }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        replies = try values.decode([Reply].self, forKey: .replies)
        fallback = try values.decode(Wordings.self, forKey: .fallback)
        chineseFallback = try values.decode(Wordings.self, forKey: .chineseFallback)
        afterTool = try values.decode(Wordings.self, forKey: .afterTool)
        keywords = KeywordIndex(replies.flatMap(\.keywords))
        owners = replies.enumerated().flatMap { index, reply in reply.keywords.map { _ in index } }
    }

    /// The reply of the first entry of the table that shares a keyword with the last user message.
    func reply(
        to conversation: [ChatMessage],
        style: String,
        temperature: Double,
        random: inout SeededGenerator
    ) throws -> String {
        let wordings: Wordings
        var content: String?
        if let last = conversation.last, last.role == .tool {
            (wordings, content) = (afterTool, last.content)
        } else {
            let message = conversation.last { $0.role == .user }?.content ?? ""
            if let owner = keywords.hits(in: message).map({ owners[$0] }).min() {
                wordings = replies[owner].wordings
            } else {
                wordings = message.contains(where: Words.isIdeograph) ? chineseFallback : fallback
            }
        }
        guard let choices = wordings.styles[style], let first = choices.first else {
            throw BreezeError(.internalError, "The mock's replies have no \(style) wording.")
        }
        let chosen = temperature > 0 ? choices.randomElement(using: &random) ?? first : first
        return content.map { chosen.replacing("{content}", with: $0) } ?? chosen
    }
}
