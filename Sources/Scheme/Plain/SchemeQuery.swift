import BreezeCore

/// The `name=value` pairs behind a URL's `?`.
struct SchemeQuery {
    private var values: [String: ArraySlice<UInt8>] = [:]

    static let empty = SchemeQuery()

    private init() {}

    /// - Throws: ``BreezeError`` `.invalidURL` for an empty pair, and a name that stands twice.
    init(_ text: ArraySlice<UInt8>) throws(BreezeError) {
        for pair in text.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false) {
            let equals = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
            let name = pair[..<equals]
            let value = pair[equals...].dropFirst()
            guard !value.isEmpty, !name.isEmpty, name.allSatisfy(SchemeText.isLower) else {
                throw SchemeFault.url("a parameter is not name=value")
            }
            guard values.updateValue(value, forKey: String(decoding: name, as: UTF8.self)) == nil else {
                throw SchemeFault.url("a parameter stands twice")
            }
        }
    }

    subscript(name: String) -> ArraySlice<UInt8>? { values[name] }

    func value(_ name: String) throws(BreezeError) -> ArraySlice<UInt8> {
        guard let value = values[name] else { throw SchemeFault.url("\(name) is missing") }
        return value
    }

    /// - Throws: ``BreezeError`` `.invalidURL` where another name stands there.
    func only(_ names: String...) throws(BreezeError) {
        guard values.keys.allSatisfy(names.contains) else {
            throw SchemeFault.url("there is a parameter that its form does not have")
        }
    }

    /// Percent-encoded text. `+` is a plus.
    func text(_ name: String) throws(BreezeError) -> String {
        var bytes: [UInt8] = []
        var rest = try value(name)
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(Self.digit),
                let low = rest.popFirst().flatMap(Self.digit)
            else { throw SchemeFault.url("% stands without two hexadecimal digits") }
            bytes.append(high << 4 | low)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw SchemeFault.url("\(name) is not UTF-8")
        }
        let hasControl = text.unicodeScalars.contains { scalar in
            scalar.properties.generalCategory == .control && !"\t\n\r".unicodeScalars.contains(scalar)
        }
        guard !hasControl else { throw SchemeFault.url("\(name) holds a control character") }
        return text
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }
}
