/// A matrix in int8 with one scale a row: an element is its number times its row's scale. Symmetric, so that
/// a runtime needs no zero points for the weights.
struct Int8Rows {
    let scales: [Float]
    let numbers: [Int8]
    private static let largest: Float = 127

    init(_ matrix: [Float], rows: Int) {
        let width = matrix.count / max(1, rows)
        var scales: [Float] = []
        scales.reserveCapacity(rows)
        numbers = [Int8](unsafeUninitializedCapacity: rows * width) { output, count in
            matrix.withUnsafeBufferPointer { input in
                for row in 0..<rows {
                    let part = UnsafeBufferPointer(rebasing: input[row * width..<(row + 1) * width])
                    let scale = Self.scale(of: part)
                    scales.append(scale)
                    for column in 0..<width {
                        let number = (part[column] / scale).rounded(.toNearestOrEven)
                        output[row * width + column] = Int8(max(-Self.largest, min(Self.largest, number)))
                    }
                }
            }
            count = rows * width
        }
        self.scales = scales
    }

    /// 1 for a row of zeros: any scale is right for it, and one of 0 would make it not a number.
    private static func scale(of row: UnsafeBufferPointer<Float>) -> Float {
        let scale = row.reduce(Float(0)) { max($0, abs($1)) } / largest
        return scale >= .leastNormalMagnitude ? scale : 1
    }
}
