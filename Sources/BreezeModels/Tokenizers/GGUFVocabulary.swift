import BreezeCore
public import BreezeTokenizers
import Foundation

extension GGUFFile {
    /// The vocabulary in the file's metadata, as plain values.
    ///
    /// - Throws: `invalid_file` naming the key and its fault; `unsupported` for a tokenizer that is not known.
    public func tokenizerVocabulary() throws -> TokenizerVocabulary {
        try GGUFVocabulary(fields: GGUFFields(self)).read()
    }

    /// The tokenizer of the model.
    ///
    /// - Throws: what ``tokenizerVocabulary()`` throws, and the same where the vocabulary contradicts itself.
    public func tokenizer() throws -> any Tokenizer {
        try tokenizerVocabulary().makeTokenizer(named: url.lastPathComponent)
    }
}

/// Reads the keys `tokenizer.ggml.*`.
struct GGUFVocabulary {
    let fields: GGUFFields

    private static let prefix = "tokenizer.ggml."

    func read() throws -> TokenizerVocabulary {
        let model = try kind()
        guard let tokens = try array("tokens", of: [.string]) else {
            throw fields.fault("\(Self.prefix)tokens is missing")
        }
        var source = TokenizerVocabulary(kind: model.kind, tokens: Self.bytes(of: tokens))
        source.preTokenizer = try fields.text(Self.prefix + "pre") ?? model.preTokenizer
        if model.preTokenizer != nil, model.kind == .bytePair, model.isFixed {
            source.preTokenizer = model.preTokenizer
        }
        if let scores = try array("scores", of: [.float32, .int32], count: tokens.count) {
            source.scores = (scores.doubles ?? scores.integers?.map(Double.init) ?? []).map(Float.init)
        }
        if let kinds = try array("token_type", of: [.int32], count: tokens.count)?.integers {
            source.tokenKinds = kinds.map { .init(rawValue: $0) ?? .normal }
        }
        if let merges = try array("merges", of: [.string]) { source.merges = Self.bytes(of: merges) }
        if let map = try array("precompiled_charsmap", of: [.int8, .uint8])?.integers {
            source.characterMap = map.map { UInt8(truncatingIfNeeded: $0) }
        }
        source.specialIDs = .init(
            beginning: try id("bos_token_id") ?? id("cls_token_id") ?? model.beginning,
            end: try id("eos_token_id") ?? model.end,
            unknown: try id("unknown_token_id") ?? model.unknown,
            separator: try id("seperator_token_id") ?? model.separator
        )
        source.addsBeginning = try flag("add_bos_token")
        source.addsEnd = try flag("add_eos_token")
        source.addsSpacePrefix = try flag("add_space_prefix")
        source.removesExtraSpaces = try flag("remove_extra_whitespaces") ?? false
        return source
    }

    /// What llama.cpp assumes for a kind where the file states nothing.
    private struct Model {
        let kind: TokenizerVocabulary.Kind
        var preTokenizer: String?
        var isFixed = false
        var beginning: Int?
        var end: Int?
        var unknown: Int?
        var separator: Int?
    }

    private func kind() throws -> Model {
        let key = Self.prefix + "model"
        switch try fields.text(key) {
        case "gpt2": return Model(kind: .bytePair)
        case "gemma4": return Model(kind: .bytePair, preTokenizer: "gemma4", isFixed: true)
        case "llama": return Model(kind: .sentencePiece, beginning: 1, end: 2, unknown: 0)
        case "t5": return Model(kind: .unigram, end: 1, unknown: 2)
        case "bert": return Model(kind: .wordPiece, beginning: 101, unknown: 100, separator: 102)
        case nil: throw fields.fault("\(key) is missing")
        case let name?:
            throw BreezeError(
                .unsupported,
                "\(fields.file.url.path) has a tokenizer of the kind \"\(name.excerpt)\", which is not supported.",
                remedy: "llama.cpp itself may know it; its ids cannot be counted here."
            )
        }
    }

    private func array(_ name: String, of kinds: [GGUFValue.Kind], count: Int? = nil) throws -> GGUFArray? {
        try fields.array(Self.prefix + name, of: kinds, count: count)
    }

    private func id(_ name: String) throws -> Int? {
        try fields.integer(Self.prefix + name, 0...Int(Int32.max))
    }

    private func flag(_ name: String) throws -> Bool? {
        guard let value = fields.file.metadata[Self.prefix + name] else { return nil }
        guard let flag = value.boolValue else {
            throw fields.fault("\(Self.prefix)\(name) is \(value.kind) and not bool")
        }
        return flag
    }

    private static func bytes(of array: GGUFArray) -> [[UInt8]] {
        var texts: [[UInt8]] = []
        texts.reserveCapacity(array.count)
        array.forEachString { texts.append(Array($0)) }
        return texts
    }
}
