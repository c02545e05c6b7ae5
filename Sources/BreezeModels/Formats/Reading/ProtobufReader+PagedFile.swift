import BreezeTokenizers

typealias ProtobufReader = BreezeTokenizers.ProtobufReader<PagedFile>

extension PagedFile: ProtobufSource {
    func fault(_ reason: String) -> any Error { FormatFault(reason) }
}

extension BreezeTokenizers.ProtobufReader where Source == PagedFile {
    private static var largestRank: Int { 1024 }

    /// Gives every field of the message in `range` to `body`.
    static func forEachField(
        of range: Range<Int>,
        in file: PagedFile,
        _ body: (Field) throws -> Void
    ) throws {
        var reader = ProtobufReader(file, range)
        while let field = try reader.next() { try body(field) }
    }

    /// The numbers of a repeated field, one or, packed, several of them: the dimensions of a shape.
    static func integers(_ value: Value, in file: PagedFile) throws -> [Int64] {
        switch value {
        case .varint(let number): return [Int64(bitPattern: number)]
        case .bytes(let range):
            var reader = ProtobufReader(file, range)
            var found: [Int64] = []
            while !reader.isAtEnd {
                found.append(Int64(bitPattern: try reader.varint()))
                guard found.count <= largestRank else { throw FormatFault("a shape has too many dimensions") }
            }
            return found
        default: return []
        }
    }

    /// A `map<string, string>` entry, or ONNX's pair of two texts: field 1 and field 2.
    static func pair(_ range: Range<Int>, in file: PagedFile) throws -> (key: String, value: String) {
        var (key, value) = ("", "")
        try forEachField(of: range, in: file) { field in
            switch (field.number, field.value) {
            case (1, .bytes(let text)): key = try file.text(text)
            case (2, .bytes(let text)): value = try file.text(text)
            default: break
            }
        }
        return (key, value)
    }
}
