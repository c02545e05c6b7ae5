public import BreezeMailSigns

#if Mail
import CDomains
#endif

/// Host names as the system knows them: the public suffix list (libpsl), and Unicode's rules for international names
/// and for look-alikes (UTS 46 and UTS 39, by ICU). In a build without the trait Mail it is ``PlainDomains``.
public struct SystemDomains: DomainKnowledge {
    /// Whether both libraries are there.
    public static var isAvailable: Bool {
        #if Mail
        SystemDomainLibrary.shared != nil
        #else
        false
        #endif
    }

    private let plain = PlainDomains()

    public init() {}

    #if Mail
    /// A host of the DNS has at most 253 bytes, and each may decode to several.
    private static let longestHost = 1_000
    private static let longestText = 4_000

    public func registrableDomain(of host: String) -> String? {
        guard let library = SystemDomainLibrary.shared, !host.utf8.contains(0) else {
            return plain.registrableDomain(of: host)
        }
        guard host.utf8.count <= Self.longestHost else { return nil }
        return library.ask(room: Self.longestHost) { cdomains_registrable($0, host, $1, $2) }
    }

    public func unicodeHost(_ host: String) -> String {
        guard let library = SystemDomainLibrary.shared else { return plain.unicodeHost(host) }
        guard host.contains("xn--") || !host.utf8.allSatisfy({ $0 < 0x80 }),
            host.utf8.count <= Self.longestHost
        else { return host }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false).map { label in
            let count = label.utf8.count
            let decoded = library.ask(room: 4 * Self.longestHost) {
                cdomains_unicode($0, String(label), count, $1, $2)
            }
            // Of a name that is malformed ICU keeps what it can, which is no name at all.
            return decoded.flatMap { $0.unicodeScalars.contains("\u{FFFD}") ? nil : $0 } ?? String(label)
        }
        return labels.joined(separator: ".")
    }

    public func skeleton(of text: String) -> String {
        guard let library = SystemDomainLibrary.shared, text.utf8.count <= Self.longestText else {
            return plain.skeleton(of: text)
        }
        let count = text.utf8.count
        return library.ask(room: 8 * Self.longestText) { cdomains_skeleton($0, text, count, $1, $2) }
            ?? plain.skeleton(of: text)
    }
    #else
    public func registrableDomain(of host: String) -> String? { plain.registrableDomain(of: host) }
    public func unicodeHost(_ host: String) -> String { plain.unicodeHost(host) }
    public func skeleton(of text: String) -> String { plain.skeleton(of: text) }
    #endif
}

#if Mail
/// What both libraries keep for the whole process; it is never closed.
///
/// Unchecked: the pointers are only read after they were made, and both libraries allow that to many threads at once.
private struct SystemDomainLibrary: @unchecked Sendable {
    static let shared: Self? = cdomains_open().map { Self(handle: $0) }

    let handle: OpaquePointer

    func ask(room: Int, _ question: (OpaquePointer, UnsafeMutablePointer<CChar>?, Int) -> Int) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: room) { buffer in
            let count = question(handle, buffer.baseAddress, buffer.count)
            guard count >= 0, count <= buffer.count else { return nil }
            return String(decoding: UnsafeRawBufferPointer(buffer).prefix(count), as: UTF8.self)
        }
    }
}
#endif
