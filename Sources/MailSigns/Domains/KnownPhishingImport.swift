import BreezeCore
public import Foundation

extension KnownPhishing {
    /// Makes the file that ``init(contentsOf:)`` opens of a list as it is published: a host or a URL a line, a hosts
    /// file, filter rules (`||host^`), or CSV with such a field (the first one counts); `#`, `!` and `;` begin comments.
    ///
    /// Not taken, and counted in `ignored`: what is no host, endings that many share, addresses of a local network, and
    /// hosts of watched brands, mail services and shorteners, where one page of many is bad and the list names the host.
    ///
    /// `source` is what the person calls the list, on one line, and `day` that of the import, `2026-11-23`.
    ///
    /// - Throws: ``BreezeError`` of code `invalidFile` for a list over 5,000,000 lines or 512 MB and for one with
    ///   nothing to take, and `invalidParameter` for a day or a source that is none.
    public static func imported(
        from data: Data,
        source: String,
        day: String,
        domains: any DomainKnowledge
    ) throws -> (file: Data, count: Int, ignored: Int) {
        let source = Evidence.clean(source, limit: 100)
        guard KnownPhishingImport.isDay(day), !source.isEmpty else {
            throw BreezeError(
                .invalidParameter,
                "A list of known phishing domains has a source and a day like 2026-11-23."
            )
        }
        guard data.count <= KnownPhishingImport.mostBytes else { throw KnownPhishingImport.tooLong }
        guard !data.prefix(KnownPhishingImport.looked).contains(0) else {
            throw BreezeError(
                .invalidFile,
                "This is no text.",
                remedy: "Import a file with a host or a URL on each line."
            )
        }
        var reader = KnownPhishingImport(domains: domains)
        try reader.read(data)
        guard !reader.hosts.isEmpty else {
            throw BreezeError(
                .invalidFile,
                "The list has no host in it that could be taken.",
                remedy: "Import a file with a host or a URL on each line."
            )
        }
        var body = Data()
        for host in reader.hosts.sorted() {
            body.append(contentsOf: host.utf8)
            body.append(0x0A)
        }
        let header = [
            firstLine, "# day \(day)", "# source \(source)", "# count \(reader.hosts.count)",
            "# bytes \(body.count)",
        ]
        let file = Data(header.map { $0 + "\n" }.joined().utf8) + body
        return (file, reader.hosts.count, reader.ignored)
    }
}

/// Reads lists of hosts as they are published.
struct KnownPhishingImport {
    private let domains: any DomainKnowledge
    private(set) var hosts: Set<String> = []
    private(set) var ignored = 0
    private var refused: Set<String> = []

    static let mostBytes = 512 * 1_024 * 1_024
    static let mostLines = 5_000_000
    /// Bytes by which a program or an archive is told from a text.
    static let looked = 65_536
    private static let longestLine = 16_384

    static let tooLong = BreezeError(
        .invalidFile,
        "The list is too long: at most 5,000,000 lines and 512 MB are taken.",
        remedy: "Import a shorter list."
    )

    init(domains: any DomainKnowledge) {
        self.domains = domains
    }

