import BreezeCore
import BreezeTestSupport
import BreezeWire
import Foundation
import Testing

/// Forms written by hand after RFC 2046, RFC 7578 and the WHATWG's HTML, good and bad.
@Suite struct MultipartTests {
    static let type = "multipart/form-data; boundary=b"

    /// The parts of a body as one text each: `name|filename|type|content`.
    private static func read(_ body: String, _ type: String = type) throws -> [String] {
        try MultipartForm(contentType: type, body: bytes(body)).parts.map { part in
            [
                part.name, part.filename ?? "-", part.contentType ?? "-",
                String(decoding: part.bytes, as: UTF8.self),
            ]
            .joined(separator: "|")
        }
    }

    /// A body of one part with these header lines.
    private static func one(_ lines: String..., content: String = "x") -> String {
        "--b\r\n" + lines.joined(separator: "\r\n") + "\r\n\r\n\(content)\r\n--b--\r\n"
    }

    @Test(arguments: [
        // RFC 7578, 4.2 and 4.4
        (
            "--AaB03x\r\ncontent-disposition: form-data; name=\"field1\"\r\n\r\nJoe\r\n--AaB03x\r\n"
                + "content-disposition: form-data; name=\"pics\"; filename=\"file1.txt\"\r\n"
                + "Content-Type: text/plain\r\n\r\n... contents ...\r\n--AaB03x--\r\n",
            "multipart/form-data; boundary=AaB03x",
            ["field1|-|-|Joe", "pics|file1.txt|text/plain|... contents ..."]
        ),
        // RFC 2046, 5.1.1: preamble, epilogue, blanks behind the boundary, an end without a line break
        (
            "before\r\n--b \t\r\nContent-Disposition: form-data; name=a\r\n\r\n1\r\n--b-- \r\nafter\r\n--b\r\n",
            type, ["a|-|-|1"]
        ),
        ("--b\r\nContent-Disposition: form-data; name=a\r\n\r\n1\r\n--b--", type, ["a|-|-|1"]),
        // Line breaks of the content are the content's
        (
            "--b\r\nContent-Disposition: form-data; name=a\r\n\r\n\r\n1\r\n\r\n--b--", type,
            ["a|-|-|\r\n1\r\n"]
        ),
        // Nearly boundaries
        (
            "--b\r\nContent-Disposition: form-data; name=a\r\n\r\n--b\n--b\r\r\n--bb\r\n--b-\r\n-b\r\n--b--x\r\n--b--",
            type, ["a|-|-|--b\n--b\r\r\n--bb\r\n--b-\r\n-b\r\n--b--x"]
        ),
        // No content: with a line break of its own, and without
        ("--b\r\nContent-Disposition: form-data; name=a\r\n\r\n\r\n--b--", type, ["a|-|-|"]),
        ("--b\r\nContent-Disposition: form-data; name=a\r\n\r\n--b--", type, ["a|-|-|"]),
        // A name that repeats, in order
        (
            "--b\r\nContent-Disposition: form-data; name=a\r\n\r\n1\r\n--b\r\n"
                + "Content-Disposition: form-data; name=a\r\n\r\n2\r\n--b--",
            type, ["a|-|-|1", "a|-|-|2"]
        ),
        // A form without fields, as a browser sends it
        ("--b--\r\n", type, []),
        // The boundary quoted, with every character that it may have; the type in capitals
        (
            "--'()+_,-./:=? z\r\nContent-Disposition: form-data; name=a\r\n\r\n1\r\n--'()+_,-./:=? z--",
            "Multipart/Form-Data; charset=utf-8; BOUNDARY=\"'()+_,-./:=? z\";", ["a|-|-|1"]
        ),
        (
            "--\(String(repeating: "7", count: 70))--",
            "multipart/form-data;boundary=\(String(repeating: "7", count: 70))", []
        ),
        ("--a/b:c--", "multipart/form-data; boundary=a/b:c", []),
    ])
    func `a form is read`(body: String, type: String, parts: [String]) throws {
        #expect(try Self.read(body, type) == parts)
    }

