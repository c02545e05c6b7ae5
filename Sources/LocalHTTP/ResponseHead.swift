/// The status and the header fields of an answer.
package struct ResponseHead: Hashable, Sendable {
    package let status: Int
    /// Names in lower case, in the order in which they came.
    package let fields: [Field]

    package struct Field: Hashable, Sendable {
        package let name: String
        package let value: String
    }

    /// The first field of that name, which is in lower case.
    package subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

    func all(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }
}

extension ResponseHead {
    /// From `HTTP/1.1 200 OK`.
    static func status(_ line: [UInt8]) throws(LocalHTTPFailure) -> Int {
        let isHTTP = line.starts(with: "HTTP/1.1 ".utf8) || line.starts(with: "HTTP/1.0 ".utf8)
        let digits = line.dropFirst(9).prefix(3)
        let end = line.dropFirst(12).first
        guard isHTTP, digits.count == 3, digits.allSatisfy({ (0x30...0x39).contains($0) }),
            end == nil || end == UInt8(ascii: " "),
            let status = Int(String(decoding: digits, as: UTF8.self)), (100...599).contains(status)
        else { throw .malformed("its first line is no status line") }
        return status
    }

    /// From `name: value` (RFC 9112, section 5); a line that goes on with the one before is refused, as is a
    /// blank before the colon.
    static func field(_ line: [UInt8]) throws(LocalHTTPFailure) -> Field {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > 0,
            line[..<colon].allSatisfy(isToken)
        else { throw .malformed("it has a header line that is no field") }
        let blanks: Set<UInt8> = [0x20, 0x09]
        var value = line[(colon + 1)...]
        while let first = value.first, blanks.contains(first) { value = value.dropFirst() }
        while let last = value.last, blanks.contains(last) { value = value.dropLast() }
        guard !value.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }) else {
            throw .malformed("it has a control character in a header field")
        }
        return Field(
            name: String(decoding: line[..<colon], as: UTF8.self).lowercased(),
            value: String(decoding: value, as: UTF8.self)
        )
    }

    private static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
