package import Foundation

/// Programs that were built along with the tests.
package enum TestProgram {
    /// `nil` where it was not built.
    package static func named(_ name: String) -> URL? {
        var folders = [Bundle.main.bundleURL, Bundle.main.executableURL?.deletingLastPathComponent()]
        folders.append(URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent())
        for case var folder? in folders {
            // On Apple platforms the tests lie some folders deep in a bundle.
            for _ in 0..<5 {
                let file = folder.appending(path: name)
                var isFolder: ObjCBool = false
                let isThere = FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder)
                if isThere, !isFolder.boolValue { return file }
                folder.deleteLastPathComponent()
            }
        }
        return nil
    }
}
