/// What is done to text before it is split into words: the options of Hugging Face's `BertNormalizer`.
struct BertNormalization: Sendable, Hashable {
    /// Drops control characters, U+0000 and U+FFFD, and turns every white space into a plain space.
    var cleansText = true
    /// Makes every Chinese character a word of its own.
    var isolatesIdeographs = true
    /// Decomposes canonically (NFD) and drops non-spacing marks.
    var stripsAccents = true
    var lowercases = true
}
