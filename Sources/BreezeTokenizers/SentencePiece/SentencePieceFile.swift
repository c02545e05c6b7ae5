import BreezeCore

/// Reads SentencePiece's `.model`, a protocol-buffer message (`sentencepiece_model.proto`).
struct SentencePieceFile {
    let name: String
    let bytes: [UInt8]

    private enum Trainer {
        static let modelType = 3
        static let spaceIsSuffix = 24
        static let unknownID = 40
        static let beginningID = 41
        static let endID = 42
    }

    func vocabulary() throws(BreezeError) -> TokenizerVocabulary {
        var source = TokenizerVocabulary(kind: .unigram, tokens: [])
        source.followsSentencePiece = true
        source.specialIDs = .init(beginning: 1, end: 2, unknown: 0)
        source.addsSpacePrefix = true
        source.removesExtraSpaces = true
        source.addsBeginning = false
        source.addsEnd = false
        var reader = ProtobufReader(self, 0..<bytes.count)
        while let field = try reader.next() {
            switch (field.number, field.value) {
            case (1, .bytes(let range)): try addPiece(range, to: &source)
            case (2, .bytes(let range)): try readTrainer(range, &source)
            case (3, .bytes(let range)): try readNormalizer(range, &source)
            default: break
            }
        }
        guard !source.tokens.isEmpty else { throw TokenizerFile.invalid(name, "it has no tokens") }
        try settleSpecials(&source)
        return source
    }

    private func addPiece(_ range: Range<Int>, to source: inout TokenizerVocabulary) throws(BreezeError) {
        var token: [UInt8] = []
        var score: Float = 0
        var kind = TokenizerVocabulary.TokenKind.normal
        var reader = ProtobufReader(self, range)
        while let field = try reader.next() {
            switch (field.number, field.value) {
            case (1, .bytes(let range)): token = Array(bytes[range])
            case (2, .fixed32(let bits)): score = Float(bitPattern: bits)
            case (3, .varint(let number)):
                guard let known = TokenizerVocabulary.TokenKind(rawValue: Int(clamping: number)) else {
                    throw TokenizerFile.invalid(name, "token \(source.tokens.count) is of the kind \(number)")
                }
                kind = known
            default: break
            }
        }
        guard !token.isEmpty else {
            throw TokenizerFile.invalid(name, "token \(source.tokens.count) is empty")
        }
        source.tokens.append(token)
        source.scores.append(score)
        source.tokenKinds.append(kind)
    }

    private func readTrainer(_ range: Range<Int>, _ source: inout TokenizerVocabulary) throws(BreezeError) {
        var reader = ProtobufReader(self, range)
        while let field = try reader.next() {
            guard case .varint(let value) = field.value else { continue }
            // A negative id, which says that there is no such token, is a varint of ten bytes.
            let id = Int(Int32(truncatingIfNeeded: value))
            switch field.number {
            case Trainer.modelType: source.kind = try kind(value)
            case Trainer.spaceIsSuffix: source.spaceIsSuffix = value != 0
            case Trainer.unknownID: source.specialIDs.unknown = id < 0 ? nil : id
            case Trainer.beginningID: source.specialIDs.beginning = id < 0 ? nil : id
            case Trainer.endID: source.specialIDs.end = id < 0 ? nil : id
            default: break
            }
        }
    }

    private func kind(_ value: UInt64) throws(BreezeError) -> TokenizerVocabulary.Kind {
        switch value {
        case 1: return .unigram
        case 2: return .sentencePiece
        default:
            throw BreezeError(
                .unsupported,
                "\(name) is a SentencePiece model of the kind \(value); 1 (unigram) and 2 (BPE) are supported.",
                remedy: "Choose another model."
            )
        }
    }

    private func readNormalizer(_ range: Range<Int>, _ source: inout TokenizerVocabulary) throws(BreezeError)
    {
        var reader = ProtobufReader(self, range)
        while let field = try reader.next() {
            switch (field.number, field.value) {
            case (2, .bytes(let range)): source.characterMap = Array(bytes[range])
            case (3, .varint(let flag)): source.addsSpacePrefix = flag != 0
            case (4, .varint(let flag)): source.removesExtraSpaces = flag != 0
            case (5, .varint(let flag)): source.escapesSpaces = flag != 0
            default: break
            }
        }
    }

    /// The ids are those of the tokens' own kinds; what the trainer was told counts only where there is such a
    /// token.
    private func settleSpecials(_ source: inout TokenizerVocabulary) throws(BreezeError) {
        let unknown = source.tokenKinds.indices.filter { source.tokenKinds[$0] == .unknown }
        guard unknown.count == 1 else {
            throw TokenizerFile.invalid(name, "it has \(unknown.count) unknown tokens, not one")
        }
        source.specialIDs.unknown = unknown[0]
        for path in [\TokenizerVocabulary.SpecialIDs.beginning, \.end] {
            guard let id = source.specialIDs[keyPath: path] else { continue }
            if !source.tokens.indices.contains(id) || source.tokenKinds[id] != .control {
                source.specialIDs[keyPath: path] = nil
            }
        }
    }
}

extension SentencePieceFile: ProtobufSource {
    func integer<Number: FixedWidthInteger>(_: Number.Type, at offset: Int) throws(BreezeError) -> Number {
        bytes.withUnsafeBytes {
            Number(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: Number.self))
        }
    }

    func fault(_ reason: String) -> BreezeError {
        TokenizerFile.invalid(name, "it is no SentencePiece model: \(reason)")
    }
}
