import BreezeCore

/// Reads Hugging Face's `tokenizer.json`. Its `truncation` and `padding` are habits of whoever saved the
/// file, and are not read.
struct TokenizerJSONReader {
    private let file: TokenizerFile
    private let root: StrictJSON

    static func read(_ file: TokenizerFile) throws(BreezeError) -> WordPieceModel {
        try TokenizerJSONReader(file: file, root: file.json()).model()
    }

    private func model() throws(BreezeError) -> WordPieceModel {
        guard root.members != nil else { throw file.invalid("it holds no JSON object") }
        let model = try wordPieceSection()
        guard let vocabulary = model["vocab"]?.members else { throw file.invalid("its model has no vocab") }
        let added = try addedTokens()
        let known = Set(vocabulary.map(\.key))
        let newCount = added.count { !known.contains($0.content) }

        var builder = try WordPieceModelBuilder(
            file: file,
            tokenCount: vocabulary.count + newCount,
            normalization: normalization()
        )
        let prefix = model["continuing_subword_prefix"]?.bytes ?? Array("##".utf8)
        for member in vocabulary {
            guard let id = member.value.integer else {
                throw file.invalid("an id in vocab is no whole number")
            }
            try builder.addToken(member.key, id: id, prefix: prefix)
        }
        for var token in added {
            token.isNew = !known.contains(token.content)
            try builder.addAddedToken(token)
        }
        let templates = try templates(builder)
        return try builder.finished(
            unknown: model["unk_token"]?.bytes ?? Array("[UNK]".utf8),
            maximumWordLength: maximumWordLength(model),
            single: templates.single,
            pair: templates.pair,
            decoding: DecoderReader(file: file).steps(root["decoder"])
        )
    }

    private func wordPieceSection() throws(BreezeError) -> StrictJSON {
        guard let model = root["model"], model.members != nil else { throw file.invalid("it has no model") }
        let type = model["type"]?.string ?? "none"
        guard type == "WordPiece" else { throw file.invalid("its model is \(shown(type)), not WordPiece") }
        try require("BertPreTokenizer", at: "pre_tokenizer")
        return model
    }

    private func maximumWordLength(_ model: StrictJSON) throws(BreezeError) -> Int {
        guard let value = model["max_input_chars_per_word"] else { return 100 }
        guard let length = value.integer else {
            throw file.invalid("max_input_chars_per_word is no whole number")
        }
        return length
    }

    private func normalization() throws(BreezeError) -> BertNormalization {
        try require("BertNormalizer", at: "normalizer")
        let section = root["normalizer"]
        func flag(_ name: String) throws(BreezeError) -> Bool? {
            guard let value = section?[name] else { return nil }
            guard let flag = value.bool else { throw file.invalid("\(name) is neither true nor false") }
            return flag
        }
        let lowercases = try flag("lowercase") ?? true
        return BertNormalization(
            cleansText: try flag("clean_text") ?? true,
            isolatesIdeographs: try flag("handle_chinese_chars") ?? true,
            stripsAccents: try flag("strip_accents") ?? lowercases,
            lowercases: lowercases
        )
    }

    private func require(_ expected: String, at section: String) throws(BreezeError) {
        let type = root[section]?["type"]?.string ?? "none"
        guard type == expected else {
            throw file.invalid("its \(section) is \(shown(type)), not \(expected)")
        }
    }

    private func shown(_ type: String) -> Substring {
        type.prefix(40)
    }

    /// `lstrip` and `rstrip` only move white space, which has no ids here.
    private func addedTokens() throws(BreezeError) -> [AddedToken] {
        guard let section = root["added_tokens"] else { return [] }
        guard let list = section.array else { throw file.invalid("added_tokens is no list") }
        var tokens: [AddedToken] = []
        for element in list {
            guard let content = element["content"]?.bytes, let id = element["id"]?.integer else {
                throw file.invalid("an added token has no content or no id")
            }
            tokens.append(AddedToken(content: content, id: id, options: element))
        }
        return tokens
    }

    private func templates(
        _ builder: WordPieceModelBuilder
    ) throws(BreezeError) -> (single: SequenceTemplate, pair: SequenceTemplate?) {
        guard let section = root["post_processor"] else {
            // Saved without one: BERT's own frame, which the model was trained with. Pairs are not spoken of.
            let cls = try builder.id(of: Array("[CLS]".utf8))
            return (.single(cls: cls, sep: try builder.id(of: Array("[SEP]".utf8))), nil)
        }
        return try PostProcessorReader(file: file, section: section).templates()
    }
}
