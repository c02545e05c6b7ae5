package import Foundation

/// A folder of its own for one test, removed with it.
package final class ScratchFolder: Sendable {
    package let url: URL

    package init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "breeze-models-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    @discardableResult
    package func write(_ name: String, _ bytes: [UInt8]) throws -> URL {
        let file = url.appending(path: name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Data(bytes).write(to: file)
        return file
    }

    @discardableResult
    package func write(_ name: String, _ text: String) throws -> URL {
        try write(name, Array(text.utf8))
    }
}
