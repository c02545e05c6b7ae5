/// The names of `general.file_type`, a number for the mix of quantisations in a file: what follows the
/// model's name in most file names.
enum GGUFFileType {
    /// `nil` for a number that llama.cpp does not know, or no longer.
    static func name(of number: Int) -> String? {
        names.indices.contains(number) ? names[number] : nil
    }

    static let halfPrecision: UInt32 = 1

    /// By `llama_ftype` in llama.h; what was withdrawn has none.
    private static let names: [String?] = [
        "F32", "F16", "Q4_0", "Q4_1", nil, nil, nil, "Q8_0", "Q5_0", "Q5_1", "Q2_K", "Q3_K_S", "Q3_K_M",
        "Q3_K_L",
        "Q4_K_S", "Q4_K_M", "Q5_K_S", "Q5_K_M", "Q6_K", "IQ2_XXS", "IQ2_XS", "Q2_K_S", "IQ3_XS", "IQ3_XXS",
        "IQ1_S", "IQ4_NL", "IQ3_S", "IQ3_M", "IQ2_S", "IQ2_M", "IQ4_XS", "IQ1_M", "BF16", nil, nil, nil,
        "TQ1_0",
        "TQ2_0", "MXFP4", "NVFP4", "Q1_0", "Q2_0",
    ]
}
