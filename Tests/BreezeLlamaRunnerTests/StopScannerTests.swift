import Testing

@testable import BreezeLlamaRunner

@Suite struct StopScannerTests {
    /// The answer that goes out where `text` comes in these pieces.
    private func answer(_ pieces: [String], stops: [String]) -> String {
        var scanner = StopScanner(stops)
        var answer = ""
        for piece in pieces {
            let (text, isStopped) = scanner.append(piece)
            answer += text
            if isStopped { return answer }
        }
        return answer + scanner.finish()
    }

    @Test(arguments: [
        ("one END two", ["END"], "one "), ("one EN two", ["END"], "one EN two"),
        ("aab", ["ab"], "a"), ("aaab", ["aab"], "a"), ("a\r\nb", ["\n"], "a\r"),
        ("ab€cd", ["€c"], "ab"), ("x END STOP", ["STOP", "END"], "x "), ("", ["a"], ""),
        ("abc", [""], "abc"), ("abc", [], "abc"), ("never en", ["END"], "never en"),
    ])
    func `the answer ends before the first stop, wherever it is cut`(
        text: String,
        stops: [String],
        expected: String
    ) {
        let scalars = text.unicodeScalars.map { String($0) }
        #expect(answer(scalars, stops: stops) == expected)
        for cut in 0...scalars.count {
            let pieces = [scalars[..<cut].joined(), scalars[cut...].joined()]
            #expect(answer(pieces, stops: stops) == expected, "cut at \(cut)")
        }
    }

    @Test func `a stop that never ends holds no more back than itself`() {
        var scanner = StopScanner([String(repeating: "a", count: 100)])
        var out = 0
        for _ in 0..<99 { out += scanner.append("a").text.count }
        #expect(out == 0)
        #expect(scanner.append("b").text.count == 100)
    }
}

@Suite struct TextAssemblerTests {
    @Test(arguments: ["añ€😀z", "", "plain", "\u{10FFFF}"])
    func `no character is cut, whatever bytes a token holds`(text: String) {
        let bytes = Array(text.utf8)
        for size in 1...max(1, bytes.count) {
            var assembler = TextAssembler()
            var whole = ""
            for start in stride(from: 0, to: bytes.count, by: size) {
                let piece = assembler.append(Array(bytes[start..<min(start + size, bytes.count)]))
                #expect(!piece.contains("\u{FFFD}"))
                whole += piece
            }
            #expect(whole + assembler.finish() == text)
        }
    }

    @Test(
        arguments: [([0xff], "\u{FFFD}"), ([0x41, 0xc3], "A\u{FFFD}"), ([0xc3, 0x41], "\u{FFFD}A")]
            as [([UInt8], String)]
    )
    func `bytes that are no text become a sign for it`(bytes: [UInt8], expected: String) {
        var assembler = TextAssembler()
        var text = bytes.reduce(into: "") { $0 += assembler.append([$1]) }
        text += assembler.finish()
        #expect(text == expected)
    }
}
