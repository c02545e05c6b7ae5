/// Which programs may ask at all, before anybody asks for a key: no web page of another origin, and no name that
/// somebody else's DNS server may turn on this device (DNS rebinding).
struct OriginRule: Sendable {
    enum Verdict: Equatable, Sendable {
        case allowed
        /// The page of a listed origin, which the answer must name.
        case allowedPage(String)
        case refused(String)
    }

    private static let loopback: Set = ["localhost", "127.0.0.1", "[::1]"]

    private let names: Set<String>
    private let origins: Set<String>
    private let allowsAddresses: Bool

    /// With `allowsAddresses`, this device may be called by any of its addresses: names alone can be turned on it.
    init(hostNames: [String], origins: [String], allowsAddresses: Bool = false) {
        names = Self.loopback.union(hostNames.map { $0.lowercased() })
        self.origins = Set(origins.map { $0.lowercased() })
        self.allowsAddresses = allowsAddresses
    }

    /// `isSocket` is a Unix socket, which has no name that others could take.
    func judge(host: String?, origin: String?, fetchSite: String?, isSocket: Bool) -> Verdict {
        if !isSocket {
            guard let host, isKnown(Self.name(of: host.lowercased())) else {
                return .refused("Requests must call this device by a name that Breeze knows.")
            }
        }
        guard let origin = origin?.lowercased() else {
            // A browser sends it where a page of another site makes a request that has no origin.
            return fetchSite == "cross-site" || fetchSite == "same-site"
                ? .refused("A page of another origin may not ask.") : .allowed
        }
        if origins.contains(origin) { return .allowedPage(origin) }
        let own = host.map { ["http://\($0.lowercased())", "https://\($0.lowercased())"] } ?? []
        return own.contains(origin) ? .allowed : .refused("A page of another origin may not ask.")
    }

    private func isKnown(_ name: String) -> Bool {
        if names.contains(name) { return true }
        guard allowsAddresses else { return false }
        let numbers = name.split(separator: ".", omittingEmptySubsequences: false)
        let isVersion4 = numbers.count == 4 && numbers.allSatisfy { UInt8($0) != nil }
        return isVersion4 || (name.hasPrefix("[") && name.hasSuffix("]"))
    }

    /// Without the port.
    private static func name(of host: String) -> String {
        if host.hasPrefix("[") { return host.firstIndex(of: "]").map { String(host[...$0]) } ?? host }
        return String(host.prefix { $0 != ":" })
    }
}
