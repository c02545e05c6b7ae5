/// Brands, found by their domains and by words that look like theirs.
struct BrandIndex: Sendable {
    let brands: [Brand]
    private var owners: [String: [Int]] = [:]
    /// Labels of hosts that are a brand's name, by how they look.
    private var labels: [String: [Label]] = [:]
    /// Long names that mean nothing else, by their length in bytes: one wrong letter is no other word.
    private var long: [Int: [Label]] = [:]
    /// Phrases by how their first word looks.
    private var phrases: [String: [Phrase]] = [:]

    static let watched = BrandIndex(Brand.watched)

    struct Label: Sendable {
        var brand: Int
        var name: String
    }

    /// As it is shown: a brand has products with names of their own.
    func shown(_ label: Label) -> String {
        let name = brands[label.brand].name
        return name.lowercased().filter { $0.isLetter || $0.isNumber } == label.name ? name : label.name
    }

    struct Phrase: Sendable {
        var brand: Int
        var words: [String]
        var folds: [String]
    }

    /// Words and companies one letter away from a brand.
    private static let others: Set<String> = [
        "finance", "cosco", "goggle", "amazone", "amazons", "amazona", "papal", "outlooks", "revolt",
        "revolute", "barclay",
    ]

    init(_ brands: [Brand]) {
        self.brands = brands
        for (index, brand) in brands.enumerated() {
            for domain in brand.domains { owners[domain, default: []].append(index) }
            let short = Set(brand.phrases.filter(Self.hasShortWord).map { $0.filter { $0 != " " } })
            for phrase in brand.phrases {
                add(phrase, index)
                let name = phrase.filter { $0 != " " }
                guard name.isASCII, name.utf8.count >= 3 else { continue }
                let label = Label(brand: index, name: name)
                labels[LookAlike.fold(name), default: []].append(label)
                if !short.contains(name), Self.isLong(phrase, brand) {
                    long[name.utf8.count, default: []].append(label)
                }
            }
        }
    }

    /// `T-Mobile` and `U.S. Bank` without a letter are words, and so is `iCloud` with another first one.
    private static func isLong(_ phrase: String, _ brand: Brand) -> Bool {
        phrase.utf8.count >= 6 && phrase != "icloud"
            && (brand.use == .distinct || phrase == "amazon" || phrase == "outlook")
    }

    private static func hasShortWord(_ phrase: String) -> Bool {
        phrase.split(separator: " ").contains { $0.utf8.count < 3 }
    }

    private mutating func add(_ phrase: String, _ brand: Int) {
        let words = phrase.split(separator: " ").map { LookAlike.plain(String($0)) }
        let folds = words.map { LookAlike.fold($0) }
        guard let first = folds.first else { return }
        phrases[first, default: []].append(Phrase(brand: brand, words: words, folds: folds))
    }

    /// Whose a registrable domain is.
    func owners(of domain: String) -> [Int] {
        if let known = owners[domain] { return known }
        // A brand has its name in other countries too.
        guard let dot = domain.firstIndex(of: "."),
            CountryEndings.contains(domain[domain.index(after: dot)...])
        else {
            return []
        }
        return named(String(domain[..<dot])).map(\.brand)
    }

    func phrases(startingWith fold: String) -> [Phrase] { phrases[fold] ?? [] }

    /// Brands whose name is exactly that label.
    func named(_ label: String) -> [Label] {
        (labels[LookAlike.fold(label)] ?? []).filter { $0.name == label }
    }

    /// A brand whose name looks like the label and is another.
    func imitated(by label: String, _ domains: any DomainKnowledge) -> Label? {
        let isPlain = label.isASCII
        for fold in LookAlike.folds(label, domains) {
            guard let found = labels[fold] else { continue }
            if found.contains(where: { $0.name == label }) { return nil }
            let likely = found.first { candidate in
                Self.isTrick(label, of: candidate.name, isPlain: isPlain)
            }
            if let likely { return likely }
        }
        return nil
    }

    /// Of short names only digits and letters of other alphabets are a trick: `appie` is a name of its own.
    static func isTrick(_ word: String, of name: String, isPlain: Bool) -> Bool {
        if !isPlain { return true }
        let count = name.utf8.count
        return count >= 6 || (count >= 4 && word.utf8.contains(where: ByteText.isDigit))
    }

    /// A brand whose name is one letter away.
    func misspelt(as label: String) -> Label? {
        guard label.isASCII, !Self.others.contains(label) else { return nil }
        let bytes = Array(label.utf8)
        guard (5...40).contains(bytes.count) else { return nil }
        for count in (bytes.count - 1)...(bytes.count + 1) {
            for candidate in long[count] ?? [] where LookAlike.isOneEdit(bytes, Array(candidate.name.utf8)) {
                return candidate
            }
        }
        return nil
    }
}
