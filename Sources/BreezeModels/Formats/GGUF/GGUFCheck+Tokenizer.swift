import BreezeCore
import Foundation

extension GGUFCheck {
    private static let largestVocabulary = 1 << 24
    private static let prefix = "tokenizer.ggml."

    func checkTokenizer() throws {
        let key = Self.prefix + "model"
        guard let model = try fields.text(key) else { throw fields.fault("\(key) is missing") }
        guard !["none", "no_vocab"].contains(model) else {
            throw fields.fault("it has no vocabulary")
        }
        guard let tokens = try fields.array(Self.prefix + "tokens", of: [.string]) else {
            throw fields.fault("\(Self.prefix)tokens is missing")
        }
        guard (1...Self.largestVocabulary).contains(tokens.count) else {
            throw fields.fault("\(Self.prefix)tokens has \(tokens.count) elements")
        }
        _ = try fields.array(Self.prefix + "scores", of: [.float32, .int32], count: tokens.count)
        _ = try fields.array(Self.prefix + "token_type", of: [.int32], count: tokens.count)
        try checkMerges(model)
        try checkTokenIDs(model, count: tokens.count)
        try checkEmbedding(tokens: tokens.count)
        if let double = Self.firstDouble(among: tokens) {
            throw fields.fault("\(Self.prefix)tokens has token \(double) twice")
        }
    }

    private func checkMerges(_ model: String) throws {
        let key = Self.prefix + "merges"
        let merges = try fields.array(key, of: [.string])
        // kimi-k2 is the one byte-level tokenizer that has none.
        let needs = model == "gpt2" && fields.file.metadata[Self.prefix + "pre"]?.stringValue != "kimi-k2"
        guard needs, merges.map({ $0.count == 0 }) ?? true else { return }
        throw fields.fault("\(key) is \(merges == nil ? "missing" : "empty")")
    }

    /// Ids that llama.cpp assumes where the file states none, and without which it ends the process when it
    /// tokenizes: CLS and SEP of WordPiece, the beginning of SentencePiece.
    private static let assumed: [String: [(name: String, id: Int)]] = [
        "bert": [("bos", 101), ("seperator", 102)], "llama": [("bos", 1)],
    ]

    private func checkTokenIDs(_ model: String, count: Int) throws {
        for key in fields.file.metadata.keys.sorted()
        where key.hasPrefix(Self.prefix) && key.hasSuffix("_token_id") {
            _ = try fields.integer(key, 0...count - 1)
        }
        for (name, id) in Self.assumed[model] ?? [] {
            let key = "\(Self.prefix)\(name)_token_id"
            guard fields.file.metadata[key] != nil || id < count else {
                throw fields.fault(
                    "\(key) is missing, and \(id) is outside the vocabulary of \(count) tokens"
                )
            }
        }
    }

    private func checkEmbedding(tokens: Int) throws {
        guard let table = fields.file.tensors.first(where: { $0.name == "token_embd.weight" }) else {
            throw fields.fault("the tensor token_embd.weight is missing")
        }
        guard table.dimensions.count == 2, table.dimensions[1] == tokens else {
            let rows = table.dimensions.dropFirst().first ?? 0
            throw fields.fault("its vocabulary has \(tokens) tokens and its embedding table \(rows) rows")
        }
    }

    /// The index of a token that stood there before: llama.cpp's table of tokens must be as long as the list.
    /// It ends a token at the first zero byte, and names an empty one after its index.
    private static func firstDouble(among tokens: GGUFArray) -> Int? {
        var seen = TokenSet(capacity: tokens.count)
        var index = 0
        var found: Int?
        tokens.forEachString { bytes in
            defer { index += 1 }
            guard found == nil else { return }
            var length = bytes.count
            if let first = bytes.baseAddress, let zero = memchr(first, 0, length) {
                length = UnsafeRawPointer(zero) - first
            }
            let isNew: Bool
            if length == 0 {
                isNew = Array("[EMPTY_\(index)]".utf8).withUnsafeBytes { seen.insert($0) }
            } else {
                isNew = seen.insert(UnsafeRawBufferPointer(rebasing: bytes[..<length]))
            }
            if !isNew { found = index }
        }
        return found
    }
}

/// A set of byte strings in one buffer: 150,000 of them as `String` would take most of the time that opening
/// a model takes.
private struct TokenSet {
    private var slots: [Int32]
    private var hashes: [UInt64] = []
    private var starts: [Int] = [0]
    private var bytes: [UInt8] = []
    /// Drawn anew for each set, so that nobody can make a file whose tokens all collide.
    private let seed = UInt64.random(in: .min ... .max)

    init(capacity: Int) {
        var size = 16
        while size < 2 * capacity { size *= 2 }
        slots = Array(repeating: -1, count: size)
        starts.reserveCapacity(capacity + 1)
        hashes.reserveCapacity(capacity)
    }

    /// - Returns: whether it was not there.
    mutating func insert(_ token: UnsafeRawBufferPointer) -> Bool {
        let hash = hash(token)
        var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
        while slots[slot] >= 0 {
            let index = Int(slots[slot])
            if hashes[index] == hash, isEqual(token, index) { return false }
            slot = (slot + 1) & (slots.count - 1)
        }
        slots[slot] = Int32(starts.count - 1)
        hashes.append(hash)
        bytes.append(contentsOf: token)
        starts.append(bytes.count)
        return true
    }

    private func isEqual(_ token: UnsafeRawBufferPointer, _ index: Int) -> Bool {
        bytes.withUnsafeBytes { bytes in
            let known = UnsafeRawBufferPointer(rebasing: bytes[starts[index]..<starts[index + 1]])
            guard let first = known.baseAddress, let other = token.baseAddress else {
                return known.isEmpty && token.isEmpty
            }
            return known.count == token.count && memcmp(first, other, token.count) == 0
        }
    }

    /// Eight bytes at a time, each mixed by a multiplication of 128 bits with a secret: a token is a few bytes
    /// long, for which the standard library's hasher takes four times as long.
    private func hash(_ token: UnsafeRawBufferPointer) -> UInt64 {
        func mix(_ a: UInt64, _ b: UInt64) -> UInt64 {
            let product = a.multipliedFullWidth(by: b)
            return product.high ^ product.low
        }
        var hash = seed ^ UInt64(token.count)
        var offset = 0
        while offset + 8 <= token.count {
            let word = token.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            hash = mix(hash ^ word, 0x9E37_79B9_7F4A_7C15 ^ seed)
            offset += 8
        }
        var rest: UInt64 = 0
        for byte in token[offset...] { rest = rest << 8 | UInt64(byte) }
        return mix(hash ^ rest, 0xD6E8_FEB8_6659_FD93 ^ seed)
    }
}
