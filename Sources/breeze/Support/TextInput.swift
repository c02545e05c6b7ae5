import ArgumentParser
import BreezeCore
import Foundation

/// Several texts: the arguments, else a file's or standard input's lines.
enum TextInput {
    static func texts(_ arguments: [String], file: String? = nil) throws -> [String] {
        if let file { return try lines(of: TextFile.contents(of: file), from: file, subject: file) }
        if !arguments.isEmpty { return arguments }
        if Console.isInputTerminal { throw ValidationError("Give texts, or one a line on standard input.") }
        let data = try StandardInput.read(limit: TextFile.maximumInput)
        return try lines(of: data, from: "standard input", subject: "Standard input")
    }

    /// `source` stands within a sentence, `subject` begins one. An empty line would shift every answer after it, so it is
    /// refused and not passed over.
    private static func lines(of data: Data, from source: String, subject: String) throws -> [String] {
        let lines = TextLines.split(try TextFile.text(data, from: subject))
        guard !lines.isEmpty else {
            throw BreezeError(
                .invalidRequest,
                "\(subject) holds no text.",
                remedy: "Give one a line."
            )
        }
        if let empty = lines.firstIndex(where: \.isBlank) {
            throw BreezeError(
                .invalidRequest,
                "Line \(empty + 1) of \(source) is empty.",
                remedy: "Leave empty lines out."
            )
        }
        return lines
    }
}

enum TextLines {
    /// Without their line breaks; the last one may lack its own.
    static func split(_ text: String) -> [String] {
        var lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }.map(
            String.init
        )
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }
}

extension String {
    var isBlank: Bool { allSatisfy(\.isWhitespace) }
}
