/// A header's value with parameters: `form-data; name="a"; filename="b"`.
struct ParameterisedValue {
    /// In lower case.
    let value: String
    /// By their names in lower case.
    let parameters: [String: String]

    /// `nil` where it cannot be read, or a parameter stands there twice: two readers could take different
    /// ones.
    init?(_ bytes: [UInt8]) {
        var rest = bytes[...]
        guard let value = rest.take(until: { $0 == 0x3B }), !value.isEmpty else { return nil }
        var parameters: [String: String] = [:]
        while rest.popFirst() != nil {
            guard let name = rest.take(until: { $0 == 0x3D || $0 == 0x3B }) else { return nil }
            // `;` at the end, and `;;`: nothing is said.
            if name.isEmpty, rest.first != 0x3D { continue }
            guard rest.popFirst() == 0x3D, name.utf8.allSatisfy(\.isToken), !name.isEmpty else { return nil }
            rest = rest.drop(while: \.isBlank)
            let text = rest.first == 0x22 ? rest.takeQuoted() : rest.take { $0 == 0x3B }
            guard let text, parameters.updateValue(text, forKey: name.lowercased()) == nil else { return nil }
        }
        self.value = value.lowercased()
        self.parameters = parameters
    }
}

extension ArraySlice<UInt8> {
    /// Up to the first byte that ends it, or to the end, without blanks around it; `nil` where that is no
    /// UTF-8.
    fileprivate mutating func take(until ends: (UInt8) -> Bool) -> String? {
        let end = firstIndex(where: ends) ?? endIndex
        defer { self = self[end...] }
        let taken = self[..<end].drop(while: \.isBlank)
        let last = taken.lastIndex { !$0.isBlank }.map { $0 + 1 } ?? taken.startIndex
        return String(validating: taken[..<last], as: UTF8.self)
    }

    /// A quoted text, and the blanks behind it. A backslash stands before a quote or another backslash;
    /// before any other it is itself, since browsers send the paths of files as they are.
    fileprivate mutating func takeQuoted() -> String? {
        removeFirst()
        var text: [UInt8] = []
        while let byte = popFirst() {
            if byte == 0x22 {
                self = drop(while: \.isBlank)
                return isEmpty || first == 0x3B ? String(validating: text, as: UTF8.self) : nil
            }
            if byte == 0x5C, let next = first, next == 0x22 || next == 0x5C {
                text.append(next)
                removeFirst()
            } else {
                text.append(byte)
            }
        }
        return nil
    }
}

extension UInt8 {
    fileprivate var isBlank: Bool { self == 0x20 || self == 0x09 }

    /// Of the characters that names of headers and parameters are made of (RFC 9110, 5.6.2).
    var isToken: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "!#$%&'*+-.^_`|~".utf8.contains(self)
        }
    }
}
