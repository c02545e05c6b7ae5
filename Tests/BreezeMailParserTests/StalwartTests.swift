import BreezeMail
import Foundation
import Testing

@testable import BreezeMailParser

/// What differs between a fixture's expected outcome and ours.
enum Aspect: String, CaseIterable {
    case structure, subject, from, to, date, messageID, texts, attachments
}

@Suite(
    .enabled(if: GMimeMessageParser.isAvailable, "the trait Mail is off"),
    .enabled(if: MailFixtures.shared != nil, "the public fixtures are not there: set BREEZE_SHARED")
)
struct `Messages compared with what stalwart's parser says` {
    @Test func `every fixture agrees but for the differences with a reason`() throws {
        var found: [String: Set<Aspect>] = [:]
        var counts: [Aspect: Int] = [:]
        let files = MailFixtures.files(under: MailFixtures.stalwart, ends: [".json"])
        for file in files {
            let bytes = try Data(contentsOf: try source(of: file))
            let expected = try JSONDecoder().decode(StalwartMessage.self, from: Data(contentsOf: file))
            let name = file.pathComponents.suffix(2).joined(separator: "/").replacing(".json", with: "")
            // The expectation with CRLF is of the same message with its line ends changed.
            let isCRLF = name.hasSuffix(".crlf")
            let message = Self.withLineEnds(isCRLF ? [13, 10] : [10], Array(bytes))
            let differences = try compare(expected, message)
            if !differences.isEmpty { found[name] = differences }
            for aspect in Aspect.allCases where !differences.contains(aspect) {
                counts[aspect, default: 0] += 1
            }
        }
        #expect(files.count == 214)
        let known = Dictionary(uniqueKeysWithValues: Self.differences.map { ($0.file, $0.aspects) })
        for (name, aspects) in found {
            // With other line ends a file differs in no more.
            let allowed = known[name.replacing(".crlf", with: "")] ?? []
            #expect(aspects.isSubset(of: allowed), "\(name)")
        }
        #expect(
            known.keys.filter { found[$0] == nil && found[$0 + ".crlf"] == nil } == [],
            "no longer differ"
        )
        for aspect in Aspect.allCases { print("agrees", aspect, counts[aspect] ?? 0, "of", files.count) }
    }

    private func source(of json: URL) throws -> URL {
        let name = json.lastPathComponent.replacing(".crlf.json", with: "").replacing(".json", with: "")
        return json.deletingLastPathComponent().appending(path: name + ".eml")
    }

    /// A CR that stands alone stays.
    private static func withLineEnds(_ end: [UInt8], _ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        for (index, byte) in bytes.enumerated() {
            if byte == 13, index + 1 < bytes.count, bytes[index + 1] == 10 { continue }
            result += byte == 10 ? end : [byte]
        }
        return result
    }

    private func compare(_ expected: StalwartMessage, _ bytes: [UInt8]) throws -> Set<Aspect> {
        let parser = GMimeMessageParser()
        let message = try parser.parse(.bytes(bytes))
        var differences: Set<Aspect> = []
        func same(_ aspect: Aspect, _ holds: Bool, _ why: @autoclosure () -> String) {
            if !holds, differences.insert(aspect).inserted { print("   ", aspect, why()) }
        }
        guard let root = expected.parts.first else { return [] }
        let subject = (root.first("subject")?.text ?? "").split(whereSeparator: \.isWhitespace).joined(
            separator: " "
        )
        let ours = message.subject.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        same(.subject, ours.agrees(with: subject), "\(ours) | \(subject)")
        let from = Self.addresses(root, "from")
        same(.from, Self.agree(Self.addresses(message.from), from), "\(message.from) | \(from)")
        let to = Self.addresses(root, "to")
        same(.to, Self.agree(Self.addresses(message.to), to), "\(message.to) | \(to)")
        if let date = root.first("date")?.date {
            same(
                .date,
                message.date?.unixSeconds == date.unixSeconds,
                "\(String(describing: message.date)) | \(date)"
            )
        }
        if let id = root.first("message_id")?.text {
            same(.messageID, message.id == id, "\(message.id) | \(id)")
        }
        let types = expected.flat.map(\.type)
        same(.structure, message.parts.map(\.type) == types, "\(message.parts.map(\.type)) | \(types)")
        guard message.parts.count == expected.flat.count else { return differences }
        for (part, wanted) in zip(message.parts, expected.flat) {
            switch wanted.body {
            case .text(let text), .html(let text):
                let content = try parser.content(of: part.index, in: .bytes(bytes), limit: .max)
                let decoded = TextDecoder.text(content, charset: part.charset).text
                let (left, right) = (Self.plain(decoded), Self.plain(text))
                same(.texts, left.agrees(with: right), "\(part.index) \(Self.apart(left, right))")
            case .binary(let data):
                let content = try parser.content(of: part.index, in: .bytes(bytes), limit: .max)
                let names = "\(part.fileName ?? "") | \(wanted.fileName ?? "")"
                // Text that is attached is shown converted there, and as it is here.
                let isSame =
                    content == data
                    || part.type.hasPrefix("text/")
                        && Self.plain(TextDecoder.text(content, charset: part.charset).text)
                            == Self.plain(String(decoding: data, as: UTF8.self))
                same(.attachments, isSame, "\(part.index) \(content.count) | \(data.count)")
                same(.attachments, (part.fileName ?? "").agrees(with: wanted.fileName ?? ""), names)
            case .multipart, .message: break
            }
        }
        return differences
    }

    private static func agree(_ ours: [String], _ theirs: [String]) -> Bool {
        ours.count == theirs.count && zip(ours, theirs).allSatisfy { $0.agrees(with: $1) }
    }

    private static func addresses(_ part: StalwartMessage.Part, _ name: String) -> [String] {
        // A word without a host is a name to one parser and an address to the other.
        (part.first(name)?.addresses ?? []).map { one in
            one.address.map { "\(one.name ?? "")|\($0)" } ?? "|\(one.name ?? "")"
        }
    }

    private static func addresses(_ list: [MailAddress]) -> [String] {
        list.filter { !$0.address.isEmpty }.map { "\($0.name ?? "")|\($0.address)" }
    }

    /// Where two texts part.
    private static func apart(_ left: String, _ right: String) -> String {
        let same = zip(left, right).prefix { $0 == $1 }.count
        let from = max(0, same - 20)
        let shown = [left, right].map { String($0.dropFirst(from).prefix(60)).debugDescription }
        return shown.joined(separator: " | ")
    }

    /// Without regard to line ends, and to how many stand at the end.
    private static func plain(_ text: String) -> String {
        var lines = text.replacing("\r\n", with: "\n").split(
            separator: "\n",
            omittingEmptySubsequences: false
        )
        while lines.last?.isEmpty == true { lines.removeLast() }
        return lines.joined(separator: "\n")
    }
}
