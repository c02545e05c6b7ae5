/// Which row of a relative attention bias's table two tokens share: T5's scheme (Raffel et al. 2020, arXiv
/// 1910.10683), with the numbers that MPNet fixes.
enum RelativePositions {
    /// Half of them for keys after the query, half for the others.
    static let bucketCount = 32

    /// The row for a key that stands `distance` tokens after its query (before it, where negative).
    ///
    /// Each of the nearest 8 distances has a row; from there on, rows go by the logarithm, up to 128, where the
    /// last one begins: `8 + ⌊log(n / 8) / log(128 / 8) · 8⌋`. That is `8 + ⌊log₂(n² / 64)⌋`, which whole
    /// numbers give exactly.
    static func bucket(_ distance: Int) -> Int {
        let half = bucketCount / 2
        let exact = half / 2
        let count = distance.magnitude
        let side = distance > 0 ? half : 0
        guard count >= exact else { return side + Int(count) }
        let octaves = (UInt.bitWidth - 1) - (count * count / 64).leadingZeroBitCount
        return side + min(exact + octaves, half - 1)
    }

    /// The rows for every distance within a text of `longest` tokens, from `1 - longest` to `longest - 1`.
    static func rows(longest: Int) -> [Int] {
        (1 - longest...longest - 1).map(bucket)
    }
}
