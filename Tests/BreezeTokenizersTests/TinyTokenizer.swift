import Foundation

/// The smallest `tokenizer.json` that has everything, for a test to use or to damage.
enum TinyTokenizer {
    /// Line numbers are ids.
    static let tokens = [
        "[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]",  // 0 ... 4
        "un", "##aff", "##able", "runn", "##ing",  // 5 ... 9
        "cafe", "##s", ",", "!", "中",  // 10 ... 14
        "a", "##a", "café", "[", "]",  // 15 ... 19
        "sep", "Cafe", "straße", "##é", "i\u{307}",  // 20 ... 24
    ]

    static let bertPair = [part("[CLS]", 0), part("A", 0), part("[SEP]", 0), part("B", 1), part("[SEP]", 1)]

    /// One part of a template: the place of a text, or a special token.
    static func part(_ id: String, _ type: Int) -> String {
        #"{"\#(id.count == 1 ? "Sequence" : "SpecialToken")":{"id":"\#(id)","type_id":\#(type)}}"#
    }

    static func json(
        tokens: [String] = tokens,
        lowercase: Bool = true,
        stripAccents: Bool? = nil,
        cleanText: Bool = true,
        pair: [String] = bertPair
    ) -> String {
        let vocabulary = tokens.enumerated().map { "\(quoted($1)):\($0)" }.joined(separator: ",")
        let added = tokens.enumerated().filter { $1.first == "[" && $1.count > 2 }.map { id, token in
            """
            {"id":\(id),"content":\(quoted(token)),"single_word":false,"lstrip":false,"rstrip":false,\
            "normalized":false,"special":true}
            """
        }
        let strip = stripAccents.map(String.init) ?? "null"
        return """
            {"version":"1.0","truncation":{"max_length":3,"strategy":"LongestFirst","stride":0,\
            "direction":"Right"},"padding":{"strategy":{"Fixed":9},"direction":"Right",\
            "pad_to_multiple_of":null,"pad_id":0,"pad_type_id":0,"pad_token":"[PAD]"},\
            "added_tokens":[\(added.joined(separator: ","))],\
            "normalizer":{"type":"BertNormalizer","clean_text":\(cleanText),"handle_chinese_chars":true,\
            "strip_accents":\(strip),"lowercase":\(lowercase)},\
            "pre_tokenizer":{"type":"BertPreTokenizer"},\
            "post_processor":{"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"[CLS]",\
            "type_id":0}},{"Sequence":{"id":"A","type_id":0}},{"SpecialToken":{"id":"[SEP]","type_id":0}}],\
            "pair":[\(pair.joined(separator: ","))],\
            "special_tokens":{"[CLS]":{"id":"[CLS]","ids":[2],"tokens":["[CLS]"]},\
            "[SEP]":{"id":"[SEP]","ids":[3],"tokens":["[SEP]"]}}},"decoder":null,\
            "model":{"type":"WordPiece","unk_token":"[UNK]","continuing_subword_prefix":"##",\
            "max_input_chars_per_word":100,"vocab":{\(vocabulary)}}}
            """
    }

    /// ASCII only, so that a document stays valid UTF-8 wherever it is cut.
    static func quoted(_ text: String) -> String {
        let units = text.utf16.map { unit in
            let isPlain = unit >= 0x20 && unit < 0x7F && unit != 0x22 && unit != 0x5C
            return isPlain ? String(UnicodeScalar(UInt8(unit))) : String(format: "\\u%04x", Int(unit))
        }
        return "\"\(units.joined())\""
    }
}
