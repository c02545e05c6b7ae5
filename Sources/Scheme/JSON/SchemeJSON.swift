package import BreezeCore

/// JSON as section 2 of docs/url-scheme.md takes it.
package enum SchemeJSON {
    /// An object whose `{` is the very first byte, of 64 levels at most, with no name twice in one object.
    /// - Throws: ``BreezeError`` `.invalidRequest`.
    package static func object(_ bytes: [UInt8]) throws(BreezeError) -> StrictJSON {
        guard bytes.first == UInt8(ascii: "{") else {
            throw SchemeFault.request("the document does not begin with {")
        }
        do throws(StrictJSON.Fault) {
            let document = try StrictJSON(parsing: bytes)
            try checkNames(document)
            return document
        } catch {
            throw SchemeFault.request("\(error.reason), at byte \(error.offset)")
        }
    }

    /// Names that differ only in how accents are composed count as one, as they do in a Swift dictionary.
    private static func checkNames(_ value: StrictJSON) throws(StrictJSON.Fault) {
        switch value {
        case .object(let members):
            var seen: Set<String> = []
            for member in members {
                guard seen.insert(String(decoding: member.key, as: UTF8.self)).inserted else {
                    throw StrictJSON.Fault(
                        reason: "a name stands twice in one object",
                        offset: member.offset
                    )
                }
                try checkNames(member.value)
            }
        case .array(let elements):
            for element in elements { try checkNames(element) }
        default: break
        }
    }
}
