import BreezeCore
package import Foundation

/// A form with files, as `multipart/form-data` carries it (RFC 7578).
///
/// What stands before the first boundary and behind the last one is passed over. Reading takes time in
/// proportion to the body, whatever is in it.
package struct MultipartForm: Sendable {
    package struct Part: Sendable, Equatable {
        package let name: String
        /// As the sender wrote it, folders included: never a path to write to.
        package let filename: String?
        package let contentType: String?
        /// A slice of the body, which is not copied.
        package let bytes: ArraySlice<UInt8>
    }

    package static let maximumParts = 64
    /// Bytes of the header of one part.
    package static let maximumHeader = 16 << 10

    /// In the order of the body; names may repeat.
    package let parts: [Part]

    /// Reads a body; the request's Content-Type tells the boundary. What it throws is
    /// ``BreezeError/Code/invalidRequest``, and names the fault.
    package init(contentType: String, body: [UInt8]) throws {
        let boundary = try MultipartBoundary(contentType: contentType)
        guard var line = boundary.first(in: body) else {
            throw BreezeError.form("The form holds no line of its boundary.")
        }
        var parts: [Part] = []
        while !line.isLast {
            guard parts.count < Self.maximumParts else {
                throw BreezeError.form("The form has more than \(Self.maximumParts) parts.")
            }
            // From the line break on that ends the boundary's own line: an empty part has no other.
            guard let next = boundary.next(in: body, from: line.end - 2) else {
                throw BreezeError.form("The form has no end: the last line of its boundary is missing.")
            }
            parts.append(try Self.part(in: body, from: line.end, to: next.start, number: parts.count + 1))
            line = next
        }
        self.parts = parts
    }

    private static func part(in body: [UInt8], from start: Int, to end: Int, number: Int) throws -> Part {
        // A part without content may end with the line break of its header.
        let whole = body[start..<max(start, min(end + 2, body.count))]
        let within = whole.prefix(maximumHeader)
        let blank =
            within.starts(with: [0x0D, 0x0A]) ? start - 2 : within.index(of: [0x0D, 0x0A, 0x0D, 0x0A])
        guard let blank else {
            let fault =
                whole.count > maximumHeader
                ? "has a header of more than \(maximumHeader) bytes" : "has a header without an end"
            throw BreezeError.form("Part \(number) of the form \(fault).")
        }
        let header = try MultipartHeader(body[start..<max(start, blank)], part: number)
        let content = blank + 4
        return Part(
            name: header.name,
            filename: header.filename,
            contentType: header.contentType,
            bytes: body[content..<max(content, end)]
        )
    }

    /// The values of every field but `file`, as texts; a name that repeats has all of its values, in order.
    package func fields(except file: String) throws -> [String: [String]] {
        var fields: [String: [String]] = [:]
        for part in parts where part.name != file {
            guard let text = String(validating: part.bytes, as: UTF8.self) else {
                throw BreezeError.field(
                    .root.member(String(part.name.prefix(64))),
                    "is no text",
                    takes: "UTF-8",
                    code: .invalidRequest
                )
            }
            fields[part.name, default: []].append(text)
        }
        return fields
    }

    /// The content of the one part of this name; `nil` where the form has none.
    package func file(_ name: String) throws -> Data? {
        let found = parts.filter { $0.name == name }
        guard found.count < 2 else {
            throw BreezeError.field(
                .root.member(name),
                "stands there \(found.count) times",
                takes: "one file",
                code: .invalidRequest
            )
        }
        return found.first.map { Data($0.bytes) }
    }
}

extension TranscriptionCall {
    package init(_ form: MultipartForm) throws {
        try self.init(form: form.fields(except: "file"), file: form.file("file"))
    }
}

extension BreezeError {
    static func form(_ fault: String) -> BreezeError {
        BreezeError(.invalidRequest, fault, remedy: "Send the form as multipart/form-data (RFC 7578).")
    }
}
