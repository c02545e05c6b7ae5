import BreezeCore

/// `POST /v1/tokenize`: a text under llama-server's name, vLLM's, or OpenAI's.
package struct TokenizeCall: Sendable {
    /// What a token's text is; a token that holds a part of a character alone is its bytes.
    package enum Piece: Sendable, Hashable {
        case text(String)
        case bytes([UInt8])
    }

    /// `nil` leaves the choice to the server.
    package var model: String?
    package var text: String
    /// Whether the tokens that a model wants around a text are put there.
    package var addsSpecialTokens: Bool
    /// Whether `<|im_end|>` in the text is that token, or the letters of it.
    package var parsesSpecialTokens: Bool
    package var wantsPieces: Bool
    package var remarks = WireRemarks()

    package init(parsing body: [UInt8]) throws {
        (self, remarks) = try WireBody.read(body) { try Self(&$0) }
    }

    private init(_ fields: inout WireFields) throws {
        model = try fields.string("model")
        let content = try fields.string("content")
        let input = try fields.string("input")
        guard let text = try fields.string("prompt") ?? input ?? content else {
            throw fields.missing("content", takes: "a string")
        }
        self.text = text
        let special = try fields.bool("add_special_tokens")
        addsSpecialTokens = try fields.bool("add_special") ?? special ?? false
        parsesSpecialTokens = try fields.bool("parse_special") ?? true
        let strings = try fields.bool("return_token_strs")
        wantsPieces = try fields.bool("with_pieces") ?? strings ?? false
        try fields.refuse("messages", "is the form of a chat", remedy: "Send its text as content.")
    }

    /// The answer; `pieces` are one a token, where ``wantsPieces`` asks for them.
    package func answer(_ tokens: [Int], pieces: [Piece]? = nil) -> [UInt8] {
        JSONWriter.object { writer in
            writer.field("model", ifPresent: model)
            writer.field("count", tokens.count)
            if let pieces, pieces.count == tokens.count {
                writer.array("tokens") { writer in
                    for (token, piece) in zip(tokens, pieces) {
                        writer.object { writer in
                            writer.field("id", token)
                            switch piece {
                            case .text(let text): writer.field("piece", text)
                            case .bytes(let bytes): writer.field("piece", bytes)
                            }
                        }
                    }
                }
            } else {
                writer.field("tokens", tokens)
            }
            writer.object("breeze") { $0.field("ignored", remarks.ignored) }
        }
    }
}

/// `POST /v1/detokenize`
package struct DetokenizeCall: Sendable {
    package var model: String?
    package var tokens: [Int]
    package var remarks = WireRemarks()

    package init(parsing body: [UInt8]) throws {
        (self, remarks) = try WireBody.read(body) { try Self(&$0) }
    }

    private init(_ fields: inout WireFields) throws {
        model = try fields.string("model")
        let takes = "a list of tokens"
        guard let value = fields.raw("tokens") else { throw fields.missing("tokens", takes: takes) }
        guard let elements = value.array else { throw fields.wrong("tokens", value, takes: takes) }
        tokens = try OpenAIEmbeddings.tokens(elements, at: fields.path.member("tokens"))
    }

    package func answer(_ text: String) -> [UInt8] {
        JSONWriter.object { writer in
            writer.field("model", ifPresent: model)
            writer.field("content", text)
            writer.object("breeze") { $0.field("ignored", remarks.ignored) }
        }
    }
}
