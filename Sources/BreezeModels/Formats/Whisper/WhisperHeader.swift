/// What whisper.cpp's files begin with: the magic number that old language models share, and the model's
/// dimensions.
struct WhisperHeader {
    let vocabularySize: Int
    let audioContext: Int
    let audioWidth: Int
    let audioHeads: Int
    let audioLayers: Int
    let textContext: Int
    let textWidth: Int
    let textHeads: Int
    let textLayers: Int
    let melBands: Int
    /// By `ggml_ftype`, with the version of the quantisation in the thousands.
    let fileType: Int

    static let byteCount = 48

    /// - Returns: `nil` where the numbers are not those of a Whisper model: an old language model has its
    ///   vocabulary in the first of them too, and others of its own in the rest.
    init?(_ prefix: [UInt8]) {
        guard prefix.count >= Self.byteCount, prefix.starts(with: "lmgg".utf8) else { return nil }
        let numbers = prefix.withUnsafeBytes { raw in
            (1..<12).map { Int(raw.loadUnaligned(fromByteOffset: 4 * $0, as: Int32.self).littleEndian) }
        }
        (vocabularySize, audioContext, audioWidth, audioHeads) = (
            numbers[0], numbers[1], numbers[2], numbers[3]
        )
        (audioLayers, textContext, textWidth, textHeads) = (numbers[4], numbers[5], numbers[6], numbers[7])
        (textLayers, melBands, fileType) = (numbers[8], numbers[9], numbers[10])
        let isPlausible =
            (1_000...100_000).contains(vocabularySize) && (1...10_000).contains(audioContext)
            && (1...10_000).contains(textContext) && (1...128).contains(audioLayers)
            && (1...128).contains(textLayers) && (1...512).contains(melBands)
            && Self.fits(width: audioWidth, heads: audioHeads)
            && Self.fits(width: textWidth, heads: textHeads) && (0..<10_000).contains(fileType)
        guard isPlausible else { return nil }
    }

    private static func fits(width: Int, heads: Int) -> Bool {
        (1...256).contains(heads) && (1...16_384).contains(width) && width % heads == 0
    }

    var isMultilingual: Bool { vocabularySize >= 51_865 }

    /// The size by which its makers name it; whisper.cpp tells it by the same number.
    var sizeName: String? {
        switch audioLayers {
        case 4: "tiny"
        case 6: "base"
        case 12: "small"
        case 24: "medium"
        case 32: "large"
        default: nil
        }
    }

    /// `nil` for a number that ggml does not know.
    var quantization: String? {
        let names = [
            0: "F32", 1: "F16", 2: "Q4_0", 3: "Q4_1", 7: "Q8_0", 8: "Q5_0", 9: "Q5_1", 10: "Q2_K",
            11: "Q3_K", 12: "Q4_K", 13: "Q5_K", 14: "Q6_K",
        ]
        return names[fileType % 1000]
    }
}
