import BreezeCore
import CLiteRt
import Foundation

/// Finds out which release of LiteRT a file is without calling into it. The library carries no version: the
/// package's METADATA does, and the size of the function table that the library exports must agree with it.
enum LiteRTRelease {
    /// Refuses a file whose package is of another release than the supported one, or cannot be told.
    static func check(_ path: String) throws(RuntimeSearch.Refusal) {
        guard FileManager.default.fileExists(atPath: path) else {
            throw RuntimeSearch.Refusal("\(path): there is no such file")
        }
        let found = versions(beside: path)
        guard found != [LiteRTLibrary.supportedVersion] else { return }
        let wanted = "\(LiteRTLibrary.supportedVersion) is needed"
        guard !found.isEmpty else {
            throw RuntimeSearch.Refusal(
                "\(path): which LiteRT this is cannot be told without its package's METADATA, and \(wanted)"
            )
        }
        throw RuntimeSearch.Refusal(
            "\(path): is LiteRT \(found.sorted().joined(separator: " or ")), but \(wanted)"
        )
    }

    /// A library that was put beside another release's METADATA.
    static func check(tableSize: Int, of path: String) throws(RuntimeSearch.Refusal) {
        guard tableSize != Int(LITERT_TABLE_SIZE) else { return }
        throw RuntimeSearch.Refusal(
            "\(path): is another LiteRT than its METADATA says, "
                + "but \(LiteRTLibrary.supportedVersion) is needed"
        )
    }

    /// As METADATA beside the file tells it, or, in an installed Python package, `*.dist-info` beside its
    /// folder.
    private static func versions(beside path: String) -> Set<String> {
        let folder = URL(fileURLWithPath: path).resolvingSymlinksInPath().deletingLastPathComponent()
        if let version = version(in: folder) { return [version] }
        let packages = folder.deletingLastPathComponent()
        let names = (try? FileManager.default.contentsOfDirectory(atPath: packages.path)) ?? []
        let folders = names.filter { $0.hasPrefix("ai_edge_litert-") && $0.hasSuffix(".dist-info") }
        return Set(folders.compactMap { version(in: packages.appendingPathComponent($0)) })
    }

    /// The header of METADATA, which ends with the first empty line, names the package and its version.
    private static func version(in folder: URL) -> String? {
        let file = folder.appendingPathComponent("METADATA")
        guard let text = try? String(contentsOf: file, encoding: .utf8) else { return nil }
        let header = text.split(separator: "\n", omittingEmptySubsequences: false).prefix { !$0.isEmpty }
        guard header.contains("Name: ai-edge-litert") else { return nil }
        let field = "Version: "
        return header.first { $0.hasPrefix(field) }.map { String($0.dropFirst(field.count)) }
    }
}
