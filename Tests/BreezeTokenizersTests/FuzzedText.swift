import BreezeTestSupport

/// Strings that a tokenizer may get wrong, from a seed.
struct FuzzedText {
    private var generator: SeededGenerator
    private let specials: [String]
    private let latest: Int

    /// `specials` are what the tokenizer looks for in the raw text, whole and damaged; `latest` is the last version
    /// of Unicode from which scalars are drawn.
    init(seed: UInt64, specials: [String] = Self.specials, latest: Int = .max) {
        generator = SeededGenerator(seed: seed)
        self.specials = specials
        self.latest = latest
    }

    mutating func next() -> String {
        let count = Int.random(in: 0...30, using: &generator)
        var text = String.UnicodeScalarView()
        for _ in 0..<count { text += part().unicodeScalars }
        return String(text)
    }

    private static let words = [
        "hello", "World", "tokenization", "unaffable", "UNIVERSITY", "naïve", "Ærøskøbing", "straße",
        "İstanbul",
        "ΟΔΥΣΣΕΥΣ", "Привет", "ЁЛКА", "שָׁלוֹם", "مَرْحَبًا", "हिन्दी", "ภาษาไทย", "tiếng", "Việt", "한국어", "日本語", "カタカナ",
        "ﬁne",
        "don't", "e-mail", "x²", "½", "ǅ", "ŉ", "https://a.b/c?d=e", "1,234.5", "中国", "\u{1F600}",
    ]

    static let specials = [
        "[CLS]", "[SEP]", "[MASK]", "[UNK]", "[PAD]", "[sep]", "[SEP", "SEP]", "[[SEP]]", "##ing",
        "[unused1]", "##", "[",
    ]

    private static let singles = [
        "\u{0}", "\u{1}", "\t", "\n", "\r", "\r\n", "\u{85}", "\u{A0}", "\u{AD}", "\u{200B}", "\u{200D}",
        "\u{200F}",
        "\u{202E}", "\u{2028}", "\u{2029}", "\u{3000}", "\u{FEFF}", "\u{FFFD}", "\u{E000}",
        "\u{1F1E9}\u{1F1EA}",
        "\u{1F468}\u{200D}\u{1F469}", "\u{1F44D}\u{1F3FD}", "\u{2764}\u{FE0F}", "\u{1D165}", "\u{1D16D}",
        "\u{8D4}", "\u{8E3}",
        "\u{1885}", "\u{212B}", "\u{F900}", "\u{2F800}", "\u{2B820}", "\u{1100}\u{1161}\u{11A8}", "\u{378}",
        "\u{1E030}",
    ]

    /// Where one scalar is drawn from: Latin, combining marks, Greek to Thai, general punctuation, CJK,
    /// Hangul, emoji, the first two planes.
    private static let ranges: [ClosedRange<UInt32>] = [
        0x20...0x7E, 0xA0...0x24F, 0x300...0x36F, 0x370...0xE7F, 0x1E00...0x1FFF, 0x2000...0x2BFF,
        0x3000...0x30FF,
        0x4E00...0x9FFF, 0xAC00...0xD7A3, 0x1F300...0x1FAFF, 0x80...0xFFFF, 0x10000...0x1FFFF,
        0x20000...0x2FA1F,
    ]

    private mutating func part() -> String {
        switch Int.random(in: 0..<12, using: &generator) {
        case 0...3: pick(Self.words)
        case 4: " "
        case 5: pick(specials)
        case 6: single()
        case 7: marks()
        case 8 where Int.random(in: 0..<4, using: &generator) == 0:
            String(repeating: pick(Self.words), count: Int.random(in: 8...40, using: &generator))
        default: scalar(in: pick(Self.ranges))
        }
    }

    private mutating func marks() -> String {
        (0..<Int.random(in: 1...5, using: &generator)).map { _ in
            Bool.random(using: &generator) ? scalar(in: 0x300...0x36F) : single()
        }.joined()
    }

    private mutating func single() -> String {
        let text = pick(Self.singles)
        return text.unicodeScalars.contains { ($0.properties.age?.major ?? 0) > latest } ? " " : text
    }

    private mutating func scalar(in range: ClosedRange<UInt32>) -> String {
        let drawn = Unicode.Scalar(UInt32.random(in: range, using: &generator)) ?? " "
        let isLater = (drawn.properties.age?.major ?? 0) > latest
        return String(Character(isLater || Self.isOfLaterCasing(drawn) ? " " : drawn))
    }

    private mutating func pick<Element>(_ list: [Element]) -> Element {
        list[Int.random(in: list.indices, using: &generator)]
    }

    /// A letter whose lowercase came to Unicode after 16.0, which the reference's case tables are from.
    static func isOfLaterCasing(_ scalar: Unicode.Scalar) -> Bool {
        guard let age = scalar.properties.age, age.major > 16 else { return false }
        return scalar.properties.lowercaseMapping.unicodeScalars.first != scalar
    }
}
