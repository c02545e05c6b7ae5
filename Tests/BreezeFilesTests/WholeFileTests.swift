import BreezeCore
import BreezeFiles
import BreezeTestSupport
import Foundation
import Testing

@Suite struct `A file that is replaced` {
    private let folder: ScratchFolder
    private let url: URL

    init() throws {
        folder = try ScratchFolder()
        url = try folder.write("record", "old")
    }

    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() }
    }

    @Test(arguments: [true, false])
    func `has the new content, is its owner's alone, and nothing else is left`(synced: Bool) throws {
        try WholeFile.replace(url, Array("new".utf8), synced: synced)
        #expect(try String(contentsOf: url, encoding: .utf8) == "new")
        let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(try names == ["record"])
    }

    @Test func `leaves nothing where it cannot be`() throws {
        let occupied = folder.url.appending(path: "folder")
        try FileManager.default.createDirectory(at: occupied, withIntermediateDirectories: false)
        let error = #expect(throws: BreezeError.self) { try WholeFile.replace(occupied, [1]) }
        #expect(error?.code == .inputOutput)
        #expect(try names == ["folder", "record"])
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "only Linux has /dev/full"))
    func `a full disk is its own error`() throws {
        let full = URL(filePath: "/dev/full")
        let output = OutputFile(descriptor: open(full.path, O_WRONLY), url: full)
        let error = #expect(throws: BreezeError.self) {
            for _ in 0..<3 { try output.write(Array(repeating: 1, count: 200_000)) }
        }
        #expect(error?.code == .insufficientDisk)
    }
}

@Suite struct `What is known of a file` {
    /// `date -d '2001-09-09 01:46:40 UTC' +%s` is 1000000000.
    @Test func `is its size and its time in nanoseconds, of regular files alone`() throws {
        let folder = try ScratchFolder()
        let url = try folder.write("file", "12345")
        let date = try Date("2001-09-09T01:46:40Z", strategy: .iso8601)
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: url.path)
        #expect(FileStatus.size(of: url) == 5)
        #expect(FileStatus.modified(url) == 1_000_000_000_000_000_000)
        #expect(FileStatus.size(of: folder.url) == nil)
        #expect(FileStatus.modified(folder.url.appending(path: "missing")) == nil)
        #expect(DiskSpace.freeBytes(at: folder.url.appending(path: "missing")) == nil)
    }
}
