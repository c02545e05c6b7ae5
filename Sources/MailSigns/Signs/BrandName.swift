/// Looks for a brand in the name of a sender.
struct BrandName {
    private let index: BrandIndex
    private let words: [Word]

    private struct Word {
        /// In lower case, without accents.
        var plain: String
        var folds: [String]
        /// Whether it is written with digits among letters, or with another alphabet's.
        var isOdd: Bool

        func resembles(_ word: String, _ fold: String) -> Bool {
            plain == word || (folds.contains(fold) && (isOdd || word.utf8.count >= 6))
        }
    }

    struct Finding {
        var brand: Brand
        var strength: MailSign.Strength
    }

    private static let longestName = 300

    init(_ name: String, index: BrandIndex, domains: any DomainKnowledge) {
        self.index = index
        let visible = LookAlike.plain(String(name.prefix(Self.longestName)))
        words = visible.split { !($0.isLetter || $0.isNumber || $0 == "$") }.prefix(40).map { piece in
            let plain = piece.lowercased()
            let hasDigit = piece.utf8.contains(where: ByteText.isDigit)
            let isNumber = piece.utf8.allSatisfy(ByteText.isDigit)
            return Word(
                plain: plain,
                folds: LookAlike.folds(String(piece), domains),
                isOdd: !piece.isASCII || (hasDigit && !isNumber) || piece.contains("$")
            )
        }
    }

    /// `nil` where the name names no brand; `owners` are the brands that the sender's domain belongs to.
    func finding(owners: [Int]) -> Finding? {
        let matches = matches()
        if matches.isEmpty || matches.contains(where: { owners.contains($0.brand) }) { return nil }
        let covered = Set(matches.flatMap(\.places))
        let rest = words.indices.filter { !covered.contains($0) }.map { words[$0] }
        let found = matches.compactMap { match -> Finding? in
            let brand = index.brands[match.brand]
            guard var strength = strength(of: brand, match, rest) else { return nil }
            // Whoever owns another of the names is known, and writes in people's names.
            if !owners.isEmpty { strength = min(strength, .weak) }
            return Finding(brand: brand, strength: strength)
        }
        return found.max { $0.strength < $1.strength }
    }

    private struct Match {
        var brand: Int
        var places: Range<Int>
    }

    private func matches() -> [Match] {
        var found: [Match] = []
        for at in words.indices {
            let candidates = words[at].folds.flatMap { index.phrases(startingWith: $0) }
            for phrase in candidates where phrase.words.count <= words.count - at {
                let isThere = phrase.words.indices.allSatisfy {
                    words[at + $0].resembles(phrase.words[$0], phrase.folds[$0])
                }
                if isThere { found.append(Match(brand: phrase.brand, places: at..<at + phrase.words.count)) }
            }
            if at + 1 < words.count { found += joined(at) }
        }
        return found
    }

    /// `Pay Pal`
    private func joined(_ at: Int) -> [Match] {
        let (left, right) = (words[at].plain, words[at + 1].plain)
        guard left.utf8.count >= 2, right.utf8.count >= 2, left.utf8.count + right.utf8.count >= 6 else {
            return []
        }
        let both = left + right
        return index.phrases(startingWith: LookAlike.fold(both)).compactMap { phrase in
            guard phrase.words == [both], index.brands[phrase.brand].use == .distinct else { return nil }
            return Match(brand: phrase.brand, places: at..<at + 2)
        }
    }

    /// `nil` where the words mean something else.
    private func strength(of brand: Brand, _ match: Match, _ rest: [Word]) -> MailSign.Strength? {
        let isBusiness = rest.allSatisfy { Self.isBusiness($0) }
        switch brand.use {
        case .common: return isBusiness ? .strong : nil
        case .personal: return isBusiness && (!rest.isEmpty || match.places.count > 1) ? .strong : nil
        case .distinct:
            if rest.allSatisfy({ Self.isBusiness($0) || BrandWords.neutral.contains($0.plain) }) {
                return .strong
            }
            let isThrough =
                match.places.upperBound == words.count && match.places.lowerBound > 0
                && BrandWords.through.contains(words[match.places.lowerBound - 1].plain)
            return isThrough ? .strong : .weak
        }
    }

    private static func isBusiness(_ word: Word) -> Bool {
        word.plain.count <= 1 || word.plain.utf8.allSatisfy(ByteText.isDigit)
            || BrandWords.business.contains(word.plain)
            || (word.isOdd && word.folds.contains { BrandWords.businessFolds.contains($0) })
    }
}
