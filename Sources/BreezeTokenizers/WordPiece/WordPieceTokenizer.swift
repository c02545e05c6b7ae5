import BreezeCore
import Synchronization

/// The tokenizer of BERT and its descendants: equal, id for id, to Hugging Face's `tokenizers`.
///
/// ```swift
/// let tokenizer = try WordPieceTokenizer(directory: modelDirectory)
/// let text = try tokenizer.encode("a private brain for the device", limit: 256)
/// if text.truncatedCount > 0 { print("\(text.truncatedCount) ids were cut") }
/// ```
public struct WordPieceTokenizer: Tokenizer {
    let model: WordPieceModel
    private let cache: ScalarMapCache

    init(_ model: WordPieceModel) {
        self.model = model
        cache = ScalarMapCache(ScalarMap(model.normalization))
    }

    public var vocabularySize: Int { model.vocabularySize }

    /// How many ids frame a single text.
    public var frameLength: Int { model.single.frame.count }

    public func encode(_ text: String) -> [Int32] {
        run(text, limit: .max).ids
    }

    public func encode(_ text: String, limit: Int) throws -> TokenizedText {
        let encoder = run(text, limit: try room(in: limit, frameLength: frameLength))
        return model.single.filled(
            first: encoder.ids[...],
            truncatedCount: encoder.count - encoder.ids.count
        )
    }

    /// What a limit leaves for the texts themselves.
    func room(in limit: Int, frameLength: Int) throws(BreezeError) -> Int {
        try FrameLimit.room(in: limit, frameLength: frameLength)
    }

    func run(
        _ text: String,
        limit: Int,
        parsesSpecial: Bool = true,
        wantsOffsets: Bool = false
    ) -> WordPieceEncoder {
        var encoder = WordPieceEncoder(
            model,
            map: cache.map,
            limit: limit,
            parsesSpecial: parsesSpecial,
            wantsOffsets: wantsOffsets
        )
        encoder.encode(Array(text.utf8))
        cache.keep(encoder.map)
        return encoder
    }
}

/// The fullest map that any encoder made, for the next one to start from.
private final class ScalarMapCache: Sendable {
    private let stored: Mutex<ScalarMap>

    init(_ map: ScalarMap) {
        stored = Mutex(map)
    }

    var map: ScalarMap {
        stored.withLock { $0 }
    }

    func keep(_ map: ScalarMap) {
        stored.withLock { if map.pageCount > $0.pageCount { $0 = map } }
    }
}
