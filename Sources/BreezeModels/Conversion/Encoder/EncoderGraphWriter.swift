import BreezeFiles

/// A laid-out graph in one file format. Its size comes from the shapes, before any weight is read.
protocol EncoderGraphWriter: Sendable {
    /// Bytes of the whole file.
    var size: Int { get }

    /// Numbers in the weights that the graph uses.
    var parameterCount: Int { get }

    /// Memory holds one tensor at a time; `read` gives its elements.
    /// - Throws: ``BreezeError``; `CancellationError` between tensors.
    func write(to file: OutputFile, read: (WeightReading) throws -> [Float]) throws
}
