import BreezeCore

/// Reads the section `model` of a `tokenizer.json` of the kind BPE.
struct BytePairJSONReader {
    let file: TokenizerFile
    let section: StrictJSON
    let isByteLevel: Bool

    /// The tokens by id; empty where an id has none.
    func tokens() throws(BreezeError) -> [[UInt8]] {
        guard let members = section["vocab"]?.members, !members.isEmpty else {
            throw file.invalid("its model has no vocab")
        }
        let limit = min(SubwordJSONReader.largestID, members.count * 2 + 65_536)
        var tokens: [[UInt8]] = []
        var taken: [Bool] = []
        for member in members {
            guard let id = member.value.integer, (0..<limit).contains(id) else {
                throw file.invalid(
                    "\(VocabularyBuilder.quoted(member.key)) has no usable id among \(members.count) tokens"
                )
            }
            while tokens.count <= id {
                tokens.append([])
                taken.append(false)
            }
            guard !taken[id] else { throw file.invalid("two tokens have the id \(id)") }
            taken[id] = true
            tokens[id] = member.key
        }
        return tokens
    }

    func model(_ tokens: [[UInt8]]) throws(BreezeError) -> BytePairModel {
        var table = TokenTable(capacity: tokens.count)
        for (id, token) in tokens.enumerated() where !token.isEmpty {
            guard table.insert(token, id: Int32(id)) else {
                throw file.invalid("\(VocabularyBuilder.quoted(token)) is in it twice")
            }
        }
        switch section["dropout"] {
        case nil, .integer(0), .number(0): break
        default:
            throw file.invalid("its merges are left out by chance (dropout), which is for training")
        }
        let prefix = section["continuing_subword_prefix"]?.bytes ?? []
        var model = BytePairModel(symbols: .bytes([]), merges: try merges(table, prefix: prefix))
        model.unknownID = try unknownID(table)
        model.joinsUnknown = section["fuse_unk"]?.bool ?? false
        if isByteLevel {
            guard prefix.isEmpty, suffix.isEmpty else {
                throw file.invalid("its bytes have prefixes or suffixes")
            }
            model.symbols = .bytes(
                (UInt8.min ... .max).map { table.id(of: ByteAlphabet.symbol(of: $0)) ?? SymbolMerger.unknown }
            )
        } else {
            var characters = BytePairModel.Characters(
                table: table,
                continuingPrefix: prefix,
                wordSuffix: suffix
            )
            if section["byte_fallback"]?.bool ?? false { characters.byteIDs = byteIDs(table) }
            if characters.isPlain, table.id(of: WordCut.visibleSpace) != nil {
                model.isCut = WordCut.isPossible(with: tokens)
            }
            model.symbols = .characters(characters)
        }
        if section["ignore_merges"]?.bool ?? false {
            model.wholeWords = wholeWords(tokens, table)
            model.isCut = false
        }
        return model
    }

    private var suffix: [UInt8] { section["end_of_word_suffix"]?.bytes ?? [] }

    private func unknownID(_ table: TokenTable) throws(BreezeError) -> Int32? {
        guard let token = section["unk_token"]?.bytes else { return nil }
        guard let id = table.id(of: token) else {
            throw file.invalid("the token \(VocabularyBuilder.quoted(token)) is missing from its vocabulary")
        }
        return id
    }

    private func merges(_ table: TokenTable, prefix: [UInt8]) throws(BreezeError) -> MergeTable {
        guard let list = section["merges"]?.array else { throw file.invalid("its model has no merges") }
        var merges = MergeTable(capacity: list.count)
        for (rank, element) in list.enumerated() {
            let (left, right) = try parts(of: element)
            let rest = right.starts(with: prefix) ? right.dropFirst(prefix.count) : right[...]
            guard let one = table.id(of: left), let two = table.id(of: right),
                let id = table.id(of: left + rest)
            else {
                throw file.invalid(
                    "its merge of \(VocabularyBuilder.quoted(left)) and \(VocabularyBuilder.quoted(right)) "
                        + "names a token that it does not have"
                )
            }
            // Of a pair that is there twice the last rank counts, as in the reference.
            merges.set(one, two, rank: UInt32(truncatingIfNeeded: rank), id: id)
        }
        return merges
    }

    /// `"Ġ t"`, or `["Ġ", "t"]`.
    private func parts(of element: StrictJSON) throws(BreezeError) -> (left: [UInt8], right: [UInt8]) {
        if let pair = element.array, pair.count == 2, let left = pair[0].bytes, let right = pair[1].bytes {
            return (left, right)
        }
        let parts = element.bytes?.split(separator: 0x20, omittingEmptySubsequences: false) ?? []
        guard parts.count == 2 else { throw file.invalid("one of its merges is not two tokens") }
        return (Array(parts[0]), Array(parts[1]))
    }

    private func byteIDs(_ table: TokenTable) -> [Int32] {
        let ids = (0..<256).compactMap { table.id(of: ByteAlphabet.fallback(UInt8($0))) }
        return ids.count == 256 ? ids : []
    }

    private func wholeWords(_ tokens: [[UInt8]], _ table: TokenTable) -> TokenTable {
        guard isByteLevel else { return table }
        var words = TokenTable(capacity: tokens.count)
        for (id, token) in tokens.enumerated() {
            if let bytes = ByteAlphabet.decoded(token), !bytes.isEmpty {
                _ = words.insert(bytes, id: Int32(id))
            }
        }
        return words
    }
}
