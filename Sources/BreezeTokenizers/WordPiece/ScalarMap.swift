import Foundation

/// What the normaliser makes of each scalar, computed once per page of 256 scalars.
///
/// A value: an encoder works on its own copy, adds the pages it misses, and hands the copy back for others.
struct ScalarMap: Sendable {
    /// One scalar after normalisation, and what it means for the word it is in.
    struct Entry: Sendable, Hashable {
        enum Kind: UInt32 {
            /// Nothing is left of it.
            case dropped
            /// Ends a word.
            case space
            /// Part of a word.
            case letter
            /// A word of its own.
            case isolated
            /// Part of a word, after canonical reordering with the marks beside it.
            case mark
            /// Nothing is left of it, but marks do not move across it.
            case barrier
            /// Several entries; the value is where ``ScalarMap/expansions`` has their count, then them.
            case expansion
        }

        let bits: UInt32

        init(_ kind: Kind, _ value: UInt32 = 0) {
            bits = kind.rawValue << 24 | value
        }

        var kind: Kind { Kind(rawValue: bits >> 24) ?? .dropped }
        var value: UInt32 { bits & 0xFF_FFFF }
    }

    let normalization: BertNormalization
    private(set) var entries: [Entry] = []
    private(set) var expansions: [Entry] = []
    /// For each page, where its entries begin, or `absent`.
    private var pageStarts: [Int32]
    private(set) var pageCount = 0

    static let pageSize = 256
    private static let absent: Int32 = -1

    init(_ normalization: BertNormalization) {
        self.normalization = normalization
        pageStarts = Array(repeating: Self.absent, count: 0x110000 / Self.pageSize)
        addPage(0)  // so that ASCII is at entries[0..<128]
    }

    /// The entry of a scalar value; adds its page where that is missing.
    @inline(__always)
    mutating func entry(for value: UInt32) -> Entry {
        let page = Int(value / UInt32(Self.pageSize))
        if pageStarts[page] == Self.absent { addPage(page) }
        return entries[Int(pageStarts[page]) + Int(value) % Self.pageSize]
    }

    /// The entries that an expansion stands for.
    func expanded(_ entry: Entry) -> ArraySlice<Entry> {
        let start = Int(entry.value)
        return expansions[start + 1..<start + 1 + Int(expansions[start].bits)]
    }

    private mutating func addPage(_ page: Int) {
        pageStarts[page] = Int32(entries.count)
        pageCount += 1
        let first = UInt32(page * Self.pageSize)
        for value in first..<first + UInt32(Self.pageSize) {
            guard let scalar = Unicode.Scalar(value) else {
                entries.append(Entry(.dropped))  // a surrogate: cannot be in a String
                continue
            }
            entries.append(packed(makeEntries(for: scalar)))
        }
    }

    private mutating func packed(_ list: [Entry]) -> Entry {
        if list.isEmpty { return Entry(.dropped) }
        if list.count == 1 { return list[0] }
        let entry = Entry(.expansion, UInt32(expansions.count))
        expansions.append(Entry(bits: UInt32(list.count)))
        expansions += list
        return entry
    }

    /// The stages run in the reference's order: clean, isolate ideographs, decompose and strip, lowercase.
    private func makeEntries(for scalar: Unicode.Scalar) -> [Entry] {
        if normalization.cleansText {
            if BertScalarRules.isDropped(scalar) { return [] }
            if BertScalarRules.isWhitespace(scalar) { return [Entry(.space)] }
        }
        var list: [Entry] = []
        for part in normalization.stripsAccents ? Self.decomposition(of: scalar) : [scalar] {
            list += stripped(part)
        }
        guard normalization.isolatesIdeographs, BertScalarRules.isIdeograph(scalar) else { return list }
        if list.count == 1, list[0].kind == .letter { return [Entry(.isolated, list[0].value)] }
        return [Entry(.space)] + list + [Entry(.space)]
    }

    private func stripped(_ scalar: Unicode.Scalar) -> [Entry] {
        let stripsAccents = normalization.stripsAccents
        let combiningClass = stripsAccents ? BertScalarRules.combiningClass(of: scalar) : 0
        if stripsAccents, BertScalarRules.isNonspacingMark(scalar) {
            return combiningClass == 0 ? [Entry(.barrier)] : []
        }
        let parts =
            normalization.lowercases ? Array(scalar.properties.lowercaseMapping.unicodeScalars) : [scalar]
        return parts.map { part in
            if BertScalarRules.isWhitespace(part) { return Entry(.space) }
            if BertScalarRules.isPunctuation(part) { return Entry(.isolated, part.value) }
            return Entry(combiningClass == 0 ? .letter : .mark, part.value)
        }
    }

    private static func decomposition(of scalar: Unicode.Scalar) -> [Unicode.Scalar] {
        guard BertScalarRules.isAssigned(scalar, in: 9) else { return [scalar] }
        return Array(String(Character(scalar)).decomposedStringWithCanonicalMapping.unicodeScalars)
    }
}

extension ScalarMap.Entry {
    fileprivate init(bits: UInt32) {
        self.bits = bits
    }
}
