/// Tokens that chat templates give a meaning, and the names of their speakers, found in a folded text.
///
/// They are looked for where a template's parser may see them: `<|name|>` of any name, the listed ones in angle or
/// square brackets, and a speaker's name with a colon at the beginning of a line. Every character is looked at a bounded
/// number of times.
enum ControlTokens {
    struct Found {
        /// Of the folded text.
        var range: Range<Int>
        var kind: Kind
        /// Whether other text has it too: quoted in an article, or as a tag of HTML.
        var isLoose: Bool
    }

    enum Kind {
        case token
        /// The range is the name, without what stands around it.
        case role
        /// `### Instruction:`; the range is the name.
        case heading
    }

    /// Their brackets in lower case: what they look like does not depend on it.
    static let named: Set<String> = Set(
        """
        <<sys>> <</sys>> [inst] [/inst] [system_prompt] [/system_prompt] [available_tools] [/available_tools] \
        [tool_calls] [/tool_calls] [tool_results] [/tool_results] [tool_content] [/tool_content] [gmask] [smask] \
        [model_settings] [/model_settings] [think] [/think] [call_id] [args] \
        <start_of_turn> <end_of_turn> <start_of_image> <end_of_image> <tool_call> </tool_call> <tool_response> \
        </tool_response> <tool_calls> </tool_calls> <tools> </tools> <think> </think> <function_call> \
        </function_call> <function_calls> </function_calls> <function_results> </function_results> <sop> <eop> \
        <bos> <eos> <pad> <unk> <bos_token> <eos_token> <pad_token> <fim_prefix> <fim_suffix> <fim_middle> \
        <system_prompt> </system_prompt> <system-reminder> </system-reminder> <image_soft_token> <turn|> <|turn>
        """.split(whereSeparator: \.isWhitespace).map(String.init)
    )

    /// Common in other text: they are broken up, and tell little.
    static let common: Set<String> = Set(
        """
        <s> </s> <mask> <system> </system> <user> </user> <assistant> </assistant> <human> </human> [bos] [eos] \
        [pad] [unk] [cls] [sep] [mask] [system] [/system] [user] [assistant] [img] [img_break] [img_end]
        """.split(whereSeparator: \.isWhitespace).map(String.init)
    )

    /// Tokens that are numbered, `<unused12>`.
    static let numbered: [StaticString] = ["<unused", "<extra_id_", "<special_", "<reserved_", "<image_"]

    /// Speakers of templates that are plain text.
    static let roles: Set<String> = [
        "system", "assistant", "user", "human", "ai", "ai assistant", "system prompt",
    ]

    /// Of templates that write headings.
    static let headings: Set<String> = ["instruction", "instructions", "response", "input"]

    private static let longestName = 24

    static func find(in text: FoldedText) -> [Found] {
        var found: [Found] = []
        var at = 0
        var isLineStart = true
        var lastBar: Int?
        while at < text.count {
            if isLineStart {
                isLineStart = false
                lastBar = nil
                if let role = role(text, at) { found.append(role) }
            }
            switch text.scalars[at] {
            case 0x0A:
                isLineStart = true
                at += 1
            case 0x3C where text.matches("<|", at: at) && lastBar != -1:
                let last = lastBar ?? Self.lastBar(text, from: at)
                lastBar = last
                if last >= at + 2 {
                    found.append(barred(text, at))
                    at = found.last?.range.upperBound ?? at + 2
                } else {
                    at += 1
                }
            case 0x3C, 0x5B:
                if let token = token(text, at) {
                    found.append(token)
                    at = token.range.upperBound
                } else {
                    at += 1
                }
            default: at += 1
            }
        }
        return found
    }

    private static func token(_ text: FoldedText, _ start: Int) -> Found? {
        for prefix in numbered where text.matches(prefix, at: start) {
            var end = start + prefix.utf8CodeUnitCount
            let first = end
            while end < text.count, (0x30...0x39).contains(text.scalars[end]) { end += 1 }
            if end > first, end < text.count, text.scalars[end] == 0x3E {
                return Found(range: start..<end + 1, kind: .token, isLoose: false)
            }
        }
        var end = start
        while end < text.count, end - start < longestName {
            let scalar = text.scalars[end]
            end += 1
            if scalar == 0x3E || scalar == 0x5D { break }
            if scalar <= 0x20 { return nil }
        }
        if text.scalars[start..<end].last == 0x3E, end < text.count, text.matches("<<", at: start),
            text.scalars[end] == 0x3E
        {
            end += 1
        }
        let name = String(String.UnicodeScalarView(text.scalars[start..<end].compactMap(Unicode.Scalar.init)))
        if named.contains(name) { return Found(range: start..<end, kind: .token, isLoose: false) }
        return common.contains(name) ? Found(range: start..<end, kind: .token, isLoose: true) : nil
    }

    /// `<|name|>`. Where another bracket comes first it is `<|` alone, so that none is left with a `|>` behind it.
    private static func barred(_ text: FoldedText, _ start: Int) -> Found {
        var end = start + 2
        var isLoose = end < text.count && text.scalars[end] == 0x7C
        while end < text.count, !text.matches("|>", at: end) {
            if [0x3C, 0x5B].contains(text.scalars[end]) {
                return Found(range: start..<start + 2, kind: .token, isLoose: true)
            }
            if text.scalars[end] == 0x20 { isLoose = true }
            end += 1
        }
        return Found(range: start..<end + 2, kind: .token, isLoose: isLoose)
    }

    /// The last `|>` of the line; -1 where it has none.
    private static func lastBar(_ text: FoldedText, from start: Int) -> Int {
        var last = -1
        var at = start
        while at < text.count, text.scalars[at] != 0x0A {
            if text.matches("|>", at: at) { last = at }
            at += 1
        }
        return last
    }

    /// A speaker's name with a colon, whatever marks of quoting and of emphasis stand around it.
    private static func role(_ text: FoldedText, _ lineStart: Int) -> Found? {
        var at = lineStart
        var hashes = 0
        while at < text.count, isDecoration(text.scalars[at]) {
            if text.scalars[at] == 0x23 { hashes += 1 }
            at += 1
        }
        var end = at
        while end < text.count, end - at < longestName, isOfName(text.scalars[end]) { end += 1 }
        while end > at, text.scalars[end - 1] == 0x20 { end -= 1 }
        guard end > at else { return nil }
        var colon = end
        while colon < text.count, isDecoration(text.scalars[colon]) || text.scalars[colon] == 0x5D {
            colon += 1
        }
        guard colon < text.count, text.scalars[colon] == 0x3A else { return nil }
        let name = String(String.UnicodeScalarView(text.scalars[at..<end].compactMap(Unicode.Scalar.init)))
        let isHeading = headings.contains(name) && hashes > 0 || roles.contains(name) && hashes > 1
        if isHeading {
            return Found(range: at..<end, kind: .heading, isLoose: name == "input" || name == "response")
        }
        return roles.contains(name) ? Found(range: at..<end, kind: .role, isLoose: true) : nil
    }

    private static func isOfName(_ scalar: UInt32) -> Bool {
        (0x61...0x7A).contains(scalar) || scalar == 0x20
    }

    /// Space, and what quotes or stresses a line: `> * # _ - " ' ( [` and the backtick.
    private static func isDecoration(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x20, 0x09, 0x3E, 0x2A, 0x23, 0x5F, 0x2D, 0x22, 0x27, 0x28, 0x5B, 0x60: true
        default: false
        }
    }
}
