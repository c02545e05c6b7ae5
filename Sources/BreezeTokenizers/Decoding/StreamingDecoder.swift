/// Text from ids that come one by one, a character at once: what ends within a character waits for the rest of it.
///
/// ```swift
/// var decoder = tokenizer.streamingDecoder()
/// for try await id in ids { print(decoder.append(id), terminator: "") }
/// print(decoder.finish())
/// ```
/// The parts together are what decoding all ids at once gives, except that bytes that are no UTF-8 may become
/// another number of U+FFFD.
public struct StreamingDecoder: Sendable {
    private let decoder: TokenDecoder
    private let skipsSpecial: Bool
    private var isFirst = true
    /// White space that the beginning of the text still loses.
    private var strips: [(symbol: [UInt8], count: Int)] = []
    private var mayDropLeading = true
    private var held: [UInt8] = []

    init(_ decoder: TokenDecoder, skipsSpecial: Bool) {
        self.decoder = decoder
        self.skipsSpecial = skipsSpecial
        guard let fuse = decoder.steps.firstIndex(of: .fuse) else { return }
        for case .strip(let symbol, let left, _) in decoder.steps[fuse...] where !symbol.isEmpty {
            strips.append((symbol, left))
        }
    }

    /// What became whole with this id; often empty.
    public mutating func append(_ id: Int32) -> String {
        guard let token = decoder.token(id, skipsSpecial: skipsSpecial) else { return "" }
        held += bytes(of: token)
        let kept = Self.unfinished(held)
        defer { held.removeFirst(held.count - kept) }
        return String(decoding: held.dropLast(kept), as: UTF8.self)
    }

    /// The end: a character that was begun is none, and becomes U+FFFD.
    public mutating func finish() -> String {
        defer { held = [] }
        return String(decoding: held, as: UTF8.self)
    }

    private mutating func bytes(of token: [UInt8]) -> [UInt8] {
        var bytes = token
        if decoder.steps.isEmpty, !isFirst { bytes = decoder.separator + bytes }
        for step in decoder.steps {
            if step == .fuse { break }
            if case .dropLeading(let symbol, let all) = step {
                dropLeading(symbol, all: all, from: &bytes)
                continue
            }
            bytes = step.apply(bytes, isFirst: isFirst, isLast: false)
            // A byte is no text that the steps behind could look into.
            if step == .byteFallback, DecodingStep.byte(of: token) != nil { break }
        }
        isFirst = false
        for index in strips.indices {
            while strips[index].count > 0, bytes.starts(with: strips[index].symbol) {
                bytes.removeFirst(strips[index].symbol.count)
                strips[index].count -= 1
            }
        }
        if !bytes.isEmpty { strips = [] }
        return bytes
    }

    private mutating func dropLeading(_ symbol: [UInt8], all: Bool, from bytes: inout [UInt8]) {
        guard mayDropLeading else { return }
        let drops = bytes.starts(with: symbol)
        if drops { bytes.removeFirst(symbol.count) }
        if !bytes.isEmpty || (drops && !all) { mayDropLeading = false }
    }

    /// Bytes at the end that begin a character and do not end it: 0…3.
    private static func unfinished(_ bytes: [UInt8]) -> Int {
        for back in 1...3 where back <= bytes.count {
            let byte = bytes[bytes.count - back]
            if byte & 0xC0 == 0x80 { continue }
            let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
            return length > back ? back : 0
        }
        return 0
    }
}
