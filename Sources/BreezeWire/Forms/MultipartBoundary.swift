import BreezeCore
import Foundation

/// The lines that part a form (RFC 2046, 5.1.1).
struct MultipartBoundary {
    struct Line {
        /// Of the line break before it, which belongs to it.
        let start: Int
        /// Behind its own line break.
        let end: Int
        let isLast: Bool
    }

    /// A line break, two hyphens and the boundary. The break's first byte stands nowhere else in it: no two
    /// beginnings of it overlap, so a search never looks at a byte again however often it is nearly there.
    private let mark: [UInt8]

    init(contentType: String) throws {
        guard let type = ParameterisedValue(Array(contentType.utf8)) else {
            throw BreezeError.form("The Content-Type cannot be read.")
        }
        guard type.value == "multipart/form-data" else {
            throw BreezeError.form("The body is \(type.value.prefix(80)), and no multipart/form-data.")
        }
        guard let boundary = type.parameters["boundary"] else {
            throw BreezeError.form("The Content-Type tells no boundary.")
        }
        let bytes = Array(boundary.utf8)
        guard (1...70).contains(bytes.count), bytes.allSatisfy(Self.isAllowed), bytes.last != 0x20 else {
            throw BreezeError.form("The boundary is not 1 to 70 of the characters that it may have.")
        }
        mark = Array("\r\n--".utf8) + bytes
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "'()+_,-./:=? ".utf8.contains(byte)
        }
    }

    /// The body may begin with the boundary, without the line break before it.
    func first(in body: [UInt8]) -> Line? {
        let bare = mark.dropFirst(2)
        if body.starts(with: bare), let line = line(in: body, from: 0, behind: bare.count) { return line }
        return next(in: body, from: 0)
    }

    func next(in body: [UInt8], from start: Int) -> Line? {
        var rest = body[start...]
        while let place = rest.index(of: mark) {
            if let line = line(in: body, from: place, behind: place + mark.count) { return line }
            rest = body[(place + mark.count)...]
        }
        return nil
    }

    /// `nil` where more than blanks follow the boundary: such a line is content.
    private func line(in body: [UInt8], from start: Int, behind mark: Int) -> Line? {
        let isLast = body[mark...].starts(with: [0x2D, 0x2D])
        let end = body[(isLast ? mark + 2 : mark)...].firstIndex { $0 != 0x20 && $0 != 0x09 } ?? body.count
        if body[end...].starts(with: [0x0D, 0x0A]) {
            return Line(start: start, end: end + 2, isLast: isLast)
        }
        return isLast && end == body.count ? Line(start: start, end: end, isLast: true) : nil
    }
}

extension ArraySlice<UInt8> {
    /// Where `bytes` begin first. In proportion to the length of both where their first one stands nowhere
    /// else in them, or they are few.
    func index(of bytes: [UInt8]) -> Int? {
        withUnsafeBytes { here in
            bytes.withUnsafeBytes { wanted in
                guard let base = here.baseAddress, let first = wanted.baseAddress else { return nil }
                var place = 0
                while here.count - place >= wanted.count {
                    let rest = here.count - place - wanted.count + 1
                    guard let found = memchr(base + place, Int32(wanted[0]), rest) else { return nil }
                    place = UnsafeRawPointer(found) - base
                    if memcmp(found, first, wanted.count) == 0 { return startIndex + place }
                    place += 1
                }
                return nil
            }
        }
    }
}
