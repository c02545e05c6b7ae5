/// What is known of host names and of how text looks.
///
/// `SystemDomains` of BreezeMailParser asks the system's public suffix list and ICU; ``PlainDomains`` does without.
public protocol DomainKnowledge: Sendable {
    /// The part of a host that somebody registered, `example.co.uk` of `www.example.co.uk`; `nil` for an ending that
    /// is shared, and for a host of one label. `host` is in lower case, in Unicode or as punycode, without a dot at its
    /// end.
    func registrableDomain(of host: String) -> String?

    /// The host with its punycode decoded; a label that stands for nothing stays as it is.
    func unicodeHost(_ host: String) -> String

    /// What two texts that look alike have both (UTS 39); nothing to show.
    func skeleton(of text: String) -> String
}
