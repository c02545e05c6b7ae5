import BreezeCore
import BreezeTestSupport
import Foundation
import Testing

@testable import BreezeWire

/// What is written, read back by Foundation.
@Suite struct JSONWriterTests {
    @Test(arguments: [
        "", "plain", "\"quoted\" \\ back/slash", "line\nbreak\r\n\ttab\u{8}\u{c}", "\u{0}\u{1}\u{1f}\u{7f}",
        "é e\u{301} 日本語 😀 👩‍👩‍👧", "\u{2028}\u{2029} \u{feff}\u{fffd}", "data: x\n\n",
    ])
    func `any text reads back as it was`(text: String) throws {
        var writer = JSONWriter()
        writer.value([text])
        #expect(!writer.bytes.contains { $0 < 0x20 })
        let read = try JSONSerialization.jsonObject(with: Data(writer.bytes)) as? [String]
        #expect(read.map { $0.map { Array($0.utf8) } } == [Array(text.utf8)])
    }

    /// Ollama's client in Python parts its lines there, too.
    @Test func `no text has a line end that is seen`() {
        var writer = JSONWriter()
        writer.value("a\u{85}b\u{2028}c\u{2029}d\u{e9}")
        #expect(writer.bytes == Array(#""a\u0085b\u2028c\u2029d\#u{e9}""#.utf8))
    }

    @Test func `random texts read back as they were`() throws {
        var random = SeededGenerator(seed: 11)
        for _ in 0..<Soak.count(20_000) {
            var text = ""
            for _ in 0..<Int.random(in: 0..<12, using: &random) {
                let limits: [UInt32] = [0x30, 0x100, 0x3000, 0x110000]
                let limit = limits.randomElement(using: &random) ?? 0x30
                if let scalar = Unicode.Scalar(UInt32.random(in: 0..<limit, using: &random)) {
                    text.unicodeScalars.append(scalar)
                }
            }
            var writer = JSONWriter()
            writer.value([text])
            let read = try JSONSerialization.jsonObject(with: Data(writer.bytes)) as? [String]
            try #require(read?.first.map { Array($0.utf8) } == Array(text.utf8))
        }
    }

    @Test func `random numbers read back bit by bit`() throws {
        var random = SeededGenerator(seed: 12)
        for _ in 0..<Soak.count(20_000) {
            let double = Double(bitPattern: random.next())
            let float = Float(bitPattern: UInt32(truncatingIfNeeded: random.next()))
            var writer = JSONWriter()
            writer.array { writer in
                writer.value(double)
                writer.value(float)
            }
            let text = String(decoding: writer.bytes, as: UTF8.self)
            let parts = text.dropFirst().dropLast().split(separator: ",").map(String.init)
            try #require(parts.count == 2)
            #expect(double.isFinite ? strtod(parts[0], nil) == double : parts[0] == "null")
            #expect(float.isFinite ? strtof(parts[1], nil) == float : parts[1] == "null")
            _ = try JSONSerialization.jsonObject(with: Data(writer.bytes))
        }
    }

    @Test func `floats are as short as they can be`() {
        var writer = JSONWriter()
        writer.value([Float(0.1), 0.5, -1.0e-7, 3])
        #expect(String(decoding: writer.bytes, as: UTF8.self) == "[0.1,0.5,-1e-07,3.0]")
    }

    @Test func `commas stand between members and elements alone`() {
        let bytes = JSONWriter.object { writer in
            writer.field("a", 1)
            writer.field("b", ifPresent: nil as Int?)
            writer.array("c") { writer in
                writer.object { _ in }
                writer.object { $0.field("d", true) }
                writer.null()
            }
            writer.object("e") { _ in }
            writer.field(null: "f")
            writer.key(escaping: "\"")
            writer.value("g")
        }
        let expected = #"{"a":1,"c":[{},{"d":true},null],"e":{},"f":null,"\"":"g"}"#
        #expect(String(decoding: bytes, as: UTF8.self) == expected)
    }

    @Test func `a JSON value keeps its whole numbers apart, and its members in order`() {
        let value: JSONValue = ["b": [1, 2.5, .null, true], "a": .object(["x": "y"])]
        #expect(value.wireText == #"{"a":{"x":"y"},"b":[1,2.5,null,true]}"#)
    }

    // Seconds and dates by `date -u -d @SECONDS +%FT%TZ`.
    @Test(arguments: [
        (0, "1970-01-01T00:00:00.000000Z"), (951_782_400, "2000-02-29T00:00:00.000000Z"),
        (1_769_860_800, "2026-01-31T12:00:00.000000Z"), (4_107_542_399, "2100-02-28T23:59:59.000000Z"),
        (-1, "1969-12-31T23:59:59.000000Z"), (1_709_251_199, "2024-02-29T23:59:59.000000Z"),
    ])
    func `times are RFC 3339`(seconds: Int, text: String) {
        #expect(WireTime.rfc3339(Date(timeIntervalSince1970: Double(seconds))) == text)
    }

    @Test func `a time keeps its microseconds`() {
        #expect(WireTime.rfc3339(Date(timeIntervalSince1970: 1.5)) == "1970-01-01T00:00:01.500000Z")
    }
}
