import Foundation

/// Swift that a document shows: what stands in a fenced block.
struct CodeBlock: Sendable {
    let page: String
    /// From 1.
    let number: Int
    let text: String

    /// The modules that it imports which are Breeze's.
    var modules: [String] {
        text.split(separator: "\n").filter { $0.hasPrefix("import Breeze") }.map { String($0.dropFirst(7)) }
    }

    /// Of every page of a catalog.
    static func all(in catalog: URL) throws -> [CodeBlock] {
        let pages = try FileManager.default.contentsOfDirectory(at: catalog, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "md" }
            .sorted { $0.path < $1.path }
        return try pages.flatMap { page in
            blocks(
                of: try String(contentsOf: page, encoding: .utf8),
                page: page.deletingPathExtension().lastPathComponent
            )
        }
    }

    private static func blocks(of text: String, page: String) -> [CodeBlock] {
        var blocks: [CodeBlock] = []
        var lines: [Substring]?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if let open = lines {
                if line == "```" {
                    let text = open.joined(separator: "\n") + "\n"
                    blocks.append(CodeBlock(page: page, number: blocks.count + 1, text: text))
                    lines = nil
                } else {
                    lines?.append(line)
                }
            } else if line == "```swift" {
                lines = []
            }
        }
        return blocks
    }
}
