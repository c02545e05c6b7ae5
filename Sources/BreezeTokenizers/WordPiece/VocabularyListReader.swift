import BreezeCore

/// Reads the older form of a BERT tokenizer: `vocab.txt`, whose line numbers are the ids, and the options in
/// `tokenizer_config.json`.
struct VocabularyListReader {
    private let list: TokenizerFile
    private let configuration: TokenizerFile
    private let options: StrictJSON

    /// The tokenizer classes whose behaviour is that of BERT's.
    private static let bertFamilies: Set = ["Bert", "DistilBert", "Electra", "MobileBert", "Retribert"]
    private static let roles = [
        "unk_token", "cls_token", "sep_token", "pad_token", "mask_token", "bos_token", "eos_token",
    ]
    private static let bertTokens = [
        "unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]", "pad_token": "[PAD]",
        "mask_token": "[MASK]",
    ]
    /// MPNet's has RoBERTa's names and its frame, but splits words as BERT's does.
    private static let mpnetTokens = [
        "unk_token": "[UNK]", "cls_token": "<s>", "sep_token": "</s>", "pad_token": "<pad>",
        "mask_token": "<mask>", "bos_token": "<s>", "eos_token": "</s>",
    ]

    static func read(_ list: TokenizerFile, configuration: TokenizerFile) throws(BreezeError)
        -> WordPieceModel
    {
        let options = try configuration.json()
        return try VocabularyListReader(list: list, configuration: configuration, options: options).model()
    }

    private func model() throws(BreezeError) -> WordPieceModel {
        let isMPNet = try family() == "MPNet"
        let usual = isMPNet ? Self.mpnetTokens : Self.bertTokens
        let lines = tokens()
        let known = Set(lines)
        let listed = try listedTokens(known)
        var builder = try WordPieceModelBuilder(
            file: list,
            tokenCount: lines.count + listed.count(where: \.isNew),
            normalization: normalization()
        )
        for (id, token) in lines.enumerated() {
            try builder.addToken(token, id: id, prefix: Array("##".utf8))
        }
        var seen = Set(listed.map(\.content))
        for token in listed { try builder.addAddedToken(token) }
        for (content, options) in try namedTokens(usual)
        where known.contains(content) && seen.insert(content).inserted {
            let id = Int(try builder.id(of: content))
            try builder.addAddedToken(AddedToken(content: content, id: id, options: options, isSpecial: true))
        }
        let cls = try builder.id(of: special("cls_token", usual))
        let sep = try builder.id(of: special("sep_token", usual))
        return try builder.finished(
            unknown: special("unk_token", usual),
            maximumWordLength: 100,
            single: .single(cls: cls, sep: sep),
            pair: isMPNet ? .robertaPair(cls: cls, sep: sep) : .bertPair(cls: cls, sep: sep),
            decoding: [.wordPiece(prefix: Array("##".utf8), cleansUp: true)]
        )
    }

    /// The name of the tokenizer's class without what all such names end in.
    private func family() throws(BreezeError) -> String {
        guard options.members != nil else { throw configuration.invalid("it holds no JSON object") }
        guard try flag("do_basic_tokenize") ?? true else {
            throw configuration.invalid("do_basic_tokenize is false, which is not supported")
        }
        guard let name = options["tokenizer_class"]?.string else { return "Bert" }
        let family = name.replacing("TokenizerFast", with: "").replacing("Tokenizer", with: "")
        guard family == "MPNet" || Self.bertFamilies.contains(family) else {
            throw configuration.invalid(
                "its tokenizer_class is \(name.prefix(40)), which is not known to be BERT's"
            )
        }
        return family
    }

    /// The added tokens that the options list by id; later lines of `vocab.txt`, as it were.
    private func listedTokens(_ known: Set<[UInt8]>) throws(BreezeError) -> [AddedToken] {
        guard let section = options["added_tokens_decoder"] else { return [] }
        guard let members = section.members else {
            throw configuration.invalid("added_tokens_decoder is no JSON object")
        }
        var tokens: [AddedToken] = []
        for member in members {
            let key = String(decoding: member.key, as: UTF8.self)
            guard let content = member.value["content"]?.bytes, !content.isEmpty, let id = Int(key) else {
                throw configuration.invalid("an entry of added_tokens_decoder has no content or no id")
            }
            var token = AddedToken(content: content, id: id, options: member.value)
            token.isNew = !known.contains(content)
            tokens.append(token)
        }
        return tokens
    }

    /// The tokens that have a role, and those that have none but are as special.
    private func namedTokens(
        _ usual: [String: String]
    ) throws(BreezeError) -> [(content: [UInt8], options: StrictJSON)] {
        var tokens: [(content: [UInt8], options: StrictJSON)] = []
        for name in Self.roles where usual[name] != nil || options[name] != nil {
            tokens.append((try special(name, usual), options[name] ?? .null))
        }
        for element in options["additional_special_tokens"]?.array ?? [] {
            tokens.append((try content(of: element, named: "additional_special_tokens"), element))
        }
        return tokens
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

    private func special(_ name: String, _ usual: [String: String]) throws(BreezeError) -> [UInt8] {
        guard let value = options[name] else { return Array((usual[name] ?? "").utf8) }
        return try content(of: value, named: name)
    }

    /// A special token's text: a string, or an object that has it as `content`.
    private func content(of value: StrictJSON, named name: String) throws(BreezeError) -> [UInt8] {
        guard let token = value.bytes ?? value["content"]?.bytes, !token.isEmpty else {
            throw configuration.invalid("\(name) is no text")
        }
        return token
    }
}
