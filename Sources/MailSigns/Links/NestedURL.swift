/// Finds a URL in what follows the host of another: a redirect, or a tracker that knows where a link leads.
enum NestedURL {
    private static let longestHost = 300

    /// How it is separated from its scheme, as it is or encoded once or twice; a mail filter writes the last.
    private static let separators: [StaticString] = [
        "://", ":%2f%2f", "%3a%2f%2f", "%253a%252f%252f", "-3a__",
    ]

    /// The host of the first one; `nil` where there is none.
    static func host(_ rest: ArraySlice<UInt8>) -> String? {
        rest.withUnsafeBufferPointer { bytes in
            var at = 0
            while at + 8 < bytes.count {
                if bytes[at] | 0x20 == UInt8(ascii: "h"), ByteText.starts(bytes, at, with: "http"),
                    let start = start(bytes, at + 4), let host = host(bytes, from: start)
                {
                    return host
                }
                at += 1
            }
            return nil
        }
    }

    private static func start(_ bytes: UnsafeBufferPointer<UInt8>, _ afterName: Int) -> Int? {
        let at = afterName + (bytes[afterName] | 0x20 == UInt8(ascii: "s") ? 1 : 0)
        for separator in separators where ByteText.starts(bytes, at, with: separator) {
            return at + separator.utf8CodeUnitCount
        }
        return nil
    }

    private static func host(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> String? {
        var name = Array(bytes[start...].prefix(longestHost)).prefix { byte in
            switch byte {
            case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "&"),
                UInt8(ascii: "%"),
                UInt8(ascii: "_"), UInt8(ascii: ":"), UInt8(ascii: "\\"), UInt8(ascii: ";"):
                false
            default: true
            }
        }
        if let at = name.lastIndex(of: UInt8(ascii: "@")) { name = name[(at + 1)...] }
        guard let host = HostText.host(name), host.contains(".") else { return nil }
        return host
    }
}
