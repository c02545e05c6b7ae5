import BreezeCore

/// Reads the section `model` of a `tokenizer.json` of the kind Unigram.
struct UnigramJSONReader {
    let file: TokenizerFile
    let section: StrictJSON

    func entries() throws(BreezeError) -> [(token: [UInt8], score: Double)] {
        guard let list = section["vocab"]?.array, !list.isEmpty, list.count <= SubwordJSONReader.largestID
        else {
            throw file.invalid("its model has no usable vocab")
        }
        var entries: [(token: [UInt8], score: Double)] = []
        for element in list {
            guard let pair = element.array, pair.count == 2, let token = pair[0].bytes,
                let score = Self.number(pair[1]), score.isFinite
            else { throw file.invalid("an entry of its vocab is no token with a score") }
            entries.append((token, score))
        }
        return entries
    }

    private static func number(_ value: StrictJSON) -> Double? {
        switch value {
        case .integer(let number): Double(number)
        case .number(let number): rounded(number)
        default: nil
        }
    }

    /// The reference multiplies the decimal digits by a power of ten, which may be off by the last bit, and that
    /// bit decides between divisions of equal worth.
    private static func rounded(_ number: Double) -> Double {
        let parts = "\(number.magnitude)".split(separator: "e")
        guard let decimal = parts.first else { return number }
        let digits = decimal.split(separator: ".", omittingEmptySubsequences: false)
        let fraction = digits.count > 1 && digits[1] != "0" ? digits[1] : ""
        let exponent = (parts.count > 1 ? Int(parts[1]) ?? 0 : 0) - fraction.count
        guard let significand = UInt64(digits[0] + fraction), (-22...22).contains(exponent) else {
            return number
        }
        var power = 1.0
        for _ in 0..<abs(exponent) { power *= 10 }
        let value = exponent < 0 ? Double(significand) / power : Double(significand) * power
        return number < 0 ? -value : value
    }

    func model(_ entries: [(token: [UInt8], score: Double)]) throws(BreezeError) -> UnigramModel {
        guard let unknown = section["unk_id"]?.integer, entries.indices.contains(unknown) else {
            throw file.invalid("its unk_id is that of no token")
        }
        var model = UnigramModel()
        model.unknownID = Int32(unknown)
        model.scores = entries.map(\.score)
        model.unknownScore = (model.scores.min() ?? 0) - UnigramModel.unknownPenalty
        var table = TokenTable(capacity: entries.count)
        for (id, entry) in entries.enumerated() where !entry.token.isEmpty {
            guard model.trie.insert(entry.token, id: Int32(id)) else {
                throw file.invalid("its tokens are too long in all")
            }
            _ = table.insert(entry.token, id: Int32(id))
        }
        if section["byte_fallback"]?.bool ?? false {
            let ids = (0..<256).compactMap { table.id(of: ByteAlphabet.fallback(UInt8($0))) }
            model.byteIDs = ids.count == 256 ? ids : []
        }
        model.findCuts(entries.map(\.token))
        return model
    }
}
