import Foundation

/// A tokenizer of MPNet's kind: BERT's pieces, RoBERTa's special tokens and frame. The file has the form that
/// `transformers` writes for its `MPNetTokenizer`.
enum MPNetLikeTokenizer {
    /// Line numbers are ids: the special tokens, then the scalars of the first scripts, each to begin a word
    /// and to continue one.
    static let tokens: [String] =
        ["<s>", "<pad>", "</s>", "<unk>", "[UNK]", "<mask>"]
        + (UInt32(0x21)...0x52F).compactMap(Unicode.Scalar.init(_:)).flatMap { scalar in
            [String(Character(scalar)), "##\(Character(scalar))"]
        }

    /// Whole, in other forms, and damaged.
    static let specials = [
        "<s>", "</s>", "<pad>", "<mask>", "<unk>", "[UNK]", "<S>", "<UNK>", "[unk]", "<un\u{301}k>",
        "<u\u{200D}nk>", "<u nk>", "<unk", "<<unk>>", "<\u{1D165}unk>", "<unk\u{1D165}>", "\u{226E}unk>", "<",
        "<unk中>", "<<x>", "<<<x>", "<<<<x", "<extra_1>", "<EXTRA_12>", "<extra_12", "<extra_1", "[CLS]",
    ]

    static let roberta = """
        {"type":"RobertaProcessing","sep":["</s>",2],"cls":["<s>",0],"trim_offsets":true,\
        "add_prefix_space":false}
        """

    /// What older versions of `transformers` wrote: the second text of type 1.
    static let template = """
        {"type":"TemplateProcessing","single":[\(part("<s>", 0)),\(part("A", 0)),\(part("</s>", 0))],\
        "pair":[\(part("<s>", 0)),\(part("A", 0)),\(part("</s>", 0)),\(part("</s>", 0)),\(part("B", 1)),\
        \(part("</s>", 1))],"special_tokens":{"<s>":{"id":"<s>","ids":[0],"tokens":["<s>"]},\
        "</s>":{"id":"</s>","ids":[2],"tokens":["</s>"]}}}
        """

    /// `normalized` are the added tokens that are looked for in normalised text. Those that the vocabulary
    /// lacks get the ids after its own.
    static func json(
        postProcessor: String = roberta,
        lowercase: Bool = true,
        normalized: [String] = []
    ) -> String {
        var tokens = tokens
        let added = tokens.prefix(6) + normalized.filter { !tokens.contains($0) }
        let entries = added.map { token in
            let id = tokens.firstIndex(of: token) ?? tokens.count
            if id == tokens.count { tokens.append(token) }
            return """
                {"id":\(id),"content":\(TinyTokenizer.quoted(token)),"single_word":false,\
                "lstrip":\(token == "<mask>"),"rstrip":false,"normalized":\(normalized.contains(token)),\
                "special":true}
                """
        }
        let vocabulary = Self.tokens.enumerated().map { "\(TinyTokenizer.quoted($1)):\($0)" }
        return """
            {"version":"1.0","truncation":null,"padding":null,\
            "added_tokens":[\(entries.joined(separator: ","))],\
            "normalizer":{"type":"BertNormalizer","clean_text":true,"handle_chinese_chars":true,\
            "strip_accents":null,"lowercase":\(lowercase)},"pre_tokenizer":{"type":"BertPreTokenizer"},\
            "post_processor":\(postProcessor),"decoder":null,"model":{"type":"WordPiece","unk_token":"[UNK]",\
            "continuing_subword_prefix":"##","max_input_chars_per_word":100,\
            "vocab":{\(vocabulary.joined(separator: ","))}}}
            """
    }

    private static func part(_ id: String, _ type: Int) -> String {
        TinyTokenizer.part(id, type)
    }
}
