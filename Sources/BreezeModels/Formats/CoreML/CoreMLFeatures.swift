import BreezeTokenizers

/// Reads the inputs and outputs of a Core ML model: `FeatureDescription` and what it holds.
struct CoreMLFeatures {
    private let file: PagedFile

    init(_ file: PagedFile) { self.file = file }

    func port(_ range: Range<Int>) throws -> TensorDescription {
        var port = TensorDescription(name: "")
        try ProtobufReader.forEachField(of: range, in: file) { field in
            switch (field.number, field.value) {
            case (1, .bytes(let text)): port.name = try file.text(text)
            case (3, .bytes(let type)): (port.elementType, port.shape) = try read(type)
            default: break
            }
        }
        return port
    }

    private typealias Found = (elementType: String?, shape: [TensorDimension]?)

    /// A `FeatureType`.
    private func read(_ range: Range<Int>) throws -> Found {
        var found: Found = (nil, nil)
        try ProtobufReader.forEachField(of: range, in: file) { field in
            guard case .bytes(let content) = field.value else { return }
            switch field.number {
            case 1: found = ("int64", [])
            case 2: found = ("float64", [])
            case 3: found = ("string", [])
            case 4: found = ("image", try readImage(content))
            case 5: found = try readArray(content)
            case 6: found = (try readDictionary(content), nil)
            case 7: found = (try readSequence(content), nil)
            case 8:
                try ProtobufReader.forEachField(of: content, in: file) { state in
                    if state.number == 1, case .bytes(let array) = state.value {
                        found = try readArray(array)
                    }
                }
            default: break
            }
        }
        return found
    }

    private func readArray(_ range: Range<Int>) throws -> Found {
        var (sizes, ranges): ([Int64], [TensorDimension]?) = ([], nil)
        var shapes: [[Int64]] = []
        var type: String?
        try ProtobufReader.forEachField(of: range, in: file) { field in
            switch (field.number, field.value) {
            case (1, let value): sizes += try ProtobufReader.integers(value, in: file)
            case (2, .varint(let number)): type = Self.typeName(number)
            case (21, .bytes(let content)): shapes = try readShapes(content)
            case (31, .bytes(let content)): ranges = try readRanges(content)
            default: break
            }
        }
        let shape = try sizes.map { size in
            guard size >= 0 else { throw FormatFault("an array has a dimension of \(size)") }
            return TensorDimension.fixed(Int(size))
        }
        // No shape at all: any array of the type.
        let stated = ranges ?? Self.bounds(of: shapes) ?? shape
        return (type, stated.isEmpty ? nil : stated)
    }

    private func readShapes(_ range: Range<Int>) throws -> [[Int64]] {
        var shapes: [[Int64]] = []
        try ProtobufReader.forEachField(of: range, in: file) { field in
            guard field.number == 1, case .bytes(let content) = field.value else { return }
            var sizes: [Int64] = []
            try ProtobufReader.forEachField(of: content, in: file) { part in
                if part.number == 1 { sizes += try ProtobufReader.integers(part.value, in: file) }
            }
            shapes.append(sizes)
        }
        return shapes
    }

    /// Of several shapes to choose from, the smallest and the largest size in each place.
    private static func bounds(of shapes: [[Int64]]) -> [TensorDimension]? {
        guard let rank = shapes.first?.count, rank > 0, shapes.allSatisfy({ $0.count == rank }) else {
            return nil
        }
        return (0..<rank).map { place in
            let sizes = shapes.map { Int($0[place]) }
            let (least, most) = (sizes.min() ?? 0, sizes.max() ?? 0)
            return least == most ? .fixed(least) : .range(from: least, to: most)
        }
    }

    private func readRanges(_ range: Range<Int>) throws -> [TensorDimension] {
        var found: [TensorDimension] = []
        try ProtobufReader.forEachField(of: range, in: file) { field in
            guard field.number == 1, case .bytes(let content) = field.value else { return }
            found.append(try readRange(content))
        }
        return found
    }

    /// A `SizeRange`; a negative upper bound stands for none.
    private func readRange(_ range: Range<Int>) throws -> TensorDimension {
        var (lower, upper) = (0, 0)
        try ProtobufReader.forEachField(of: range, in: file) { field in
            switch (field.number, field.value) {
            case (1, .varint(let number)): lower = Int(clamping: number)
            case (2, .varint(let number)): upper = Int(truncatingIfNeeded: number)
            default: break
            }
        }
        return lower == upper ? .fixed(lower) : .range(from: lower, to: upper < 0 ? nil : upper)
    }

    /// Height and width, which may be given as a range.
    private func readImage(_ range: Range<Int>) throws -> [TensorDimension]? {
        var (width, height) = (TensorDimension.open, TensorDimension.open)
        try ProtobufReader.forEachField(of: range, in: file) { field in
            switch (field.number, field.value) {
            case (1, .varint(let size)): width = .fixed(Int(truncatingIfNeeded: size))
            case (2, .varint(let size)): height = .fixed(Int(truncatingIfNeeded: size))
            case (31, .bytes(let content)):
                try ProtobufReader.forEachField(of: content, in: file) { part in
                    guard case .bytes(let bounds) = part.value else { return }
                    if part.number == 1 { width = try readRange(bounds) }
                    if part.number == 2 { height = try readRange(bounds) }
                }
            default: break
            }
        }
        return [height, width]
    }

    private func readDictionary(_ range: Range<Int>) throws -> String {
        var key = ""
        try ProtobufReader.forEachField(of: range, in: file) { field in
            if field.number == 1 { key = "int64" }
            if field.number == 2 { key = "string" }
        }
        return "map(\(key),float64)"
    }

    private func readSequence(_ range: Range<Int>) throws -> String {
        var element = ""
        try ProtobufReader.forEachField(of: range, in: file) { field in
            if field.number == 1 { element = "int64" }
            if field.number == 3 { element = "string" }
        }
        return "sequence(\(element))"
    }

    /// `ArrayDataType`; `nil` for one that is not stated or not known.
    private static func typeName(_ number: UInt64) -> String? {
        switch number {
        case 65_552: "float16"
        case 65_568: "float32"
        case 65_600: "float64"
        case 131_080: "int8"
        case 131_104: "int32"
        default: nil
        }
    }
}
