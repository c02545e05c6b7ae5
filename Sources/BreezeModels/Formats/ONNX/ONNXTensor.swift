import BreezeTokenizers

/// A `TensorProto` without its data.
struct ONNXTensor {
    struct External {
        /// Relative to the model's folder; not checked.
        var location = ""
        var offset = 0
        var length: Int?
    }

    private(set) var name = ""
    private(set) var type = 0
    /// Never negative, and their product fits.
    private(set) var shape: [Int] = []
    private(set) var external: External?
    let elementCount: Int

    /// As its type packs them; 0 for texts.
    var byteCount: Int {
        let (bits, overflow) = elementCount.multipliedReportingOverflow(by: ONNXElementType.bits(type))
        return overflow ? .max : bits / 8 + (bits % 8 == 0 ? 0 : 1)
    }

    init(_ range: Range<Int>, in file: PagedFile) throws {
        var dimensions: [Int64] = []
        var (place, isExternal) = (External(), false)
        var (name, type) = ("", 0)
        try ProtobufReader.forEachField(of: range, in: file) { field in
            switch (field.number, field.value) {
            case (1, let value): dimensions += try ProtobufReader.integers(value, in: file)
            case (2, .varint(let number)): type = Int(truncatingIfNeeded: number)
            case (8, .bytes(let text)): name = try file.text(text)
            case (13, .bytes(let entry)): try Self.read(entry, of: file, into: &place)
            case (14, .varint(let location)): isExternal = location == 1
            default: break
            }
        }
        var elements = 1
        for size in dimensions {
            let (product, overflow) = elements.multipliedReportingOverflow(by: Int(size))
            guard size >= 0, !overflow else {
                throw FormatFault("tensor \"\(name.excerpt)\" has a dimension of \(size)")
            }
            elements = product
        }
        if isExternal, place.location.isEmpty {
            throw FormatFault("tensor \"\(name.excerpt)\" lies in another file and does not say in which")
        }
        (self.name, self.type, shape, elementCount) = (name, type, dimensions.map(Int.init), elements)
        external = isExternal ? place : nil
    }

    private static func read(_ entry: Range<Int>, of file: PagedFile, into place: inout External) throws {
        let (key, value) = try ProtobufReader.pair(entry, in: file)
        func number() throws -> Int {
            guard let number = Int(value), number >= 0 else {
                throw FormatFault("external data has the \(key) \"\(value.excerpt)\"")
            }
            return number
        }
        switch key {
        case "location": place.location = value
        case "offset": place.offset = try number()
        case "length": place.length = try number()
        default: break
        }
    }
}
