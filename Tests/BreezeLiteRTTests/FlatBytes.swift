/// Lays out the few FlatBuffers structures that a .tflite needs, after the format's own description: a parent
/// comes before its children, so that every offset points forward.
struct FlatBytes {
    indirect enum Node {
        /// Fields by slot.
        case table([Int: Field])
        case tables([Node])
        case text(String)
        case integers([Int32])
        /// Aligned to 16 bytes, as the schema wants a buffer's data.
        case data([UInt8])
    }

    enum Field {
        case byte(UInt8)
        case word(UInt32)
        /// What an operator does, which no look at a file's structure can find wrong.
        case code(UInt32)
        case node(Node)

        var size: Int {
            if case .byte = self { 1 } else { 4 }
        }
    }

    private(set) var bytes: [UInt8] = []
    /// Where the codes lie.
    private(set) var codes: Set<Int> = []

    init(root: Node, identifier: String) {
        append(UInt32(0))
        bytes += Array(identifier.utf8)
        patch(0, with: add(root))
    }

    /// Where the node begins.
    private mutating func add(_ node: Node) -> Int {
        switch node {
        case .table(let fields): return add(table: fields)
        case .tables(let nodes):
            align(4)
            let start = bytes.count
            append(UInt32(nodes.count))
            bytes += [UInt8](repeating: 0, count: nodes.count * 4)
            for (index, node) in nodes.enumerated() { patch(start + 4 + index * 4, with: add(node)) }
            return start
        case .text(let text):
            align(4)
            let start = bytes.count
            append(UInt32(text.utf8.count))
            bytes += Array(text.utf8) + [0]
            return start
        case .integers(let values):
            align(4)
            let start = bytes.count
            append(UInt32(values.count))
            for value in values { append(UInt32(bitPattern: value)) }
            return start
        case .data(let data):
            while bytes.count % 16 != 12 { bytes.append(0) }
            let start = bytes.count
            append(UInt32(data.count))
            bytes += data
            return start
        }
    }

    private mutating func add(table fields: [Int: Field]) -> Int {
        let slots = (fields.keys.max() ?? -1) + 1
        var offsets = [Int](repeating: 0, count: slots)
        var size = 4
        for (slot, field) in fields.sorted(by: { $0.key < $1.key }) {
            size = (size + field.size - 1) / field.size * field.size
            offsets[slot] = size
            size += field.size
        }
        align(4)
        let layout = bytes.count
        append(UInt16(4 + slots * 2))
        append(UInt16(size))
        for offset in offsets { append(UInt16(offset)) }
        align(4)
        let start = bytes.count
        append(UInt32(start - layout))
        bytes += [UInt8](repeating: 0, count: size - 4)
        for (slot, field) in fields.sorted(by: { $0.key < $1.key }) {
            let place = start + offsets[slot]
            switch field {
            case .byte(let value): bytes[place] = value
            case .word(let value): write(value, at: place)
            case .code(let value):
                write(value, at: place)
                codes.formUnion(place..<place + 4)
            case .node(let node): patch(place, with: add(node))
            }
        }
        return start
    }

    private mutating func align(_ alignment: Int) {
        while bytes.count % alignment != 0 { bytes.append(0) }
    }

    private mutating func append(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.littleEndian) { bytes += Array($0) }
    }

    private mutating func patch(_ place: Int, with target: Int) { write(UInt32(target - place), at: place) }

    private mutating func write(_ value: UInt32, at place: Int) {
        withUnsafeBytes(of: value.littleEndian) { bytes.replaceSubrange(place..<place + 4, with: $0) }
    }
}