    mutating func read(_ data: Data, mostLines: Int = Self.mostLines) throws {
        var lines = 0
        var at = data.startIndex
        if data.starts(with: [0xEF, 0xBB, 0xBF]) { at += 3 }
        while at < data.endIndex {
            lines += 1
            guard lines <= mostLines else { throw Self.tooLong }
            let end = data[at...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? data.endIndex
            if end - at > Self.longestLine { ignored += 1 } else { readLine(Self.trimmed(data[at..<end])) }
            at = end + (data[end...].starts(with: [0x0D, 0x0A]) ? 2 : 1)
        }
    }

    private mutating func readLine(_ line: Data) {
        guard let first = line.first else { return }
        switch first {
        case UInt8(ascii: "#"), UInt8(ascii: "!"), UInt8(ascii: ";"): return
        default: break
        }
        let found = Self.hosts(in: String(decoding: line, as: UTF8.self))
        if found.isEmpty { ignored += 1 }
        for host in found { take(host) }
    }

    private mutating func take(_ host: String) {
        if hosts.contains(host) { return }
        if !refused.contains(host), isTaken(host) {
            hosts.insert(host)
        } else {
            refused.insert(host)
            ignored += 1
        }
    }

    private func isTaken(_ host: String) -> Bool {
        if let numeric = NumericHost(host) ?? NumericHost("[\(host)]") { return !numeric.isLocal }
        guard let domain = domains.registrableDomain(of: host) else { return false }
        return BrandIndex.watched.owners(of: domain).isEmpty && !Freemail.contains(domain)
            && Shorteners.owners[domain] == nil && Shorteners.owners[host] == nil
    }

    private static func hosts(in line: String) -> [String] {
        if line.hasPrefix("@@") || line.contains("##") { return [] }
        if line.hasPrefix("||") {
            let rule = line.dropFirst(2).prefix { $0 != "^" && $0 != "/" && $0 != "$" }
            return [host(rule)].compactMap { $0 }
        }
        let words = line.split(whereSeparator: \.isWhitespace).prefix { !$0.hasPrefix("#") }
        // A hosts file gives names to an address of the device itself.
        if words.count > 1, let address = address(words[0]), address.isLocal {
            return words.dropFirst().compactMap { host($0) }
        }
        if line.contains(",") { return fields(line).lazy.compactMap { field($0) }.first.map { [$0] } ?? [] }
        return words.first.flatMap { field(String($0)) }.map { [$0] } ?? []
    }

    private static func address(_ word: Substring) -> NumericHost? {
        word.contains(":") ? NumericHost("[\(word)]") : word.contains(".") ? NumericHost(word) : nil
    }

    /// Of CSV (RFC 4180).
    private static func fields(_ line: String) -> [String] {
        var fields: [String] = []
        var field: [UInt8] = []
        var isQuoted = false
        for byte in line.utf8 {
            switch byte {
            case UInt8(ascii: "\""): isQuoted.toggle()
            case UInt8(ascii: ",") where !isQuoted:
                fields.append(String(decoding: field, as: UTF8.self))
                field = []
            default: field.append(byte)
            }
        }
        return fields + [String(decoding: field, as: UTF8.self)]
    }

    private static func field(_ text: String) -> String? {
        let text = text.trimmingCharacters(in: .whitespaces)
        guard text.contains("://") else { return host(text[...]) }
        return LinkParts(text)?.host.flatMap { entry($0) }
    }

    /// A host alone, with or without a port; a number is none.
    private static func host(_ text: Substring) -> String? {
        guard text.contains("."), !text.contains(where: \.isWhitespace) else {
            return text.hasPrefix("[") || text.filter { $0 == ":" }.count > 1 ? entry(String(text)) : nil
        }
        let name = text.prefix { $0 != "/" && $0 != ":" }
        return entry(String(name))
    }

    private static func trimmed(_ line: Data) -> Data {
        var line = line
        while let first = line.first, first <= 0x20 { line.removeFirst() }
        while let last = line.last, last <= 0x20 { line.removeLast() }
        return line
    }

    /// A host as the list has it; `nil` where it can be none.
    static func entry(_ host: String) -> String? {
        guard host.utf8.count <= 1_000 else { return nil }
        let bare = host.hasPrefix("[") || host.utf8.count { $0 == 0x3A } < 2 ? host : "[\(host)]"
        guard let name = HostText.host(Array(bare.utf8)[...]) else { return nil }
        if let numeric = NumericHost(name) { return numeric.address }
        guard name.contains(".") else { return nil }
        var labels: [String] = []
        for label in name.split(separator: ".", omittingEmptySubsequences: false) {
            guard let ascii = label.isASCII ? String(label) : Punycode.encode(label).map({ "xn--" + $0 }),
                (1...63).contains(ascii.utf8.count), ascii.utf8.allSatisfy(isOfLabel)
            else { return nil }
            labels.append(ascii)
        }
        let entry = labels.joined(separator: ".")
        // An ending of digits alone is of an address, and this is none.
        guard entry.utf8.count <= 253, labels.last?.utf8.allSatisfy(ByteText.isDigit) == false else {
            return nil
        }
        return entry
    }

    private static func isOfLabel(_ byte: UInt8) -> Bool {
        ByteText.isDigit(byte) || (0x61...0x7A).contains(byte) || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: "_")
    }

    static func isDay(_ text: String) -> Bool {
        let pieces = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard pieces.map(\.count) == [4, 2, 2], pieces.joined().allSatisfy(ByteText.isDigit) else {
            return false
        }
        let numbers = pieces.compactMap { Int(String(decoding: $0, as: UTF8.self)) }
        return (1...12).contains(numbers[1]) && (1...31).contains(numbers[2])
    }
}
