import BreezeCore
import Testing

/// JSON that strangers wrote.
@Suite struct StrictJSONTests {
    @Test func `values of every kind are read`() throws {
        let text = #" {"a": [1, -2.5e1, true, false, null], "b": "\u00e9\n\ud83d\ude00/", "": {}} "#
        let expected = JSONValue.object([
            "a": .array([.integer(1), .number(-25), .bool(true), .bool(false), .null]), "b": .string("é\n😀/"),
            "": .object([:]),
        ])
        #expect(try JSONValue(parsing: Array(text.utf8)) == expected)
    }

    @Test func `whole numbers stay exact`() throws {
        #expect(try JSONValue(parsing: Array("9007199254740993".utf8)) == .integer(9_007_199_254_740_993))
        #expect(try JSONValue(parsing: Array("99999999999999999999".utf8)).intValue == nil)
    }

    @Test(arguments: [
        "", "{", "[1,]", "{\"a\" 1}", "{\"a\":1,}", "01", "-", "1.", "1e", "+1", "tru", "nul", "\"",
        "\"\\x\"",
        "\"\\u12\"", "\"\\ud800\"", "\"\\ud800\\u0041\"", "\"\u{1}\"", "1 2", "{\"a\":1,\"a\":2}", "1e999",
        "NaN",
        "'a'",
    ])
    func `text that is not JSON is refused`(text: String) {
        #expect(throws: StrictJSON.Fault.self) { try JSONValue(parsing: Array(text.utf8)) }
    }

    @Test func `a string that is not UTF-8 is refused`() {
        #expect(throws: StrictJSON.Fault.self) { try JSONValue(parsing: [0x22, 0xFF, 0x22]) }
    }
}
