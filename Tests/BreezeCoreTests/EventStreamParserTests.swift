import BreezeCore
import Testing

/// The HTML standard, section 9.2.6.
@Suite struct EventStreamParserTests {
    @Test func `one event may have several data lines`() throws {
        var parser = EventStreamParser()
        let events = try parser.append(Array("event: a\ndata: {\ndata:  \"x\": 1}\n\n".utf8))
        #expect(events == [ServerEvent(name: "a", data: Array("{\n \"x\": 1}".utf8))])
    }

    @Test func `lines end in three ways, and events are the same wherever the bytes are cut`() throws {
        let text =
            "\u{FEFF}: hello\r\n\r\ndata: é\r\ndata\rdata:b\n\rid: 1\nevent: e\ndata:  c \r\n\r\ndata: lost"
        let expected = [
            ServerEvent(name: nil, data: Array("é\n\nb".utf8)),
            ServerEvent(name: "e", data: Array(" c ".utf8)),
        ]
        let bytes = Array(text.utf8)
        for cut in 0...bytes.count {
            var parser = EventStreamParser()
            let events = try parser.append(Array(bytes[..<cut])) + parser.append(Array(bytes[cut...]))
            #expect(events == expected)
            #expect(parser.finish() == ServerEvent(name: nil, data: Array("lost".utf8)))
        }
    }

    @Test func `a line or an event without end is refused at the limit`() throws {
        for line in ["xxxxxxxxxx", "data: 12345\n"] {
            var parser = EventStreamParser(limit: 16)
            let error = #expect(throws: EventStreamParser.TooLong.self) {
                for _ in 0..<4 { _ = try parser.append(Array(line.utf8)) }
            }
            #expect(error?.limit == 16)
        }
    }
}
