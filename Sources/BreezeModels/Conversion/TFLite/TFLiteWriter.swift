import BreezeCore
import BreezeFiles

/// Streams a ``TFLiteGraph`` to a file. Lengths and offsets come from the shapes, before any weight is read,
/// so memory holds one tensor at a time.
struct TFLiteWriter: EncoderGraphWriter {
    /// Bytes of the whole file.
    let size: Int
    private let graph: TFLiteGraph
    private let sections: [TFLiteDescription.Section]
    private let vectors: [FlatBuffer.Vector]
    private let message: FlatBufferWriter
    /// FlatBuffers' own limit.
    private static let largest = Int(Int32.max)

    var parameterCount: Int {
        graph.tensors.flatMap { $0.content?.readings ?? [] }.reduce(0) { $0 + $1.tensor.elementCount }
    }

    /// - Throws: ``BreezeError`` `.unsupported` where the model would pass FlatBuffers' limit of 2 GiB.
    init(graph: TFLiteGraph) throws {
        let description = TFLiteDescription(graph: graph)
        self.graph = graph
        sections = description.sections
        vectors = description.vectors
        message = FlatBufferWriter(description.root, identifier: "TFL3", vectors: vectors)
        size = message.size
        guard size <= Self.largest else {
            throw BreezeError(
                .unsupported,
                "The model's LiteRT graph would have \(size) bytes; the format's limit is \(Self.largest).",
                remedy: "Choose a smaller model."
            )
        }
    }

    func write(to file: OutputFile, read: (WeightReading) throws -> [Float]) throws {
        try file.write(message.bytes)
        var place = message.bytes.count
        var quantised: Int8Rows?
        for ((section, vector), start) in zip(zip(sections, vectors), message.vectorStarts) {
            try Task.checkCancellation()
            try file.write([UInt8](repeating: 0, count: start - place))
            try file.writeLittleEndian([UInt32(vector.count)])
            place = start + 4 + vector.count * vector.elementSize
            switch section {
            case .zeroPoints(let count): try file.writeLittleEndian([Int64](repeating: 0, count: count))
            case .scales(let value):
                guard case .int8(let reading) = graph.tensors[value].content else { continue }
                let rows = Int8Rows(try read(reading), rows: reading.shape[0])
                try file.writeFloats(rows.scales)
                quantised = rows
            case .data(let value):
                try write(graph.tensors[value].content, quantised, to: file, read: read)
                quantised = nil
            }
        }
    }

    private func write(
        _ content: TFLiteGraph.Content?,
        _ quantised: Int8Rows?,
        to file: OutputFile,
        read: (WeightReading) throws -> [Float]
    ) throws {
        switch content {
        case nil: return
        case .floats(let values): try file.writeFloats(values)
        case .integers(let values): try file.writeLittleEndian(values)
        case .weights(let reading): try file.writeFloats(try read(reading))
        case .int8: try quantised?.numbers.withUnsafeBytes { try file.write($0) }
        case .sum(let table, let other):
            var rows = try read(table)
            let first = try read(other).prefix(table.shape[1])
            for start in stride(from: 0, to: rows.count, by: first.count) {
                for (column, value) in first.enumerated() { rows[start + column] += value }
            }
            try file.writeFloats(rows)
        }
    }
}
