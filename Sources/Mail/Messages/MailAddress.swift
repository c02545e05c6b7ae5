/// One mailbox of an address header.
public struct MailAddress: Codable, Hashable, Sendable {
    /// Decoded; `nil` where the header has none.
    public var name: String?
    /// As it is written, `user@host`; it may lack the host, and is empty where a group has no members.
    public var address: String
    /// The group that it was listed in.
    public var group: String?

    public init(name: String? = nil, address: String, group: String? = nil) {
        self.name = name
        self.address = address
        self.group = group
    }

    /// What follows the last `@`, in lower case; `nil` where there is none.
    public var domain: String? {
        guard let at = address.lastIndex(of: "@") else { return nil }
        let domain = address[address.index(after: at)...]
        return domain.isEmpty ? nil : domain.lowercased()
    }
}
