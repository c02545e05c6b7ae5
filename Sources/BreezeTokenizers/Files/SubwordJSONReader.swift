import BreezeCore

/// Reads a `tokenizer.json` whose model is BPE or Unigram.
struct SubwordJSONReader {
    let file: TokenizerFile
    let root: StrictJSON

    static let largestID = 1 << 22

    static func read(_ file: TokenizerFile, _ root: StrictJSON) throws(BreezeError) -> SubwordModel {
        try SubwordJSONReader(file: file, root: root).model()
    }

    private func model() throws(BreezeError) -> SubwordModel {
        guard let section = root["model"], section.members != nil else {
            throw file.invalid("it has no model")
        }
        let words = try PreTokenizerReader(file: file).read(root["pre_tokenizer"])
        var tokens: [[UInt8]]
        let algorithm: SubwordModel.Algorithm
        switch section["type"]?.string ?? (section["merges"] == nil ? "none" : "BPE") {
        case "BPE":
            let reader = BytePairJSONReader(file: file, section: section, isByteLevel: words.isByteLevel)
            tokens = try reader.tokens()
            algorithm = .bytePair(try reader.model(tokens))
        case "Unigram":
            guard !words.isByteLevel else { throw file.invalid("a Unigram model has no bytes for tokens") }
            let reader = UnigramJSONReader(file: file, section: section)
            let entries = try reader.entries()
            tokens = entries.map(\.token)
            algorithm = .unigram(try reader.model(entries))
        case let type:
            throw BreezeError(
                .unsupported,
                "\(file.name) is of the kind \(type.prefix(40)), which is not supported.",
                remedy: "Choose a model with a BPE, Unigram or WordPiece tokenizer."
            )
        }
        return try complete(algorithm, words, &tokens)
    }

    private func complete(
        _ algorithm: SubwordModel.Algorithm,
        _ words: PreTokenizerReader.Result,
        _ tokens: inout [[UInt8]]
    ) throws(BreezeError) -> SubwordModel {
        let steps = try DecoderReader(file: file).steps(root["decoder"])
        var model = SubwordModel(
            algorithm: algorithm,
            decoder: TokenDecoder(vocabulary: Vocabulary([]), steps: steps)
        )
        model.decoder.separator = [0x20]
        model.normalizer = try NormalizerReader(file: file).normalizer(root["normalizer"])
        model.preTokenizer.steps = words.steps
        let special = try addTokens(to: &model, &tokens)
        model.decoder.vocabulary = Vocabulary(tokens, special: special)
        if let section = frameSection(root["post_processor"]) {
            let templates = try PostProcessorReader(file: file, section: section).templates()
            for id in templates.single.frame + (templates.pair?.frame ?? [])
            where id < 0 || Int(id) >= tokens.count {
                throw file.invalid("it frames texts with the id \(id), which no token has")
            }
            model.single = templates.single
            model.pair = templates.pair
        }
        return model
    }

    /// What of the post-processor frames texts; `ByteLevel` alone only moves offsets.
    private func frameSection(_ section: StrictJSON?) -> StrictJSON? {
        guard let section else { return nil }
        switch section["type"]?.string {
        case "ByteLevel": return nil
        case "Sequence": return section["processors"]?.array?.compactMap { frameSection($0) }.first
        default: return section
        }
    }

    private func addTokens(to model: inout SubwordModel, _ tokens: inout [[UInt8]]) throws(BreezeError)
        -> Set<Int32>
    {
        guard let section = root["added_tokens"] else { return [] }
        guard let list = section.array else { throw file.invalid("added_tokens is no list") }
        var special: Set<Int32> = []
        var memory = PatternMatcher.Memory()
        for element in list {
            guard let content = element["content"]?.bytes, let id = element["id"]?.integer, !content.isEmpty
            else {
                throw file.invalid("an added token has no content or no id")
            }
            try place(content, at: id, in: &tokens)
            var token = AddedVocabulary.Token(id: Int32(id), content: content)
            token.isSpecial = element["special"]?.bool ?? false
            token.isWholeWord = element["single_word"]?.bool ?? false
            token.stripsLeft = element["lstrip"]?.bool ?? false
            token.stripsRight = element["rstrip"]?.bool ?? false
            if token.isSpecial { special.insert(token.id) }
            let isNew: Bool
            if element["normalized"]?.bool ?? !token.isSpecial {
                let raw = WorkingText(raw: content, 0..<content.count, tracksOrigins: false)
                let normalized = model.normalizer.apply(raw, &memory).bytes
                isNew = normalized.isEmpty || model.normalizedTokens.insert(token, lookedForAs: normalized)
            } else {
                isNew = model.rawTokens.insert(token)
            }
            guard isNew else {
                throw file.invalid("the added token \(VocabularyBuilder.quoted(content)) is in it twice")
            }
        }
        return special
    }

    private func place(_ content: [UInt8], at id: Int, in tokens: inout [[UInt8]]) throws(BreezeError) {
        guard (0..<Self.largestID).contains(id), id <= tokens.count + 65_536 else {
            throw file.invalid("the added token \(VocabularyBuilder.quoted(content)) has the id \(id)")
        }
        while tokens.count <= id { tokens.append([]) }
        guard tokens[id].isEmpty || tokens[id] == content else {
            throw file.invalid(
                "the id \(id) is that of \(VocabularyBuilder.quoted(tokens[id])) and of "
                    + VocabularyBuilder.quoted(content)
            )
        }
        tokens[id] = content
    }
}
