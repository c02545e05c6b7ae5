import BreezeCore

/// What the header of a form's part says.
struct MultipartHeader {
    let name: String
    let filename: String?
    let contentType: String?

    /// Reads the lines, without the empty one that ends them; `part` is the number that an error names.
    init(_ bytes: ArraySlice<UInt8>, part: Int) throws {
        let fault = { (text: String) in BreezeError.form("Part \(part) of the form \(text).") }
        var values: [String: [UInt8]] = [:]
        for line in try Self.lines(bytes, fault) {
            guard let colon = line.firstIndex(of: 0x3A), colon > 0, line[..<colon].allSatisfy(\.isToken)
            else {
                throw fault("has a header line without a name")
            }
            let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
            let isRead = ["content-disposition", "content-type", "content-transfer-encoding"].contains(name)
            guard !isRead || values[name] == nil else { throw fault("has two headers \(name)") }
            values[name] = Array(line[(colon + 1)...])
        }
        let encoding = values["content-transfer-encoding"].map {
            ParameterisedValue($0)?.value ?? "unreadable"
        }
        if let encoding, !["7bit", "8bit", "binary"].contains(encoding) {
            throw fault("is encoded (\(encoding.prefix(40))), which forms are not")
        }
        guard let disposition = values["content-disposition"] else {
            throw fault("has no Content-Disposition")
        }
        guard let field = ParameterisedValue(disposition) else {
            throw fault("has a Content-Disposition that cannot be read")
        }
        guard field.value == "form-data" else { throw fault("is no form-data") }
        guard let name = field.parameters["name"] else { throw fault("has no name") }
        self.name = Self.unescaped(name)
        if let extended = field.parameters["filename*"] {
            guard let filename = Self.decoded(extended) else {
                throw fault("has a filename* that is no UTF-8''…")
            }
            self.filename = filename
        } else {
            filename = field.parameters["filename"].map(Self.unescaped)
        }
        contentType = try values["content-type"].map { bytes in
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw fault("has a Content-Type that is no text")
            }
            return String(text.drop { $0 == " " || $0 == "\t" })
        }
    }

    /// A line that begins with a blank goes on with the one before.
    private static func lines(_ bytes: ArraySlice<UInt8>, _ fault: (String) -> BreezeError) throws
        -> [[UInt8]]
    {
        var lines: [[UInt8]] = []
        var rest = bytes
        while !rest.isEmpty {
            let end = rest.index(of: [0x0D, 0x0A]) ?? rest.endIndex
            let line = rest[..<end]
            rest = rest[min(end + 2, rest.endIndex)...]
            guard line.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
                throw fault("has a control character in its header")
            }
            if line.first == 0x20 || line.first == 0x09, !lines.isEmpty {
                lines[lines.count - 1] += line
            } else {
                lines.append(Array(line))
            }
        }
        return lines
    }

    private static let escapes: KeyValuePairs<String, UInt8> = ["%22": 0x22, "%0D": 0x0D, "%0A": 0x0A]

    /// Browsers write what would end a quoted name as `%22`, `%0D` and `%0A`, and leave every other `%`
    /// alone.
    private static func unescaped(_ text: String) -> String {
        guard text.utf8.contains(0x25) else { return text }
        var bytes: [UInt8] = []
        var rest = Substring(text).utf8[...]
        while let byte = rest.first {
            let escape = escapes.first { rest.starts(with: $0.key.utf8) }
            bytes.append(escape?.value ?? byte)
            rest = rest.dropFirst(escape == nil ? 1 : 3)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// `UTF-8'en'na%C3%AFve` (RFC 8187).
    private static func decoded(_ text: String) -> String? {
        let pieces = text.utf8.split(separator: 0x27, maxSplits: 2, omittingEmptySubsequences: false)
        guard pieces.count == 3, String(pieces[0])?.lowercased() == "utf-8" else { return nil }
        var bytes: [UInt8] = []
        var rest = pieces[2]
        while let byte = rest.popFirst() {
            guard byte == 0x25 else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst()?.hexDigit, let low = rest.popFirst()?.hexDigit else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}

extension UInt8 {
    fileprivate var hexDigit: UInt8? {
        switch self {
        case 0x30...0x39: self - 0x30
        case 0x41...0x46: self - 0x37
        case 0x61...0x66: self - 0x57
        default: nil
        }
    }
}
