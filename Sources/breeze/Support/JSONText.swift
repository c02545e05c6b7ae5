import Foundation

/// JSON as the commands print it: keys sorted, so that the same answer is the same text.
enum JSONText {
    /// On one line, whatever the output is.
    static func line(_ value: some Encodable) throws -> String {
        try encode(value, [.sortedKeys, .withoutEscapingSlashes])
    }

    /// Prints it indented on a terminal and on one line elsewhere.
    static func print(_ value: some Encodable) throws {
        var formatting: JSONEncoder.OutputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if Console.isOutputTerminal { formatting.insert(.prettyPrinted) }
        try Console.print(try encode(value, formatting))
    }

    private static func encode(
        _ value: some Encodable,
        _ formatting: JSONEncoder.OutputFormatting
    ) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = formatting
        encoder.dateEncodingStrategy = .iso8601
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}
