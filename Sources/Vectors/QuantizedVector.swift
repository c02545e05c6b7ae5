import BreezeCore
import CVectorSearch
import Foundation

/// A direction in signed bytes: ``values`` times ``scale`` is a unit vector, so that the dot product of two of them is
/// their cosine.
///
/// Made from a vector of any length other than 0; the length itself is not kept. A component is off by at most half a
/// 127th of the largest one.
public struct QuantizedVector: Hashable, Sendable {
    /// From -127 to 127, never -128, so that the negative of a vector is one, too.
    public let values: [Int8]
    /// One over the length of ``values``.
    public let scale: Float

    public var dimension: Int { values.count }

    /// - Throws: ``BreezeError`` with `invalid_parameter` where the vector has no components or more than an index
    ///   takes, one that is not finite, or none but zeros.
    public init(_ vector: [Float]) throws {
        try VectorFault.checkDimension(vector.count)
        guard vector.allSatisfy(\.isFinite) else {
            throw VectorFault.notAVector("has a component that is not finite")
        }
        let largest = vector.reduce(0) { max($0, $1.magnitude) }
        guard largest > 0 else { throw VectorFault.notAVector("has no direction: all its components are 0") }
        // Divided first: 127 over a tiny number would be infinite.
        self.init(quantized: vector.map { Int8(($0 / largest * 127).rounded()) })
    }

    /// Takes values that were quantised before, by this type or another program; any positive scale that they had is
    /// replaced by the one that makes them a unit vector.
    /// - Throws: ``BreezeError`` with `invalid_parameter` where there are none, -128 among them, or none but zeros.
    public init(values: [Int8]) throws {
        try VectorFault.checkDimension(values.count)
        guard !values.contains(-128) else { throw VectorFault.notAVector("has a value of -128") }
        guard values.contains(where: { $0 != 0 }) else {
            throw VectorFault.notAVector("has no direction: all its values are 0")
        }
        self.init(quantized: values)
    }

    private init(quantized values: [Int8]) {
        self.values = values
        let square = values.reduce(0) { $0 + Int($1) * Int($1) }
        scale = Float(1 / Double(square).squareRoot())
    }

    /// As it lies in an index, which lets in nothing else than such vectors.
    init(stored values: [Int8], scale: Float) {
        self.values = values
        self.scale = scale
    }

    /// The cosine, from -1 to 1 but for the last digits of a `Float`: the same number that a search gives.
    /// - Precondition: both have the same dimension.
    public func cosine(to other: QuantizedVector) -> Float {
        precondition(dimension == other.dimension, "vectors of different dimensions have no cosine")
        var sum: Int32 = 0
        vector_sums(vector_best_level(), values, other.values, 1, dimension, &sum)
        return Float(sum) * other.scale * scale
    }

    /// The unit vector.
    public var components: [Float] { values.map { Float($0) * scale } }
}

/// What is wrong with vectors, and with files of them, in a caller's words.
enum VectorFault {
    static func checkDimension(_ dimension: Int) throws(BreezeError) {
        let most = VECTOR_MAX_DIMENSION
        guard !(1...most).contains(dimension) else { return }
        throw BreezeError(
            .invalidParameter,
            "A vector of \(dimension) components cannot be indexed: there may be 1 to \(most)."
        )
    }

    static func notAVector(_ fault: String) -> BreezeError {
        BreezeError(
            .invalidParameter,
            "The vector \(fault).",
            remedy: "Check what the encoder answered."
        )
    }

    static func dimension(_ asked: Int, in dimension: Int) -> BreezeError {
        BreezeError(
            .invalidParameter,
            "A vector of \(asked) components does not fit an index of \(dimension).",
            remedy: "Use the encoder that the index was made with, or make the index anew."
        )
    }

    static func noRow(_ row: Int) -> BreezeError {
        BreezeError(.invalidParameter, "The index has no row \(row), or it was removed.")
    }

    static func noMemory(_ bytes: Int) -> BreezeError {
        BreezeError(.insufficientMemory, "The system gave no \(bytes) bytes for vectors.")
    }

    static func damaged(_ url: URL, _ fault: String) -> BreezeError {
        BreezeError(
            .invalidFile,
            "\(url.path) is no whole file of vectors: \(fault).",
            remedy: "Remove its folder; the vectors are made anew from the texts."
        )
    }
}
