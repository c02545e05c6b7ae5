import Foundation

/// Finds the licence that a model's folder states. Never guesses: no statement, no licence.
enum LicenseReader {
    /// Kept with the model when they are there.
    static let files = ["LICENSE", "LICENSE.txt", "LICENSE.md", "README.md"]
    private static let largest = 4 << 20

    /// - Returns: an SPDX identifier where the statement can be told to be one, else the publisher's word.
    static func license(in directory: URL) -> String? {
        for name in files {
            let url = directory.appending(path: name)
            guard let bytes = try? FileReader.contents(of: url, limit: largest) else { continue }
            let text = String(decoding: bytes, as: UTF8.self)
            let found = name == "README.md" ? frontMatter(text) : identify(text)
            if let found { return found }
        }
        return nil
    }

    /// The `license:` of the YAML block that Hugging Face's model cards begin with.
    static func frontMatter(_ text: String) -> String? {
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        guard lines.first == "---", let end = lines.dropFirst().firstIndex(of: "---") else { return nil }
        let block = Array(lines[1..<end])
        guard let line = block.firstIndex(where: { $0.hasPrefix("license:") }) else { return nil }
        var value = plain(block[line].dropFirst("license:".count))
        // A list of one, as some cards have it.
        if value.isEmpty, line + 1 < block.count, block[line + 1].drop(while: { $0 == " " }).hasPrefix("- ") {
            value = plain(block[line + 1].drop { $0 == " " || $0 == "-" })
        }
        if value == "other" || value == "unknown" {
            let named = block.first { $0.hasPrefix("license_name:") }
            value = named.map { plain($0.dropFirst("license_name:".count)) } ?? ""
        }
        return value.isEmpty ? nil : canonical(value)
    }

    /// The SPDX identifier of a licence that the publisher names, where it can be told; else the name as it is.
    static func canonical(_ name: String) -> String { spdx[name.lowercased()] ?? name }

    /// The licence that a text is, or names; `nil` where it cannot be told.
    static func identify(_ text: String) -> String? {
        let head = text.prefix(600)
        if let tag = head.firstRange(of: "SPDX-License-Identifier:") {
            return plain(head[tag.upperBound...].prefix { $0 != "\n" && $0 != "\r\n" })
        }
        if head.contains("Apache License"), head.contains("Version 2.0") { return "Apache-2.0" }
        return head.contains("MIT License") ? "MIT" : nil
    }

    private static func plain(_ value: Substring) -> String {
        value.trimmingCharacters(in: CharacterSet(charactersIn: " \t\"'[]"))
    }

    /// Hugging Face writes SPDX identifiers in lower case.
    private static let spdx = [
        "apache-2.0": "Apache-2.0", "apache 2.0": "Apache-2.0", "mit": "MIT", "bsd-3-clause": "BSD-3-Clause",
        "bsd-2-clause": "BSD-2-Clause",
        "cc-by-4.0": "CC-BY-4.0", "cc-by-sa-4.0": "CC-BY-SA-4.0", "cc-by-nc-4.0": "CC-BY-NC-4.0",
        "cc0-1.0": "CC0-1.0",
        "gpl-3.0": "GPL-3.0", "agpl-3.0": "AGPL-3.0", "lgpl-3.0": "LGPL-3.0", "mpl-2.0": "MPL-2.0",
    ]
}
