import BreezeCore

/// Reads the older form of a BERT tokenizer: `vocab.txt`, whose line numbers are the ids, and the options in
/// `tokenizer_config.json`.
struct VocabularyListReader {
    private let list: TokenizerFile
    private let configuration: TokenizerFile
    private let options: StrictJSON

    /// The tokenizer classes whose behaviour is that of BERT's, but for the names of the special tokens.
    private static let classes: Set = ["Bert", "DistilBert", "Electra", "MPNet", "MobileBert", "Retribert"]

    static func read(_ list: TokenizerFile, configuration: TokenizerFile) throws(BreezeError)
        -> WordPieceModel
    {
        let options = try configuration.json()
        return try VocabularyListReader(list: list, configuration: configuration, options: options).model()
    }

    private func model() throws(BreezeError) -> WordPieceModel {
        try checkClass()
        let lines = tokens()
        var builder = try WordPieceModelBuilder(
            file: list,
            tokenCount: lines.count,
            normalization: normalization()
        )
        for (id, token) in lines.enumerated() {
            try builder.addToken(token, id: id, prefix: Array("##".utf8))
        }
        let unknown = try special("unk_token", "[UNK]")
        let cls = try special("cls_token", "[CLS]")
        let sep = try special("sep_token", "[SEP]")
        let others = [try special("pad_token", "[PAD]"), try special("mask_token", "[MASK]")]
        var seen: Set<[UInt8]> = []
        for token in [unknown, cls, sep] + others where builder.contains(token) && seen.insert(token).inserted
        {
            let id = Int(try builder.id(of: token))
            try builder.addAddedToken(token, id: id, wholeWord: false, isNew: false)
        }
        return try builder.finished(
            unknown: unknown,
            maximumWordLength: 100,
            prefix: [try builder.id(of: cls)],
            suffix: [try builder.id(of: sep)]
        )
    }

    private func checkClass() throws(BreezeError) {
        guard options.members != nil else { throw configuration.invalid("it holds no JSON object") }
        guard try flag("do_basic_tokenize") ?? true else {
            throw configuration.invalid("do_basic_tokenize is false, which is not supported")
        }
        guard let name = options["tokenizer_class"]?.string else { return }
        let family = name.replacing("TokenizerFast", with: "").replacing("Tokenizer", with: "")
        guard Self.classes.contains(family) else {
            throw configuration.invalid(
                "its tokenizer_class is \(name.prefix(40)), which is not known to be BERT's"
            )
        }
    }

    private func tokens() -> [[UInt8]] {
        var lines = list.bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
            Array(line.last == 0x0D ? line.dropLast() : line)
        }
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }

    private func normalization() throws(BreezeError) -> BertNormalization {
        let lowercases = try flag("do_lower_case") ?? true
        return BertNormalization(
            cleansText: true,
            isolatesIdeographs: try flag("tokenize_chinese_chars") ?? true,
            stripsAccents: try flag("strip_accents") ?? lowercases,
            lowercases: lowercases
        )
    }

    private func flag(_ name: String) throws(BreezeError) -> Bool? {
        guard let value = options[name] else { return nil }
        guard let flag = value.bool else { throw configuration.invalid("\(name) is neither true nor false") }
        return flag
    }

    /// A special token's text: a string, or an object that has it as `content`.
    private func special(_ name: String, _ usual: String) throws(BreezeError) -> [UInt8] {
        guard let value = options[name] else { return Array(usual.utf8) }
        guard let token = value.bytes ?? value["content"]?.bytes, !token.isEmpty else {
            throw configuration.invalid("\(name) is no text")
        }
        return token
    }
}
