import BreezeCore
package import Foundation

/// Files that are there as a whole or not at all, whenever the process is killed.
package enum WholeFile {
    /// Puts a finished file in its place, replacing what is there; after it returns, a power cut does not
    /// undo it.
    package static func move(_ source: URL, to target: URL) throws {
        guard rename(source.path, target.path) == 0 else { throw FileFault.writing(target, errno) }
        try Folder.sync(target.deletingLastPathComponent())
    }

    /// Either the old content is there or the new one, which its owner alone may read. Where it is `synced`, a power
    /// cut leaves no half of it; the disk is waited for.
    package static func replace(_ url: URL, _ bytes: [UInt8], synced: Bool = false) throws {
        // Hidden: what a killed process leaves of it is no part of a model.
        let new = url.deletingLastPathComponent().appending(path: ".new-\(UUID().uuidString)")
        let output = try OutputFile(creating: new)
        do {
            try output.write(bytes)
            try output.finish(synced: synced)
            guard rename(new.path, url.path) == 0 else { throw FileFault.writing(url, errno) }
        } catch {
            unlink(new.path)
            throw error
        }
    }
}
