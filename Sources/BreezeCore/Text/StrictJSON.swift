/// A JSON document as its bytes say it: strings stay bytes and objects keep every member, in order.
///
/// Foundation's readers drop a repeated member, and a Swift dictionary keyed by `String` merges names that
/// differ only in how accents are composed. Files that strangers made need neither.
package enum StrictJSON: Sendable {
    case null
    case bool(Bool)
    case integer(Int)
    /// A number with a fraction or an exponent, or one beyond `Int`; always finite.
    case number(Double)
    /// Valid UTF-8.
    case string([UInt8])
    case array([StrictJSON])
    case object([Member])

    /// Why a text is not JSON, and the byte where reading stopped.
    package struct Fault: Error, Equatable {
        package let reason: String
        package let offset: Int

        package init(reason: String, offset: Int) {
            self.reason = reason
            self.offset = offset
        }

        /// The reason with its place in `bytes`; columns count bytes.
        package func words(in bytes: [UInt8]) -> String {
            let before = bytes[..<min(offset, bytes.count)]
            let newline = UInt8(ascii: "\n")
            let start = before.lastIndex(of: newline).map { $0 + 1 } ?? 0
            return
                "\(reason) at line \(before.count { $0 == newline } + 1), column \(before.count - start + 1)"
        }
    }

    /// Reads a document (RFC 8259) that may be damaged or hostile: valid UTF-8 only, bounded in depth and in
    /// number of values.
    package init(parsing bytes: [UInt8]) throws(Fault) {
        var parser = StrictJSONParser(bytes)
        self = try parser.document()
    }

    package struct Member: Sendable {
        package let key: [UInt8]
        package let value: StrictJSON
        /// The byte at which its key begins.
        package let offset: Int
    }

    /// The member of that name; `nil` where there is none, or its value is `null`.
    package subscript(name: String) -> StrictJSON? {
        guard case .object(let members) = self else { return nil }
        guard let value = members.last(where: { $0.key.elementsEqual(name.utf8) })?.value else { return nil }
        if case .null = value { return nil }
        return value
    }

    package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    package var integer: Int? { if case .integer(let value) = self { value } else { nil } }
    package var bytes: [UInt8]? { if case .string(let value) = self { value } else { nil } }
    package var string: String? { bytes.map { String(decoding: $0, as: UTF8.self) } }
    package var array: [StrictJSON]? { if case .array(let value) = self { value } else { nil } }
    package var members: [Member]? { if case .object(let value) = self { value } else { nil } }
}
