import BreezeCore
import Foundation

/// Files of one message each, as whoever names a folder means it.
enum MailFiles {
    /// The path itself where it is a file, else the files at any depth below it in the order of their names; what begins
    /// with a dot is no message.
    static func under(_ path: String) throws -> [String] {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw BreezeError(
                .inputOutput,
                "There is nothing at \(path).",
                remedy: "Name a message, or a folder of messages."
            )
        }
        guard isFolder.boolValue else { return [path] }
        return try names(below: path).map { path.hasSuffix("/") ? path + $0 : "\(path)/\($0)" }
    }

    /// Below a folder, as that one names them.
    static func names(below folder: String) throws -> [String] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder).sorted()
        return names.filter { name in
            var isFolder: ObjCBool = false
            return !name.split(separator: "/").contains {
                $0.hasPrefix(".") && $0.count > 1 && !isMaildir($0, folder)
            }
                && FileManager.default.fileExists(atPath: "\(folder)/\(name)", isDirectory: &isFolder)
                && !isFolder.boolValue
        }
    }

    /// Maildir++ hangs its folders below the inbox, with a dot before their names.
    private static func isMaildir(_ name: Substring, _ path: String) -> Bool {
        FileManager.default.fileExists(atPath: "\(path)/\(name)/cur")
    }
}
