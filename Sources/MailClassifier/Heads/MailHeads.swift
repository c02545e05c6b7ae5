import BreezeCore
import BreezeMail
import CMailHeads
public import Foundation

/// The trained part of the judgement: linear models over a message's words and over its embedding.
///
/// They answer for one way of cutting words and one encoder, and hold no word of anybody's mail: words are hashed, and
/// those of the corpora count only where ten mails have them.
public struct MailHeads: Codable, Hashable, Sendable {
    /// The release that they were trained with.
    public var version: String
    /// What they were trained on, each with its licence.
    public var provenance: [String]
    /// What `breeze mail train-heads` measured with them held out.
    public var scores: [String: Double]
    /// ``MailWords/version`` and ``PassageSplitter/version``.
    var words: Int
    var splitter: Int
    /// Whose vectors the embedding heads take.
    public var encoder: String
    var spam: TextHead
    var phishing: TextHead
    /// One for each of ``MailCategory/allCases``.
    var categories: [CategoryHead]

    /// The text's two opinions, and what they are worth together.
    struct TextHead: Codable, Hashable, Sendable {
        var words: ByteWeights
        var vector: ByteWeights
        /// Of words, of the vector, and a constant: the logarithm of the odds where both classes are as frequent.
        var both: [Double]
        /// Of words alone, and a constant.
        var wordsAlone: [Double]
    }

    /// The text's two opinions of one category, which are added up.
    struct CategoryHead: Codable, Hashable, Sendable {
        var words: ByteWeights
        var vector: ByteWeights
    }

    /// Reads weights that ``encoded()`` wrote.
    /// - Throws: ``BreezeError`` `.invalidFile` for what are no heads, `.unsupported` for those of another version.
    public init(_ data: Data) throws {
        do {
            self = try JSONDecoder().decode(MailHeads.self, from: data)
        } catch {
            throw BreezeError(
                .invalidFile,
                "These are no heads for mail.",
                remedy: "Train them: breeze mail train-heads --help",
                underlying: error
            )
        }
        guard words == MailWords.version, splitter == PassageSplitter.version else {
            throw BreezeError(
                .unsupported,
                "The heads \(version) are for another version of Breeze.",
                remedy: "Train them anew: breeze mail train-heads"
            )
        }
        let dimension = spam.vector.values.count
        let isWhole =
            [spam, phishing].allSatisfy {
                $0.words.values.count == MailWords.dimension && $0.vector.values.count == dimension
                    && $0.both.count == 3 && $0.wordsAlone.count == 2
            } && categories.count == MailCategory.allCases.count
            && categories.allSatisfy {
                $0.words.values.count == MailWords.dimension && $0.vector.values.count == dimension
            } && dimension > 0
        guard isWhole else {
            throw BreezeError(
                .invalidFile,
                "The heads \(version) lack weights.",
                remedy: "Train them anew: breeze mail train-heads"
            )
        }
    }

    init(
        version: String,
        provenance: [String],
        encoder: String,
        spam: TextHead,
        phishing: TextHead,
        categories: [CategoryHead]
    ) {
        self.version = version
        self.provenance = provenance
        self.encoder = encoder
        self.spam = spam
        self.phishing = phishing
        self.categories = categories
        scores = [:]
        words = MailWords.version
        splitter = PassageSplitter.version
    }

    /// JSON, with weights as lines of base64.
    public func encoded() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self) + Data("\n".utf8)
    }

    /// Sixteen hexadecimal digits that change with every weight (FNV-1a): what was judged by others is judged again.
    public var fingerprint: String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        func add(_ bits: UInt64) { hash = (hash ^ bits) &* 0x100_0000_01B3 }
        func add(_ weights: ByteWeights) {
            for value in weights.values { add(UInt64(UInt8(bitPattern: value))) }
            add(weights.scale.bitPattern)
            add(weights.constant.bitPattern)
        }
        for head in [spam, phishing] {
            add(head.words)
            add(head.vector)
            for number in head.both + head.wordsAlone { add(number.bitPattern) }
        }
        for head in categories {
            add(head.words)
            add(head.vector)
        }
        for byte in encoder.utf8 { add(UInt64(byte)) }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// Components of a vector that the heads take.
    public var dimension: Int { spam.vector.values.count }
}

extension MailHeads.TextHead {
    /// The logarithm of the odds that the text is of the kind, both kinds being as frequent.
    func odds(_ words: MailWords, _ vector: [Float]?) -> Double {
        let byWords = self.words.sum(words)
        guard let vector else { return wordsAlone[0] * byWords + wordsAlone[1] }
        return both[0] * byWords + both[1] * self.vector.sum(vector) + both[2]
    }

    /// What each word adds to ``odds(_:_:)``, in the order of `words`.
    func parts(_ words: MailWords, hasVector: Bool) -> [Double] {
        let factor = hasVector ? both[0] : wordsAlone[0]
        return self.words.parts(words).map { $0 * factor }
    }
}

extension MailHeads.CategoryHead {
    /// The logarithm of the category's odds, but for what all categories have alike.
    func sum(_ words: MailWords, _ vector: [Float]?) -> Double {
        self.words.sum(words) + (vector.map { self.vector.sum($0) } ?? 0)
    }
}

extension MailHeads {
    /// Those that came with this program.
    public static var shipped: MailHeads {
        get throws {
            var length = 0
            guard let bytes = mail_heads(&length) else {
                throw BreezeError(.invalidFile, "There are no heads.")
            }
            return try MailHeads(Data(bytes: bytes, count: length))
        }
    }
}
