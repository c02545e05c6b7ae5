package import BreezeCore

/// A value that knows its JSON.
package protocol JSONWritable {
    func write(to writer: inout JSONWriter)
}

extension String: JSONWritable {
    package func write(to writer: inout JSONWriter) { writer.text(self) }
}

extension Bool: JSONWritable {
    package func write(to writer: inout JSONWriter) { writer.literal(self ? "true" : "false") }
}

extension Int: JSONWritable {
    package func write(to writer: inout JSONWriter) { writer.literal(description) }
}

extension Int64: JSONWritable {
    package func write(to writer: inout JSONWriter) { writer.literal(description) }
}

extension UInt8: JSONWritable {
    package func write(to writer: inout JSONWriter) { writer.literal(description) }
}

/// The shortest digits that read back as the same value; JSON has no word for those that are not finite, so they
/// are `null`.
extension Double: JSONWritable {
    package func write(to writer: inout JSONWriter) { writer.literal(isFinite ? description : "null") }
}

extension Float: JSONWritable {
    package func write(to writer: inout JSONWriter) { writer.literal(isFinite ? description : "null") }
}

extension Optional: JSONWritable where Wrapped: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        if let self { self.write(to: &writer) } else { writer.null() }
    }
}

extension Array: JSONWritable where Element: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        writer.array { writer in
            for element in self { element.write(to: &writer) }
        }
    }
}

/// Members in the order of their names, so that equal values are equal bytes.
extension JSONValue: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        switch self {
        case .null: writer.null()
        case .bool(let value): value.write(to: &writer)
        case .integer(let value): value.write(to: &writer)
        case .number(let value): value.write(to: &writer)
        case .string(let value): value.write(to: &writer)
        case .array(let value): value.write(to: &writer)
        case .object(let members):
            writer.object { writer in
                for (name, value) in members.sorted(by: { $0.key < $1.key }) {
                    writer.key(escaping: name)
                    value.write(to: &writer)
                }
            }
        }
    }

    /// The value as one line of JSON.
    package var wireText: String {
        var writer = JSONWriter()
        write(to: &writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
