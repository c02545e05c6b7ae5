import BreezeTestSupport
import Testing

@testable import BreezeLocalHTTP

/// RFC 9112, from bytes that are cut anywhere.
@Suite struct ResponseReaderTests {
    struct Whole: Sendable, CustomTestStringConvertible {
        let name: String
        let text: String
        let status: Int
        let body: String
        var endsByClosing = false

        var testDescription: String { name }
    }

    static let whole = [
        Whole(
            name: "a length",
            text: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
            status: 200,
            body: "hello"
        ),
        Whole(
            name: "no body",
            text: "HTTP/1.1 404 Not Found\r\ncontent-length:0\r\n\r\n",
            status: 404,
            body: ""
        ),
        Whole(name: "no reason", text: "HTTP/1.1 200\r\nContent-Length: 1\r\n\r\n!", status: 200, body: "!"),
        Whole(name: "nothing follows 204", text: "HTTP/1.1 204 No Content\r\n\r\n", status: 204, body: ""),
        Whole(
            name: "chunks",
            text:
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nWiki\r\nA;x=\"y\"\r\n0123456789\r\n"
                + "0\r\nTrailer: yes\r\n\r\n",
            status: 200,
            body: "Wiki0123456789"
        ),
        Whole(
            name: "chunks of leading zeros, without content",
            text: "HTTP/1.1 200 OK\r\nTransfer-Encoding: CHUNKED\r\n\r\n000\r\n\r\n",
            status: 200,
            body: ""
        ),
        Whole(
            name: "up to the close",
            text: "HTTP/1.0 200 OK\r\nServer: old\r\n\r\none\r\n\r\ntwo",
            status: 200,
            body: "one\r\n\r\ntwo",
            endsByClosing: true
        ),
        Whole(
            name: "interim answers first",
            text: "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n"
                + "HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\nok",
            status: 201,
            body: "ok"
        ),
        Whole(
            name: "more behind the end",
            text: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\n",
            status: 200,
            body: "ok"
        ),
    ]

    private func read(
        _ pieces: [ArraySlice<UInt8>],
        closing: Bool
    ) throws -> (heads: [ResponseHead], body: [UInt8], isDone: Bool) {
        var reader = ResponseReader(LocalLimits())
        var (heads, body): ([ResponseHead], [UInt8]) = ([], [])
        for piece in pieces {
            for event in try reader.read(Array(piece)) {
                switch event {
                case .head(let head): heads.append(head)
                case .body(let bytes): body += bytes
                }
            }
        }
        if closing { try reader.close() }
        return (heads, body, reader.isDone)
    }

    @Test(arguments: whole)
    func `an answer reads the same wherever it is cut`(_ answer: Whole) throws {
        let bytes = Array(answer.text.utf8)
        let cuts =
            (0...bytes.count).map { [bytes[..<$0], bytes[$0...]] } + [bytes.indices.map { bytes[$0...$0] }]
        for pieces in cuts {
            let (heads, body, isDone) = try read(pieces, closing: answer.endsByClosing)
            #expect(heads.map(\.status) == [answer.status])
            #expect(String(decoding: body, as: UTF8.self) == answer.body)
            #expect(isDone)
        }
    }

    @Test(arguments: whole.filter { !$0.endsByClosing && $0.name != "more behind the end" })
    func `an answer that ends anywhere before its end was cut`(_ answer: Whole) {
        let bytes = Array(answer.text.utf8)
        for end in 0..<bytes.count {
            #expect(throws: LocalHTTPFailure.cut) { try read([bytes[..<end]], closing: true) }
        }
    }

    @Test func `header fields lose the blanks around them, and the case of their names`() throws {
        let text = "HTTP/1.1 200 OK\r\nRetry-After: \t 7 \r\nX-A: b c\r\nContent-Length: 0\r\n\r\n"
        let head = try #require(try read([Array(text.utf8)[...]], closing: false).heads.first)
        #expect(head["retry-after"] == "7")
        #expect(head["x-a"] == "b c")
        #expect(head["none"] == nil)
    }

