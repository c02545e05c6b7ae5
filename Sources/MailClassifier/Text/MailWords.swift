import Foundation

/// A message's words and marks as a linear model takes them: each of them and each pair of neighbours counts once, however
/// often it stands there, under a hash in place of its letters. The subject's count as words of their own besides.
///
/// Nothing of what identifies somebody is among them: addresses, links and numbers stand as what they are and not as what
/// they say.
public struct MailWords: Sendable {
    /// Distinct and in order, each below ``dimension``.
    public private(set) var features: [UInt32]
    /// What stands behind ``features``, for showing what counted; empty unless they were asked for.
    public private(set) var names: [UInt32: String] = [:]

    public static let dimension = 1 << 18
    /// Changes with the rules of this file: heads of another version would answer with noise.
    public static let version = 2
    /// Bytes of text that are read.
    public static let longestText = 8_000
    private static let longestSubject = 1_000

    public init(subject: String, text: String, isNamed: Bool = false) {
        var collector = FeatureCollector(isNamed: isNamed)
        var subject = WordScanner(subject, limit: Self.longestSubject)
        let subjectWords = subject.words()
        collector.add(subjectWords, prefix: "s:")
        collector.add(subjectWords, prefix: "")
        var text = WordScanner(text, limit: Self.longestText)
        collector.add(text.words(), prefix: "")
        features = collector.sorted
        names = collector.names
    }
}

/// Hashes words and their neighbours.
private struct FeatureCollector {
    private let isNamed: Bool
    private var hashes: Set<UInt32> = []
    private(set) var names: [UInt32: String] = [:]

    init(isNamed: Bool) {
        self.isNamed = isNamed
        hashes.reserveCapacity(1_024)
    }

    var sorted: [UInt32] { hashes.sorted() }

    mutating func add(_ words: [[UInt8]], prefix: String) {
        let start = FNV1a().adding(prefix.utf8)
        for index in words.indices {
            let first = start.adding(words[index])
            insert(first) { prefix + String(decoding: words[index], as: UTF8.self) }
            guard index + 1 < words.count else { continue }
            insert(first.adding(CollectionOfOne(32)).adding(words[index + 1])) {
                prefix + String(decoding: words[index] + [32] + words[index + 1], as: UTF8.self)
            }
        }
    }

    private mutating func insert(_ hash: FNV1a, _ name: () -> String) {
        let feature = hash.value(below: MailWords.dimension)
        guard hashes.insert(feature).inserted, isNamed else { return }
        names[feature] = name()
    }
}

/// The 64-bit FNV-1a hash (Fowler, Noll, Vo).
private struct FNV1a {
    private var state: UInt64 = 0xcbf2_9ce4_8422_2325

    func adding(_ bytes: some Sequence<UInt8>) -> FNV1a {
        var copy = self
        for byte in bytes { copy.state = (copy.state ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return copy
    }

    /// Folded, since the low bits alone are the weakest.
    func value(below limit: Int) -> UInt32 {
        UInt32(truncatingIfNeeded: (state ^ (state >> 32)) % UInt64(limit))
    }
}
