import BreezeCore
public import Foundation

/// A keyword on messages of a Maildir, as Dovecot keeps them: a small letter among the flags of a file's name. What it
/// stands for says the folder's file `dovecot-keywords`, with at most 26 lines.
public struct MaildirKeyword: Hashable, Sendable {
    public let name: String

    private static let list = "dovecot-keywords"

    /// - Throws: ``BreezeError``: `invalid_parameter` for what is no atom of RFC 3501, which a keyword must be.
    public init(_ name: String) throws {
        let isAtom = name.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"(){%*\"\\]".utf8.contains($0) }
        guard !name.isEmpty, name.utf8.count <= 100, isAtom else {
            throw BreezeError(
                .invalidParameter,
                "A Maildir takes no such keyword: \(name.prefix(60).debugDescription).",
                remedy: "A keyword has 1 to 100 ASCII characters without spaces and without (){%*\"\\]."
            )
        }
        self.name = name
    }

    /// Marks a message by renaming its file, whose content stays. Blocks its thread.
    /// - Returns: Where it lies now: the same where it had the keyword.
    /// - Throws: ``BreezeError``: `invalid_request` where the file is not in a folder's `cur`, `not_found` where it lies
    ///   there no more, `full` where the folder has 26 other keywords, `input_output`.
    public func mark(_ file: URL) throws -> URL {
        let current = file.deletingLastPathComponent()
        guard current.lastPathComponent == "cur" else {
            throw BreezeError(
                .invalidRequest,
                "\(file.path) is not in a Maildir's cur: it has no flags.",
                remedy: "Mail that lies in new gets them when a mail program has shown it."
            )
        }
        guard access(file.path, F_OK) == 0 else {
            throw BreezeError(
                .notFound,
                "\(file.path) lies there no more.",
                remedy: "Bring the index up to date: breeze mail index"
            )
        }
        let letter = try letter(in: current.deletingLastPathComponent())
        guard let marked = Self.adding(letter, to: file.lastPathComponent) else { return file }
        let target = current.appending(path: marked)
        // Another message of that name would be lost.
        guard access(target.path, F_OK) != 0, rename(file.path, target.path) == 0 else {
            throw BreezeError(
                .inputOutput,
                "\(file.path) could not be renamed: \(String(cString: strerror(errno))).",
                remedy: "Make its folder writable, or bring the index up to date: breeze mail index"
            )
        }
        return target
    }

    /// - Returns: `nil` where it has the letter.
    static func adding(_ letter: Character, to name: String) -> String? {
        guard let mark = name.lastIndex(where: { ":;!".contains($0) }),
            name[mark...].dropFirst().hasPrefix("2,")
        else {
            return "\(name):2,\(letter)"
        }
        let flags = name[mark...].dropFirst(3)
        guard !flags.contains(letter) else { return nil }
        return name[...mark] + "2," + String((flags + [letter]).sorted())
    }

    /// Its letter in the folder, which it gets where it has none.
    private func letter(in folder: URL) throws -> Character {
        let file = folder.appending(path: Self.list)
        let text = try String(decoding: contents(of: file), as: UTF8.self)
        var names: [Int: Substring] = [:]
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 1)
            guard words.count == 2, let number = Int(words[0]), (0..<26).contains(number) else { continue }
            names[number] = words[1]
        }
        if let number = names.first(where: { $0.value == name })?.key { return Self.letter(number) }
        guard let free = (0..<26).first(where: { names[$0] == nil }) else {
            throw BreezeError(
                BreezeError.Code(rawValue: "full"),
                "\(folder.path) has 26 keywords, which is all that a Maildir takes.",
                remedy: "Use one of those in \(file.path)."
            )
        }
        let whole = text + (text.isEmpty || text.hasSuffix("\n") ? "" : "\n") + "\(free) \(name)\n"
        do { try Data(whole.utf8).write(to: file, options: .atomic) } catch {
            throw BreezeError(
                .inputOutput,
                "\(file.path) could not be written.",
                remedy: "Make its folder writable.",
                underlying: error
            )
        }
        return Self.letter(free)
    }

    private static func letter(_ number: Int) -> Character { Character(UnicodeScalar(UInt8(97 + number))) }

    private func contents(of file: URL) throws -> Data {
        guard access(file.path, F_OK) == 0 else { return Data() }
        do { return try Data(contentsOf: file) } catch {
            // Taken for empty, it would lose the names that others gave.
            throw BreezeError(
                .inputOutput,
                "\(file.path) could not be read.",
                remedy: "Make it readable.",
                underlying: error
            )
        }
    }
}