    @Test(arguments: [
        "SSH-2.0-OpenSSH_9.2\r\n", "HTTP/2 200 OK\r\n", "HTTP/1.1 2000 OK\r\n", "HTTP/1.1 20x OK\r\n",
        "HTTP/1.1 099 No\r\n", "HTTP/1.1 200 OK\n", "HTTP/1.1 101 Switching\r\n\r\n",
        "HTTP/1.1 200 OK\r\nno colon\r\n", "HTTP/1.1 200 OK\r\nname : blank\r\n",
        "HTTP/1.1 200 OK\r\n folded\r\n", "HTTP/1.1 200 OK\r\n: empty\r\n",
        "HTTP/1.1 200 OK\r\na: b\u{1}\r\n",
        "HTTP/1.1 200 OK\r\na: b\rc\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: +5\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 5, 5\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length:\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n",
    ])
    func `what two readers could take for two things is refused`(_ text: String) {
        expectMalformed(text)
    }

    @Test(arguments: [
        "g\r\n", "\r\n", "-1\r\n", "+1\r\n", "0x1\r\n", " 1\r\n", "1 2\r\n", "1\n", "ffffffffffffffff\r\n",
        "7fffffffffffffff\r\n", "2\r\nabc\r\n", "2\r\nab\n", "0\r\nno trailer\r\n", ";x\r\n",
    ])
    func `a chunk without a readable size is refused`(_ chunk: String) {
        expectMalformed("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk)
    }

    private func expectMalformed(_ text: String) {
        let bytes = Array(text.utf8)
        for pieces in [[bytes[...]], bytes.indices.map { bytes[$0...$0] }] {
            #expect {
                _ = try read(pieces, closing: false)
            } throws: { error in
                if case .malformed = error as? LocalHTTPFailure { true } else { false }
            }
        }
    }

    @Test func `a header is read up to its limits, and no further`() throws {
        var limits = LocalLimits()
        // The status line has 15 bytes and its CR, the field's line 9 and its CR, the empty one its CR.
        limits.headBytes = 27
        let text = Array("HTTP/1.1 200 OK\r\nabcd: efg\r\n\r\n".utf8)
        var reader = ResponseReader(limits)
        #expect(try reader.read(text).count == 1)
        limits.headBytes = 26
        reader = ResponseReader(limits)
        #expect(throws: LocalHTTPFailure.malformed("its header is too long")) { try reader.read(text) }
        reader = ResponseReader(limits)
        #expect(throws: LocalHTTPFailure.malformed("its header is too long")) {
            for _ in 0..<30 { _ = try reader.read([UInt8(ascii: "x")]) }
        }
        limits = LocalLimits()
        limits.fields = 2
        reader = ResponseReader(limits)
        #expect(throws: LocalHTTPFailure.malformed("its header has too many fields")) {
            try reader.read(Array("HTTP/1.1 200 OK\r\na: 1\r\nb: 2\r\nc: 3\r\n".utf8))
        }
    }

    @Test func `trailers and interim answers without end are refused`() {
        let trailer = Array("a: b\r\n".utf8)
        let interim = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)
        let chunked = Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n".utf8)
        for (start, more) in [(chunked, trailer), ([], interim)] {
            var reader = ResponseReader(LocalLimits())
            #expect(throws: LocalHTTPFailure.malformed("its header is too long")) {
                _ = try reader.read(start)
                for _ in 0..<100_000 { _ = try reader.read(more) }
            }
        }
    }

    @Test func `damaged answers end in one of two failures, and never in more bytes than came`() {
        var random = SeededGenerator(seed: 8)
        for _ in 0..<Soak.count(100_000) {
            guard let answer = Self.whole.randomElement(using: &random) else { continue }
            var bytes = Array(answer.text.utf8)
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0...2, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.insert("\r\n 0;:".utf8.randomElement(using: &random) ?? 0, at: place)
                default: bytes.remove(at: place)
                }
            }
            let cut = Int.random(in: 0...bytes.count, using: &random)
            do {
                #expect(try read([bytes[..<cut], bytes[cut...]], closing: true).body.count <= bytes.count)
            } catch LocalHTTPFailure.cut {} catch LocalHTTPFailure.malformed {} catch {
                Issue.record("\(error) of \(String(decoding: bytes, as: UTF8.self))")
            }
        }
    }
}
