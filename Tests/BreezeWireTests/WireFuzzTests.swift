import BreezeCore
import BreezeTestSupport
import BreezeWire
import Testing

/// Good bodies, damaged: a parser returns a value or throws a ``BreezeError``, and nothing else.
@Suite struct WireFuzzTests {
    @Test(arguments: WireRoute.allCases)
    func `a good body is taken`(route: WireRoute) throws {
        try route.parse(bytes(route.body))
    }

    @Test(arguments: WireRoute.allCases)
    func `a damaged body is taken or refused`(route: WireRoute) throws {
        var random = SeededGenerator(seed: 7)
        let good = bytes(route.body)
        var refused = 0
        let count = Soak.count(10_000)
        for _ in 0..<count {
            let body = Self.damaged(good, &random)
            do {
                try route.parse(body)
            } catch let error as BreezeError {
                refused += 1
                try #require(WireFailure.status(of: error) == 400)
                for dialect in WireDialect.allCases { _ = try json(WireFailure(error, dialect).body) }
            }
        }
        #expect(refused > count / 4, "the damage reaches the parser")
    }

    /// Values that another kind of value stands for, and plain damage of bytes.
    private static let words = [
        "null", "true", "-1", "1e308", "9223372036854775807", "0.5", "\"\"", "\"\\ud83d\\ude00\"", "[]", "{}",
        "[[]]",
        "{\"\":0}", "[1,\"a\"]", "\"data:;base64,\"", "-9223372036854775808",
    ].map { Array($0.utf8) }

    private static func damaged(_ good: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        var body = good
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            let place = Int.random(in: 0..<body.count, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0: body[place] = UInt8.random(in: 0...255, using: &random)
            case 1: body.remove(at: place)
            case 2: body.insert(contentsOf: words.randomElement(using: &random) ?? [], at: place)
            default: replaceValue(in: &body, from: place, &random)
            }
            if body.isEmpty { return [0x7B] }
        }
        return body
    }

    /// Puts another value in place of the one behind the next colon.
    private static func replaceValue(in body: inout [UInt8], from place: Int, _ random: inout SeededGenerator)
    {
        guard let colon = body[place...].firstIndex(of: UInt8(ascii: ":")) else { return }
        let start = colon + 1
        guard start < body.count else { return }
        var end = start
        if body[start] == UInt8(ascii: "\"") {
            end = body[(start + 1)...].firstIndex(of: UInt8(ascii: "\"")).map { $0 + 1 } ?? body.count
        } else {
            while end < body.count, !"{},[]".utf8.contains(body[end]) { end += 1 }
        }
        body.replaceSubrange(start..<end, with: words.randomElement(using: &random) ?? [])
    }
}
