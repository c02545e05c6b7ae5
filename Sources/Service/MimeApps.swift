/// The user's choice of programs, `mimeapps.list` (MIME Applications Associations 1.0): bytes in, bytes out.
///
/// One line of it is ours; all others stay as they are, byte for byte.
struct MimeApps {
    private(set) var bytes: [UInt8]

    private static let header = "[Default Applications]"

    /// The programs for `type`, the first choice first.
    func choices(for type: String) -> [String] {
        let lines = lines
        return place(of: type, in: lines).map { Self.value(lines[$0]) } ?? []
    }

    /// Makes `entry` the first choice for `type`, before whatever was.
    mutating func choose(_ entry: String, for type: String) {
        guard choices(for: type).first != entry else { return }
        var lines = lines
        if let place = place(of: type, in: lines) {
            let others = Self.value(lines[place]).filter { $0 != entry }
            lines[place] = Self.line(type, [entry] + others)
        } else if let group = Self.groups(in: lines).first {
            var place = group.upperBound
            while place > group.lowerBound, Self.text(lines[place - 1]).isEmpty { place -= 1 }
            Self.end(&lines, before: place)
            lines.insert(Self.line(type, [entry]), at: place)
        } else {
            Self.end(&lines, before: lines.count)
            lines += [Array("\(Self.header)\n".utf8), Self.line(type, [entry])]
        }
        bytes = lines.flatMap(\.self)
    }

    /// Takes `entry` away again, and the group where nothing else is left in it.
    mutating func forget(_ entry: String, for type: String) {
        var lines = lines
        guard let place = place(of: type, in: lines), Self.value(lines[place]).contains(entry) else { return }
        let others = Self.value(lines[place]).filter { $0 != entry }
        if others.isEmpty {
            lines.remove(at: place)
            if let group = Self.groups(in: lines).first(where: {
                $0.contains(place) || $0.upperBound == place
            }),
                lines[group].allSatisfy({ Self.text($0).isEmpty })
            {
                lines.remove(at: group.lowerBound - 1)
            }
        } else {
            lines[place] = Self.line(type, others)
        }
        bytes = lines.flatMap(\.self)
    }

    /// Each with its line feed, where it has one.
    private var lines: [[UInt8]] {
        var lines: [[UInt8]] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let end = rest.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? rest.endIndex
            lines.append(Array(rest[..<end]))
            rest = rest[end...]
        }
        return lines
    }

    private func place(of type: String, in lines: [[UInt8]]) -> Int? {
        for group in Self.groups(in: lines) {
            if let place = group.first(where: { Self.key(lines[$0]) == type }) { return place }
        }
        return nil
    }

    /// The lines behind each header of ours, up to the next one of any.
    private static func groups(in lines: [[UInt8]]) -> [Range<Int>] {
        let headers = lines.indices.filter { lines[$0].first == UInt8(ascii: "[") }
        return headers.enumerated().compactMap { index, place in
            guard text(lines[place]) == header else { return nil }
            return place + 1..<(index + 1 < headers.count ? headers[index + 1] : lines.count)
        }
    }

    /// The last line before may lack its line feed.
    private static func end(_ lines: inout [[UInt8]], before place: Int) {
        guard place > 0, lines[place - 1].last != UInt8(ascii: "\n") else { return }
        lines[place - 1].append(UInt8(ascii: "\n"))
    }

    private static func key(_ line: [UInt8]) -> String? {
        guard let equals = line.firstIndex(of: UInt8(ascii: "=")) else { return nil }
        return text(Array(line[..<equals]))
    }

    private static func value(_ line: [UInt8]) -> [String] {
        guard let equals = line.firstIndex(of: UInt8(ascii: "=")) else { return [] }
        return text(Array(line[(equals + 1)...])).split(separator: ";").map(String.init)
    }

    private static func line(_ type: String, _ entries: [String]) -> [UInt8] {
        Array("\(type)=\(entries.joined(separator: ";"));\n".utf8)
    }

    /// Without blanks around it.
    private static func text(_ line: [UInt8]) -> String {
        let isBlank: (UInt8) -> Bool = { " \t\r\n".utf8.contains($0) }
        let rest = line.drop(while: isBlank)
        let end = rest.lastIndex { !isBlank($0) }
        return String(decoding: end.map { rest[...$0] } ?? [], as: UTF8.self)
    }
}
