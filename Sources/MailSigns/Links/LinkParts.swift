/// What a URL is made of, read as browsers do (WHATWG URL): tabs and line ends are not there, `\` is `/`, and any
/// number of slashes leads to the host. Every byte is seen a fixed number of times.
struct LinkParts {
    /// In lower case; empty for `//host` and `www.host`.
    private(set) var scheme = ""
    private(set) var userInfo: String?
    /// In lower case, as punycode or in Unicode, without dots at its end; `nil` where the URL has none.
    private(set) var host: String?
    /// Bytes of the host as it is written.
    private(set) var hostLength = 0
    private(set) var port: Int?
    /// Of `data:` and `javascript:` the beginning of what follows.
    private(set) var opaque = ""
    /// The host of a URL within the path, the query or the fragment.
    private(set) var nestedHost: String?

    private static let longestScheme = 32
    private static let longestOpaque = 120
    private static let longestUserInfo = 200
    /// What a name in the DNS may have.
    private static let longestHost = 253

    /// `nil` for what leads nowhere by itself: a relative link, a fragment, nothing.
    init?(_ text: some StringProtocol) {
        var bytes = Array(text.utf8)
        if bytes.contains(where: { $0 == 9 || $0 == 10 || $0 == 13 }) {
            bytes.removeAll { $0 == 9 || $0 == 10 || $0 == 13 }
        }
        var at = Self.start(bytes)
        while let last = bytes.last, last <= 32 { bytes.removeLast() }
        guard at < bytes.count else { return nil }
        if let end = Self.schemeEnd(bytes, at) {
            scheme = String(decoding: bytes[at..<end], as: UTF8.self).lowercased()
            at = end + 1
            guard Self.hasHost(scheme) else {
                opaque = String(decoding: bytes[at...].prefix(Self.longestOpaque), as: UTF8.self)
                return
            }
            while at < bytes.count, Self.isSlash(bytes[at]) { at += 1 }
        } else if at + 1 < bytes.count, Self.isSlash(bytes[at]), Self.isSlash(bytes[at + 1]) {
            while at < bytes.count, Self.isSlash(bytes[at]) { at += 1 }
        } else if !ByteText.starts(bytes, at, with: "www.") {
            return nil
        }
        let end = bytes[at...].firstIndex { Self.isSlash($0) || $0 == 0x3F || $0 == 0x23 } ?? bytes.count
        authority(bytes[at..<end])
        if end < bytes.count { nestedHost = NestedURL.host(bytes[end...]) }
    }

    private static func isSlash(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: "\\")
    }

    private static func hasHost(_ scheme: String) -> Bool {
        switch scheme {
        case "http", "https", "ftp", "ws", "wss": true
        default: false
        }
    }

    /// Behind space, control characters, and what nobody sees.
    private static func start(_ bytes: [UInt8]) -> Int {
        var at = 0
        while at < bytes.count {
            if bytes[at] <= 32 {
                at += 1
            } else if let length = ByteText.invisible(bytes, at) {
                at += length
            } else {
                break
            }
        }
        return at
    }

    /// Where the colon stands.
    private static func schemeEnd(_ bytes: [UInt8], _ start: Int) -> Int? {
        guard ByteText.isLetter(bytes[start]) else { return nil }
        var at = start + 1
        while at < bytes.count, at - start <= longestScheme {
            switch bytes[at] {
            case UInt8(ascii: ":"): return at
            // With a dot it is rather a host and its port.
            case let byte where ByteText.isLetter(byte) || ByteText.isDigit(byte): at += 1
            case UInt8(ascii: "+"), UInt8(ascii: "-"): at += 1
            default: return nil
            }
        }
        return nil
    }

    private mutating func authority(_ bytes: ArraySlice<UInt8>) {
        var rest = bytes
        if let at = bytes.lastIndex(of: UInt8(ascii: "@")) {
            userInfo = String(decoding: bytes[..<at].prefix(Self.longestUserInfo), as: UTF8.self)
            rest = bytes[(at + 1)...]
        }
        var name = rest
        if rest.first == UInt8(ascii: "["), let close = rest.firstIndex(of: UInt8(ascii: "]")) {
            name = rest[...close]
            rest = rest[(close + 1)...]
        } else {
            name = rest.prefix { $0 != UInt8(ascii: ":") }
            rest = rest.dropFirst(name.count)
        }
        let digits = rest.dropFirst().prefix(6)
        if rest.first == UInt8(ascii: ":"), digits.allSatisfy(ByteText.isDigit) {
            port = Int(String(decoding: digits, as: UTF8.self)).flatMap { $0 <= 65_535 ? $0 : nil }
        }
        hostLength = name.count
        host = HostText.host(name).map { Self.shortened($0) }
    }

    /// Of a name that is longer than one can be, the labels at its end: they say whose it is.
    private static func shortened(_ host: String) -> String {
        guard host.utf8.count > longestHost else { return host }
        let end = host.utf8.suffix(longestHost)
        let dot = end.firstIndex(of: UInt8(ascii: "."))
        return String(host[(dot.map { host.utf8.index(after: $0) } ?? end.startIndex)...])
    }
}
