package import BreezeCore

/// The scheme that an app answers to, as it is kept: `mycoolapp`.
package struct CallbackScheme: Hashable, Sendable {
    package let name: String

    /// Takes `mycoolapp` and `mycoolapp://`, in any case of letters.
    /// - Throws: ``BreezeError`` `.invalidCallback` for what is no scheme, and for schemes that belong to others.
    package init(parsing text: some Collection<UInt8>) throws(BreezeError) {
        var scheme = Array(text)
        if scheme.suffix(3).elementsEqual("://".utf8) { scheme.removeLast(3) }
        scheme = scheme.map { (0x41...0x5A).contains($0) ? $0 + 32 : $0 }
        guard (3...64).contains(scheme.count), let first = scheme.first, SchemeText.isLower(first),
            scheme.allSatisfy({ SchemeText.isLower($0) || SchemeText.isDigit($0) || "+-.".utf8.contains($0) })
        else { throw SchemeFault.callback("it is not a scheme of 3 to 64 characters") }
        name = String(decoding: scheme, as: UTF8.self)
        guard !Self.reservedNames.contains(name), !Self.reservedPrefixes.contains(where: name.hasPrefix)
        else {
            throw SchemeFault.callback("the scheme belongs to others")
        }
    }

    package init(_ text: String) throws(BreezeError) {
        try self.init(parsing: text.utf8)
    }

    /// The URL that brings an answer: a plain one's JSON, an envelope, or a pointer.
    /// - Throws: ``BreezeError`` `.payloadTooLarge` beyond what one URL takes.
    package func answer(_ data: [UInt8]) throws(BreezeError) -> String {
        guard data.count <= SchemeURL.valueLimit else {
            throw SchemeFault.tooLarge("The answer has more than \(SchemeURL.valueLimit) bytes")
        }
        return "\(answerStart)\(StrictBase64.url(data))"
    }

    /// What an answer's URL holds, for the app whose scheme this is.
    /// - Throws: ``BreezeError`` `.invalidURL`, `.payloadTooLarge`, `.invalidEncoding`.
    package func answer(in url: String) throws(BreezeError) -> [UInt8] {
        let bytes = Array(url.utf8)
        let head = answerStart.utf8
        // Systems hand the scheme over in any case of letters.
        let scheme = bytes.prefix(name.utf8.count).map { (0x41...0x5A).contains($0) ? $0 + 32 : $0 }
        guard (scheme + bytes.dropFirst(scheme.count)).starts(with: head) else {
            throw SchemeFault.url("it is not an answer")
        }
        let data = try StrictBase64.bytes(ofURL: bytes.dropFirst(head.count), limit: SchemeURL.valueLimit)
        guard data.first == UInt8(ascii: "{") || data.first == UInt8(ascii: "B") else {
            throw SchemeFault.url("it holds neither a plain answer nor an envelope")
        }
        return data
    }

    private var answerStart: String { "\(name)://breeze-response?result=" }
}
