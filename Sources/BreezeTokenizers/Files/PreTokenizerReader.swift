import BreezeCore

/// Reads the section `pre_tokenizer` of a `tokenizer.json`.
struct PreTokenizerReader {
    let file: TokenizerFile

    struct Result {
        var steps: [PreTokenizer.Step] = []
        /// The model's tokens are made of bytes, each as a character of GPT-2's alphabet.
        var isByteLevel = false
    }

    private static let gpt2 =
        #"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"#

    func read(_ section: StrictJSON?) throws(BreezeError) -> Result {
        var result = Result()
        if let section { try add(section, to: &result) }
        return result
    }

    private func add(_ section: StrictJSON, to result: inout Result) throws(BreezeError) {
        let type = section["type"]?.string ?? "none"
        guard !result.isByteLevel else { throw unsupported("\(type.prefix(40)) behind ByteLevel") }
        switch type {
        case "Sequence":
            guard let list = section["pretokenizers"]?.array else {
                throw file.invalid("its pre_tokenizer has no list")
            }
            for element in list { try add(element, to: &result) }
        case "ByteLevel":
            if section["add_prefix_space"]?.bool ?? true { result.steps.append(.prefixSpace) }
            if section["use_regex"]?.bool ?? true { result.steps.append(try pattern(Self.gpt2)) }
            result.isByteLevel = true
        case "Metaspace": result.steps.append(.metaspace(try metaspace(section)))
        case "Split": result.steps.append(try split(section))
        default: result.steps += try simple(type, section)
        }
    }

    /// Those that are patterns by another name.
    private func simple(_ type: String, _ section: StrictJSON) throws(BreezeError) -> [PreTokenizer.Step] {
        switch type {
        case "Whitespace": [try pattern(#"\w+|[^\w\s]+"#, .removed, isInverted: true)]
        case "WhitespaceSplit": [try pattern(#"\s"#, .removed)]
        case "Digits":
            [try pattern(#"\p{N}"#, section["individual_digits"]?.bool ?? false ? .isolated : .contiguous)]
        case "Punctuation": [try punctuation(try behavior(section, default: .isolated))]
        case "BertPreTokenizer": [try pattern(#"\s"#, .removed), try punctuation(.isolated)]
        case "CharDelimiterSplit":
            [.split(.init(delimiter: .text(try delimiterByte(section)), behavior: .removed))]
        default: throw unsupported("\(type.prefix(40))")
        }
    }

    private func punctuation(_ behavior: PieceSplitter.Behavior) throws(BreezeError) -> PreTokenizer.Step {
        try pattern(#"\p{BertPunctuation}"#, behavior)
    }

    private func delimiterByte(_ section: StrictJSON) throws(BreezeError) -> [UInt8] {
        guard let text = section["delimiter"]?.bytes, !text.isEmpty else {
            throw file.invalid("its CharDelimiterSplit has no delimiter")
        }
        return text
    }

    private func metaspace(_ section: StrictJSON) throws(BreezeError) -> PreTokenizer.Metaspace {
        var metaspace = PreTokenizer.Metaspace()
        if let symbol = section["replacement"]?.bytes {
            guard !symbol.isEmpty else { throw file.invalid("its Metaspace has an empty replacement") }
            metaspace.replacement = symbol
        }
        switch section["prepend_scheme"]?.string {
        case "always": metaspace.scheme = .always
        case "first": metaspace.scheme = .first
        case "never": metaspace.scheme = .never
        default: metaspace.scheme = section["add_prefix_space"]?.bool ?? true ? .always : .never
        }
        metaspace.splits = section["split"]?.bool ?? true
        return metaspace
    }

    private func split(_ section: StrictJSON) throws(BreezeError) -> PreTokenizer.Step {
        .split(
            PieceSplitter(
                delimiter: try delimiter(section["pattern"]),
                behavior: try behavior(section, default: .isolated),
                isInverted: section["invert"]?.bool ?? false
            )
        )
    }

    /// A pattern or a plain text, as `Split` and `Replace` have them.
    func delimiter(_ section: StrictJSON?) throws(BreezeError) -> PieceSplitter.Delimiter {
        if let text = section?["String"]?.bytes, !text.isEmpty { return .text(text) }
        guard let pattern = section?["Regex"]?.string else {
            throw file.invalid("a pattern of it is missing")
        }
        if pattern == PreTokenizerCatalog.digitGroups { return .digitGroups }
        return try PreTokenizerCatalog.matcher(pattern, file.name)
    }

    private func behavior(
        _ section: StrictJSON,
        default usual: PieceSplitter.Behavior
    ) throws(BreezeError) -> PieceSplitter.Behavior {
        guard let name = section["behavior"]?.string else { return usual }
        guard let behavior = PieceSplitter.Behavior(rawValue: name) else {
            throw file.invalid("its pre_tokenizer has the behavior \(name.prefix(40))")
        }
        return behavior
    }

    private func pattern(
        _ pattern: String,
        _ behavior: PieceSplitter.Behavior = .isolated,
        isInverted: Bool = false
    ) throws(BreezeError) -> PreTokenizer.Step {
        let delimiter = try PreTokenizerCatalog.matcher(pattern, file.name)
        return .split(PieceSplitter(delimiter: delimiter, behavior: behavior, isInverted: isInverted))
    }

    private func unsupported(_ part: String) -> BreezeError {
        BreezeError(
            .unsupported,
            "\(file.name) divides text with \(part), which is not supported.",
            remedy: "Take another edition of the model."
        )
    }
}
