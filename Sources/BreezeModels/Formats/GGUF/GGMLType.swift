/// How a GGUF file stores a tensor's numbers: plain ones, or blocks of quantised ones that share a scale. The
/// raw value is the file's own; numbers that are missing here were withdrawn by llama.cpp.
public enum GGMLType: UInt32, CaseIterable, Codable, Sendable {
    case f32 = 0
    case f16 = 1
    case q4_0 = 2
    case q4_1 = 3
    case q5_0 = 6
    case q5_1 = 7
    case q8_0 = 8
    case q8_1 = 9
    case q2_K = 10
    case q3_K = 11
    case q4_K = 12
    case q5_K = 13
    case q6_K = 14
    case q8_K = 15
    case iq2_xxs = 16
    case iq2_xs = 17
    case iq3_xxs = 18
    case iq1_s = 19
    case iq4_nl = 20
    case iq3_s = 21
    case iq2_s = 22
    case iq4_xs = 23
    case i8 = 24
    case i16 = 25
    case i32 = 26
    case i64 = 27
    case f64 = 28
    case iq1_m = 29
    case bf16 = 30
    case tq1_0 = 34
    case tq2_0 = 35
    case mxfp4 = 39
    case nvfp4 = 40
    case q1_0 = 41
    case q2_0 = 42

    /// The field's own name: `F16`, `Q4_K`, `IQ2_XXS`.
    public var name: String { "\(self)".uppercased() }

    /// Elements that are stored together; a row is a whole number of blocks.
    public var blockSize: Int { layout.elements }

    /// Bytes of one block.
    public var blockByteCount: Int { layout.bytes }

    /// Elements and bytes of a block, from the structures in ggml-common.h of llama.cpp.
    private var layout: (elements: Int, bytes: Int) {
        switch self {
        case .i8: (1, 1)
        case .f16, .bf16, .i16: (1, 2)
        case .f32, .i32: (1, 4)
        case .f64, .i64: (1, 8)
        case .q1_0: (128, 18)
        case .q2_0: (64, 18)
        case .q4_0, .iq4_nl: (32, 18)
        case .q4_1: (32, 20)
        case .q5_0: (32, 22)
        case .q5_1: (32, 24)
        case .q8_0: (32, 34)
        case .q8_1: (32, 36)
        case .mxfp4: (32, 17)
        case .nvfp4: (64, 36)
        case .iq1_s: (256, 50)
        case .tq1_0: (256, 54)
        case .iq1_m: (256, 56)
        case .iq2_xxs, .tq2_0: (256, 66)
        case .iq2_xs: (256, 74)
        case .iq2_s: (256, 82)
        case .q2_K: (256, 84)
        case .iq3_xxs: (256, 98)
        case .q3_K, .iq3_s: (256, 110)
        case .iq4_xs: (256, 136)
        case .q4_K: (256, 144)
        case .q5_K: (256, 176)
        case .q6_K: (256, 210)
        case .q8_K: (256, 292)
        }
    }

    /// Whether a weight may be of it: llama.cpp's processor back end has a product with it. The others serve
    /// intermediate results, or indices.
    public var canBeWeight: Bool {
        switch self {
        case .q8_1, .q8_K, .i8, .i16, .i32, .i64, .f64: false
        default: true
        }
    }

    /// Bytes of `count` elements; `nil` where it is no number of whole blocks or passes the range of `Int`.
    public func byteCount(of count: Int) -> Int? {
        guard count >= 0, count % blockSize == 0 else { return nil }
        let (bytes, overflow) = (count / blockSize).multipliedReportingOverflow(by: blockByteCount)
        return overflow ? nil : bytes
    }
}
