import BreezeCore
public import Foundation

/// A list of hosts known for phishing, as ``imported(from:source:day:domains:)`` made it: it is read from disk where it
/// lies, so that half a million of them cost no time to open, and it is never fetched or renewed by itself.
///
/// The file is ASCII: lines that begin with `#` for the format's version, day, source, count and bytes, then a host a
/// line, in lower case, as punycode, each once and sorted by its bytes.
public struct KnownPhishing: Sendable {
    /// When it was imported, `2026-11-23`.
    public let imported: String
    /// Whose list it is, as the person called it.
    public let source: String
    /// Hosts on it.
    public let count: Int
    private let data: Data
    /// Where the first host begins.
    private let start: Int

    static let firstLine = "# Breeze known phishing 1"
    private static let longestHeader = 1_000
    /// A host and its line end.
    static let longestLine = 254

    /// - Throws: ``BreezeError`` of code `inputOutput` where the file cannot be read, and `invalidFile` where it is
    ///   damaged, as far as its size and samples of it tell.
    public init(contentsOf file: URL) throws {
        let data: Data
        do {
            data = try Data(contentsOf: file, options: .alwaysMapped)
        } catch {
            throw BreezeError(
                .inputOutput,
                "The list of known phishing domains at \(file.path) cannot be read.",
                remedy: "Import it again.",
                underlying: error
            )
        }
        try self.init(data, name: file.lastPathComponent)
    }

    init(_ data: Data, name: String) throws {
        guard let header = Self.header(data), header.first == Self.firstLine,
            let day = Self.value("day", header), KnownPhishingImport.isDay(day),
            let source = Self.value("source", header),
            let count = Self.value("count", header).flatMap({ Int($0) }), count > 0,
            let bytes = Self.value("bytes", header).flatMap({ Int($0) })
        else { throw Self.damaged(name) }
        let start = header.reduce(0) { $0 + $1.utf8.count + 1 }
        guard data.count - start == bytes, data.last == 0x0A, count <= bytes / 4 else {
            throw Self.damaged(name)
        }
        self.data = data
        self.start = start
        self.count = count
        self.source = source
        imported = day
        guard isPlausible() else { throw Self.damaged(name) }
    }

    private static func damaged(_ name: String) -> BreezeError {
        BreezeError(
            .invalidFile,
            "“\(name)” is no list of known phishing domains, or it is damaged.",
            remedy: "Import the list again."
        )
    }

    private static func header(_ data: Data) -> [String]? {
        var lines: [String] = []
        var at = data.startIndex
        while at < data.endIndex, data[at] == UInt8(ascii: "#") {
            let limit = min(data.endIndex, data.startIndex + longestHeader)
            guard at < limit, let end = data[at..<limit].firstIndex(of: 0x0A) else { return nil }
            lines.append(String(decoding: data[at..<end], as: UTF8.self))
            at = end + 1
        }
        return lines
    }

    private static func value(_ key: String, _ header: [String]) -> String? {
        header.first { $0.hasPrefix("# \(key) ") }.map { String($0.dropFirst(key.utf8.count + 3)) }
    }

    /// The entry that is the host itself or a domain that it belongs to; `nil` where none is on the list.
    public func entry(for host: String) -> String? {
        guard let host = KnownPhishingImport.entry(host) else { return nil }
        if has(host) { return host }
        guard NumericHost(host) == nil else { return nil }
        var rest = Substring(host)
        while let dot = rest.firstIndex(of: ".") {
            rest = rest[rest.index(after: dot)...]
            guard rest.contains(".") else { return nil }
            if has(String(rest)) { return String(rest) }
        }
        return nil
    }

    private func has(_ host: String) -> Bool {
        let wanted = Array(host.utf8)
        return data.withUnsafeBytes { bytes in
            var (low, high) = (start, bytes.count)
            while low < high {
                guard let line = Self.line(bytes, around: low + (high - low) / 2, from: low) else {
                    return false
                }
                if bytes[line].elementsEqual(wanted) { return true }
                if bytes[line].lexicographicallyPrecedes(wanted) {
                    low = line.upperBound + 1
                } else {
                    high = line.lowerBound
                }
            }
            return false
        }
    }

    /// The line that a byte is of, its end included, less that end; `nil` where none has such a length.
    private static func line(_ bytes: UnsafeRawBufferPointer, around place: Int, from start: Int) -> Range<
        Int
    >? {
        var first = place
        while first > start, bytes[first - 1] != 0x0A {
            first -= 1
            if place - first > longestLine { return nil }
        }
        var end = place
        while end < bytes.count, bytes[end] != 0x0A {
            end += 1
            if end - first > longestLine { return nil }
        }
        return end < bytes.count ? first..<end : nil
    }

    /// Whether samples from all over the file are hosts, and sorted.
    private func isPlausible() -> Bool {
        data.withUnsafeBytes { bytes in
            var last: Range<Int>?
            for sample in 0..<64 {
                let place = start + (bytes.count - start - 1) * sample / 63
                guard let line = Self.line(bytes, around: place, from: start),
                    bytes[line].allSatisfy(Self.isOfHost)
                else { return false }
                if let last, last != line, !bytes[last].lexicographicallyPrecedes(bytes[line]) {
                    return false
                }
                last = line
            }
            return true
        }
    }

    private static func isOfHost(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."),
            UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: ":"):
            true
        default: false
        }
    }
}
