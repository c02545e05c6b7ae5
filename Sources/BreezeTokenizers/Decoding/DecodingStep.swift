/// One step from tokens back to text, as `tokenizer.json` lists them.
enum DecodingStep: Sendable, Hashable {
    /// Each character stands for a byte, as in GPT-2.
    case byteLevel
    /// The visible space becomes a plain one; in the first token it is dropped.
    case metaspace([UInt8], dropsFirst: Bool)
    /// `<0x0A>` becomes its byte.
    case byteFallback
    /// All tokens become one.
    case fuse
    /// Up to so many of a character are taken from either end of each token.
    case strip([UInt8], left: Int, right: Int)
    case replace([UInt8], with: [UInt8])
    /// Taken from the beginning of each token until there is text: one in all, or all.
    case dropLeading([UInt8], all: Bool)
    /// Words have spaces between them; `cleansUp` takes those before punctuation away.
    case wordPiece(prefix: [UInt8], cleansUp: Bool)
    /// The end of a word becomes a space.
    case suffix([UInt8])

    func apply(_ tokens: [[UInt8]]) -> [[UInt8]] {
        switch self {
        case .byteLevel:
            return [Array(String(decoding: tokens.flatMap(ByteAlphabet.bytes(of:)), as: UTF8.self).utf8)]
        case .fuse: return [Array(tokens.joined())]
        case .byteFallback: return Self.joinBytes(tokens)
        case .dropLeading(let symbol, let all): return Self.dropLeading(symbol, all: all, tokens)
        default:
            return tokens.indices.map { index in
                apply(tokens[index], isFirst: index == 0, isLast: index == tokens.count - 1)
            }
        }
    }

    /// What a step that knows no neighbours makes of a token.
    func apply(_ token: [UInt8], isFirst: Bool, isLast: Bool) -> [UInt8] {
        switch self {
        case .metaspace(let symbol, let dropsFirst):
            return token.replacing(symbol, with: isFirst && dropsFirst ? [] : [0x20])
        case .replace(let old, let new): return token.replacing(old, with: new)
        case .strip(let symbol, let left, let right): return Self.strip(token, symbol, left, right)
        case .wordPiece(let prefix, let cleansUp):
            var text = token
            if !isFirst {
                text = token.starts(with: prefix) ? Array(token.dropFirst(prefix.count)) : [0x20] + token
            }
            return cleansUp ? Self.cleanedUp(text) : text
        case .suffix(let suffix): return token.replacing(suffix, with: isLast ? [] : [0x20])
        case .byteLevel: return ByteAlphabet.bytes(of: token)
        case .byteFallback: return Self.byte(of: token).map { [$0] } ?? token
        case .fuse: return token
        case .dropLeading(let symbol, _):
            return isFirst && token.starts(with: symbol) ? Array(token.dropFirst(symbol.count)) : token
        }
    }

    private static func strip(_ token: [UInt8], _ symbol: [UInt8], _ left: Int, _ right: Int) -> [UInt8] {
        guard !symbol.isEmpty else { return token }
        var rest = token[...]
        for _ in 0..<left where rest.starts(with: symbol) { rest = rest.dropFirst(symbol.count) }
        for _ in 0..<right where rest.suffix(symbol.count).elementsEqual(symbol) {
            rest = rest.dropLast(symbol.count)
        }
        return Array(rest)
    }

    private static func dropLeading(_ symbol: [UInt8], all: Bool, _ tokens: [[UInt8]]) -> [[UInt8]] {
        var tokens = tokens
        for index in tokens.indices {
            let drops = tokens[index].starts(with: symbol)
            if drops { tokens[index].removeFirst(symbol.count) }
            if !tokens[index].isEmpty || (drops && !all) { break }
        }
        return tokens
    }

    /// `<0x0A>`
    static func byte(of token: [UInt8]) -> UInt8? {
        guard token.count == 6, token.starts(with: Array("<0x".utf8)), token[5] == 0x3E else { return nil }
        return UInt8(String(decoding: token[3..<5], as: UTF8.self), radix: 16)
    }

    /// Bytes in a row that are no UTF-8 become one U+FFFD each.
    private static func joinBytes(_ tokens: [[UInt8]]) -> [[UInt8]] {
        var output: [[UInt8]] = []
        var run: [UInt8] = []
        func flush() {
            guard !run.isEmpty else { return }
            if String(validating: run, as: UTF8.self) != nil {
                output.append(run)
            } else {
                output += Array(repeating: Array("\u{FFFD}".utf8), count: run.count)
            }
            run = []
        }
        for token in tokens {
            if let byte = byte(of: token) {
                run.append(byte)
            } else {
                flush()
                output.append(token)
            }
        }
        flush()
        return output
    }

    /// The reference's list (`decoders/wordpiece.rs`), in its order.
    private static let cleanups: [(String, String)] = [
        (" .", "."), (" ?", "?"), (" !", "!"), (" ,", ","), (" ' ", "'"), (" n't", "n't"), (" 'm", "'m"),
        (" do not", " don't"), (" 's", "'s"), (" 've", "'ve"), (" 're", "'re"),
    ]

    private static func cleanedUp(_ text: [UInt8]) -> [UInt8] {
        cleanups.reduce(text) { $0.replacing(Array($1.0.utf8), with: Array($1.1.utf8)) }
    }
}