    @Test(arguments: [
        (#"form-data; name="a b"; filename="ü.wav""#, "a b|ü.wav"),
        // WHATWG: only these three are escapes
        (#"form-data; name="a%22%0D%0A%41"; filename="100%.wav""#, "a\"\r\n%41|100%.wav"),
        // curl's and httpx's backslashes, and a path as old browsers sent it
        (#"form-data; name="a"; filename="say \"hi\\ho\".wav""#, #"a|say "hi\ho".wav"#),
        (#"form-data; name="a"; filename="C:\music\a.wav""#, #"a|C:\music\a.wav"#),
        (#"form-data; name="a;b=c"; filename="""#, "a;b=c|"),
        // RFC 8187's own example of a text with an accent; it outranks the plain name
        (
            #"form-data; name=a; filename="x"; filename*=UTF-8''%c2%a3%20and%20%e2%82%ac%20rates"#,
            "a|£ and € rates"
        ),
        (#"form-data; name=a; filename*=utf-8'de'%C3%BC.wav"#, "a|ü.wav"),
        (#"  Form-Data ;NAME = "a" ; ;filename= b ;"#, "a|b"),
        ("form-data;\r\n\tname=a;\r\n filename=b", "a|b"),
    ])
    func `names are read`(disposition: String, expected: String) throws {
        let parts = try Self.read(Self.one("Content-Disposition: " + disposition))
        #expect(parts == [expected + (expected.contains("|") ? "" : "|-") + "|-|x"])
    }

    @Test(arguments: [
        ("--b--", "", "The Content-Type cannot be read."),
        ("--b--", "application/json", "application/json"),
        ("--b--", "multipart/mixed; boundary=b", "multipart/mixed"),
        ("--b--", "multipart/form-data", "no boundary"),
        ("--b--", "multipart/form-data; boundary=", "1 to 70"),
        ("--b--", "multipart/form-data; boundary=\"b", "cannot be read"),
        ("--b--", "multipart/form-data; boundary=b; boundary=c", "cannot be read"),
        ("--b--", "multipart/form-data; boundary=\"b \"", "1 to 70"),
        ("--b--", "multipart/form-data; boundary=ü", "1 to 70"),
        ("--b--", "multipart/form-data; boundary=b@", "1 to 70"),
        ("--b--", "multipart/form-data; boundary=\(String(repeating: "7", count: 71))", "1 to 70"),
        ("", type, "no line of its boundary"), ("x--b--", type, "no line of its boundary"),
        ("--b\nContent-Disposition: form-data; name=a\n\n1\n--b--\n", type, "no line of its boundary"),
        ("--b\r\nContent-Disposition: form-data; name=a\r\n\r\n1", type, "no end"),
        ("--b\r\nContent-Disposition: form-data; name=a\r\n\r\n1\r\n--b", type, "no end"),
        ("--b\r\nContent-Disposition: form-data; name=a\r\n\r\n1\r\n--b-", type, "no end"),
        (
            "--b\r\nContent-Disposition: form-data; name=a\r\n--b--", type,
            "Part 1 of the form has a header without an end"
        ),
        ("--b\r\n--b--", type, "Part 1 of the form has a header without an end"),
        ("--b\r\n\r\n1\r\n--b--", type, "no Content-Disposition"),
        (one("Content-Type: text/plain"), type, "no Content-Disposition"),
        (one("Content-Disposition: attachment; name=a"), type, "no form-data"),
        (one("Content-Disposition: form-data"), type, "no name"),
        (one("Content-Disposition: form-data; name=\"a"), type, "cannot be read"),
        (one("Content-Disposition: form-data; name=\"a\"b"), type, "cannot be read"),
        (one("Content-Disposition: form-data; name=a; name=b"), type, "cannot be read"),
        (one("Content-Disposition: form-data; name"), type, "cannot be read"),
        (one("Content-Disposition: form-data; =a"), type, "cannot be read"),
        (
            one("Content-Disposition: form-data; name=a", "Content-Disposition: form-data; name=b"), type,
            "two headers"
        ),
        (one("Content-Disposition: form-data; name=a", "no name"), type, "without a name"),
        (one("Content-Disposition: form-data; name=a", ": x"), type, "without a name"),
        (one("Content-Disposition : form-data; name=a"), type, "without a name"),
        (one("Content-Disposition: form-data; name=a\nX: y"), type, "control character"),
        (one("Content-Disposition: form-data; name=a\rX: y"), type, "control character"),
        (one("Content-Disposition: form-data; name=\"a\0\""), type, "control character"),
        (one("Content-Disposition: form-data; name=a; filename*=iso-8859-1''x"), type, "filename*"),
        (one("Content-Disposition: form-data; name=a; filename*=UTF-8''%ff"), type, "filename*"),
        (one("Content-Disposition: form-data; name=a; filename*=UTF-8''%2"), type, "filename*"),
        (one("Content-Disposition: form-data; name=a; filename*=x"), type, "filename*"),
        (one("Content-Disposition: form-data; name=a", "Content-Transfer-Encoding: base64"), type, "base64"),
        (
            one("Content-Disposition: form-data; name=a", "X: " + String(repeating: "y", count: 16 << 10)),
            type, "16384"
        ),
        (
            String(repeating: "--b\r\nContent-Disposition: form-data; name=a\r\n\r\n1\r\n", count: 65)
                + "--b--", type, "64 parts"
        ),
    ])
    func `what is no form is refused by its fault`(body: String, type: String, fault: String) {
        let error = failure { _ = try MultipartForm(contentType: type, body: bytes(body)) }
        #expect(error?.code == .invalidRequest)
        #expect(error?.message.contains(fault) == true, "\(error?.message ?? "")")
        #expect(error?.remedy != nil)
    }

    @Test(arguments: ["7bit", "8BIT", " binary "])
    func `what is not encoded may say so`(encoding: String) throws {
        let body = Self.one("Content-Disposition: form-data; name=a", "Content-Transfer-Encoding:" + encoding)
        #expect(try Self.read(body) == ["a|-|-|x"])
    }

    @Test func `as many parts and as long a header as may be`() throws {
        let start = "Content-Disposition: form-data; name=a\r\nX: "
        // The header, its last line break and the empty line.
        let header = start + String(repeating: "y", count: (16 << 10) - start.utf8.count - 4)
        let part = "--b\r\n\(header)\r\n\r\n1\r\n"
        #expect(try Self.read(String(repeating: part, count: 64) + "--b--").count == 64)
    }

    @Test func `a transcription is read from a form`() throws {
        let body =
            ["model": "whisper", "timestamp_granularities[]": "segment", "file": "RIFF", "colour": "red"]
            .map { "--b\r\nContent-Disposition: form-data; name=\"\($0)\"\r\n\r\n\($1)\r\n" }.joined()
            + "--b--"
        let call = try TranscriptionCall(MultipartForm(contentType: Self.type, body: bytes(body)))
        #expect(call.model == "whisper")
        #expect(call.request.audioData == Data("RIFF".utf8))
        #expect(call.remarks.ignored == ["colour"])
    }

    @Test func `a field that is no text, and two files, are refused by name`() throws {
        let file = "--b\r\nContent-Disposition: form-data; name=file\r\n\r\n1\r\n"
        let two = try MultipartForm(contentType: Self.type, body: bytes(file + file + "--b--"))
        let twice = failure { _ = try TranscriptionCall(two) }
        #expect(twice?.code == .invalidRequest && twice?.wireField == "file")
        let start = bytes("--b\r\nContent-Disposition: form-data; name=model\r\n\r\n")
        let form = try MultipartForm(contentType: Self.type, body: start + [0xFF] + bytes("\r\n--b--"))
        let binary = failure { _ = try TranscriptionCall(form) }
        #expect(binary?.code == .invalidRequest && binary?.wireField == "model")
    }
}

/// Bodies by chance and by malice.
@Suite struct MultipartFuzzTests {
    private static let good = bytes(
        "--b\r\nContent-Disposition: form-data; name=\"model\"\r\n\r\nwhisper\r\n--b\r\n"
            + "Content-Disposition: form-data; name=\"file\"; filename*=UTF-8''%C3%BC.wav\r\n"
            + "Content-Type: audio/wav\r\nContent-Transfer-Encoding: binary\r\n\r\nRIFF\r\n--b--\r\n"
    )
    private static let pieces = [
        "\r\n", "\r", "\n", "--b", "--b--", "\r\n--b\r\n", "\r\n\r\n", "\"", "\\", "%", ";", "=", ":", "'",
        " ", "\0",
    ].map(bytes)

    @Test func `a damaged form is taken or refused`() throws {
        var random = SeededGenerator(seed: 11)
        var refused = 0
        let count = Soak.count(200_000)
        for _ in 0..<count {
            var body = Self.good
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<body.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: body[place] = UInt8.random(in: 0...255, using: &random)
                case 1: body.removeSubrange(place..<min(place + 4, body.count))
                case 2: body.insert(contentsOf: Self.pieces.randomElement(using: &random) ?? [], at: place)
                default: body.removeLast(min(body.count - 1, Int.random(in: 0..<8, using: &random)))
                }
            }
            do {
                let form = try MultipartForm(contentType: MultipartTests.type, body: body)
                // The parts lie in the body one behind the other.
                var end = 0
                for part in form.parts {
                    try #require(part.bytes.startIndex >= end && part.bytes.endIndex <= body.count)
                    end = part.bytes.endIndex
                }
                _ = try TranscriptionCall(form)
            } catch let error as BreezeError {
                refused += 1
                try #require(WireFailure.status(of: error) == 400)
            }
        }
        #expect(
            refused > count / 4 && refused < count,
            "the damage reaches the parser, and is not all that it meets"
        )
    }

    /// A search that began again at every one of them would take hours.
    @Test(
        .timeLimit(.minutes(2)),
        arguments: [
            "\r\n--aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "\r\n-", "\r",
            "\r\n",
            "\r\n--aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab x", " ", "a", "--",
        ]
    )
    func `nearly boundaries take no longer than their bytes`(piece: String) throws {
        let boundary = String(repeating: "a", count: 69) + "b"
        let count = Soak.count(64 << 20) / piece.utf8.count
        let start = bytes("--\(boundary)\r\nContent-Disposition: form-data; name=file\r\n\r\n")
        let content = Array(repeatElement(bytes(piece), count: count).joined())
        let body = start + content + bytes("\r\n--\(boundary)--")
        let type = "multipart/form-data; boundary=\(boundary)"
        let form = try MultipartForm(contentType: type, body: body)
        #expect(form.parts.map(\.bytes.count) == [content.count])
        // Without an end, and as what stands before the form.
        #expect(throws: BreezeError.self) { try MultipartForm(contentType: type, body: start + content) }
        #expect(throws: BreezeError.self) { try MultipartForm(contentType: type, body: content) }
    }
}

/// Bodies that PyPI's httpx and openai write.
@Suite(.enabled(if: WireClients.areThere, "the clients are missing: run make setup"))
struct MultipartClientTests {
    private struct Form: Encodable {
        var client: String
        var fields: [[String]]
        /// Name, file name, type, content in base64.
        var files: [[String]]
    }

    private struct Body: Decodable {
        var contentType: String
        var body: Data
    }

    @Test func `the clients' forms are read`() async throws {
        let sound = Data((0..<2_000).map { UInt8(truncatingIfNeeded: $0) })
        let forms = [
            Form(
                client: "httpx",
                fields: [["a", "1"], ["a", "ü\r\n2"], ["quo\"te", ""]],
                files: [
                    ["f", "na\"me \\ ü%.wav", "audio/wav", sound.base64EncodedString()],
                    [
                        "f", "b.bin", "application/octet-stream",
                        Data("\r\n--\r\n".utf8).base64EncodedString(),
                    ],
                ]
            ),
            Form(
                client: "openai",
                fields: [
                    ["model", "whisper-1"], ["response_format", "verbose_json"], ["temperature", "0.5"],
                    ["timestamp_granularities[]", "segment"], ["timestamp_granularities[]", "word"],
                ],
                files: [["file", "speech.wav", "audio/wav", sound.base64EncodedString()]]
            ),
        ]
        let bodies: [Body] = try await Oracle.run("multipart_bodies.py", URL(filePath: "/"), input: forms)
        try #require(bodies.count == forms.count)
        var read: [MultipartForm] = []
        for (form, body) in zip(forms, bodies) {
            let answer = try MultipartForm(contentType: body.contentType, body: Array(body.body))
            read.append(answer)
            let texts = answer.parts.filter { $0.filename == nil }
            let values = texts.map { [$0.name, String(decoding: $0.bytes, as: UTF8.self)] }
            #expect(values.sorted { $0[0] < $1[0] } == form.fields.sorted { $0[0] < $1[0] })
            let files = answer.parts.filter { $0.filename != nil }.map { part in
                [part.name, part.filename, part.contentType, Data(part.bytes).base64EncodedString()]
            }
            #expect(files == form.files)
        }
        let call = try TranscriptionCall(read[1])
        #expect(call.model == "whisper-1" && call.format == .verboseJSON)
        #expect(call.request.audioData == sound && call.request.configuration.temperature == 0.5)
        #expect(call.remarks.notices.count == 1 && call.remarks.ignored.isEmpty)
    }
}
