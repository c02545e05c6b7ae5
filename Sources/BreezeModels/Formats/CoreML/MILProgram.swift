import BreezeTokenizers

/// Walks an ML program (`MIL.proto`) for the weights that it keeps in files beside it.
struct MILProgram {
    private(set) var weightFiles: Set<String> = []
    private(set) var weightCount = 0
    private(set) var parameterCount = 0

    private let file: PagedFile
    /// Blocks within blocks: loops and branches.
    private static let deepest = 32

    init(_ file: PagedFile) { self.file = file }

    /// A `Program`: functions by name, each with blocks by the operators that they want.
    mutating func read(_ range: Range<Int>) throws {
        try forEach(2, in: range) { program, entry in
            try program.forEach(2, in: entry) { program, function in
                try program.forEach(3, in: function) { program, entry in
                    try program.forEach(2, in: entry) { try $0.readBlock($1, depth: 0) }
                }
            }
        }
    }

    private typealias Visit = (inout MILProgram, Range<Int>) throws -> Void

    /// Gives each message in the field `number` to `body`.
    private mutating func forEach(_ number: Int, in range: Range<Int>, _ body: Visit) throws {
        var reader = ProtobufReader(file, range)
        while let field = try reader.next() {
            guard field.number == number, case .bytes(let content) = field.value else { continue }
            try body(&self, content)
        }
    }

    private mutating func readBlock(_ range: Range<Int>, depth: Int) throws {
        guard depth < Self.deepest else { throw FormatFault("its blocks are nested too deeply") }
        try forEach(3, in: range) { program, operation in
            var reader = ProtobufReader(program.file, operation)
            while let field = try reader.next() {
                guard case .bytes(let content) = field.value else { continue }
                switch field.number {
                // Inputs by name: an argument is a list of bindings, each a name or a value.
                case 2:
                    try program.forEach(2, in: content) { program, argument in
                        try program.forEach(1, in: argument) { program, binding in
                            try program.forEach(2, in: binding) { try $0.readValue($1) }
                        }
                    }
                case 4: try program.readBlock(content, depth: depth + 1)
                case 5: try program.forEach(2, in: content) { try $0.readValue($1) }
                default: break
                }
            }
        }
    }

    /// A `Value`: its type is field 2, the file that holds it field 5.
    private mutating func readValue(_ range: Range<Int>) throws {
        var (type, name): (Range<Int>?, String?) = (nil, nil)
        try ProtobufReader.forEachField(of: range, in: file) { field in
            switch (field.number, field.value) {
            case (2, .bytes(let content)): type = content
            case (5, .bytes(let content)):
                try ProtobufReader.forEachField(of: content, in: file) { part in
                    if part.number == 1, case .bytes(let text) = part.value { name = try file.text(text) }
                }
            default: break
            }
        }
        guard let name else { return }
        weightFiles.insert(name)
        weightCount += 1
        parameterCount = parameterCount.addingOrMost(try type.map(elements) ?? 0)
    }

    /// The product of a tensor type's constant dimensions.
    private func elements(_ type: Range<Int>) throws -> Int {
        var product = 1
        var counter = self
        try counter.forEach(1, in: type) { program, tensor in
            try program.forEach(3, in: tensor) { program, dimension in
                try program.forEach(1, in: dimension) { program, constant in
                    var reader = ProtobufReader(program.file, constant)
                    while let field = try reader.next() {
                        guard field.number == 1, case .varint(let size) = field.value else { continue }
                        let (next, overflow) = product.multipliedReportingOverflow(by: Int(clamping: size))
                        guard !overflow else { throw FormatFault("a weight is impossibly large") }
                        product = next
                    }
                }
            }
        }
        return product
    }
}
