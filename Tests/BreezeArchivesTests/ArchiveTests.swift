import BreezeCore
import BreezeTestSupport
import Foundation
import Testing

@testable import BreezeArchives

/// Archives that Python's own writers made, sound and malicious; see `Tests/Oracles/archive_write.py`.
@Suite(
    .enabled(if: ArchiveExtractor.isAvailable, "made without the trait Archives"),
    .enabled(if: Oracle.python != nil, "no Python: run make setup"),
    .enabled(if: TestProgram.named("breeze-test-extract") != nil, "breeze-test-extract was not built")
)
struct `Unpacking an archive` {
    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
    }

    private var target: URL { folder.url.appending(path: "out") }

    private func extractor(_ mode: String = "extract") throws -> ArchiveExtractor {
        let program = try #require(TestProgram.named("breeze-test-extract"))
        return ArchiveExtractor(executable: program, arguments: [mode])
    }

    struct Entry: Encodable, Sendable {
        var name: String
        var type = "file"
        var text: String?
        var size: Int?
        var target: String?
        var mode: Int?
        var count: Int?
    }

    /// The archive of those entries; the digest of each file that is in it, by hashlib.
    private func archive(_ kind: String, _ entries: [Entry]) async throws -> (URL, [String: String]) {
        let url = folder.url.appending(path: "archive.\(kind)")
        let digests: [String: String] = try await Oracle.run("archive_write.py", url, input: entries)
        return (url, digests)
    }

    private func refusal(
        _ kind: String,
        _ entries: [Entry],
        limits: ArchiveLimits = ArchiveLimits()
    ) async throws -> BreezeError? {
        let (archive, _) = try await archive(kind, entries)
        let error = await #expect(throws: BreezeError.self) {
            _ = try await extractor().extract(archive, into: target, limits: limits)
        }
        #expect(!FileManager.default.fileExists(atPath: target.path))
        let around = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(around == [archive.lastPathComponent], "something was written outside")
        return error
    }

    private func digest(_ name: String) async throws -> String {
        let file = target.appending(path: name)
        let outcome = try await ChildProcess(URL(filePath: "/usr/bin/env"), ["sha256sum", file.path]).run()
        return String(outcome.output.prefix(64))
    }

    @Test(arguments: ["tar.gz", "zip"])
    func `gives the files that are in it, to their owner alone`(kind: String) async throws {
        let (archive, digests) = try await archive(
            kind,
            [
                Entry(name: "voice/", type: "folder", mode: 0o777),
                Entry(name: "voice/model.onnx", size: 300_000, mode: 0o4777),
                Entry(name: "./voice/deep/er/tokens.txt", text: "a b c"),
                Entry(name: "ümlaut.txt", text: "ü"),
                Entry(name: "empty", text: ""),
            ]
        )
        let contents = try await extractor().extract(archive, into: target)
        #expect(contents == ArchiveContents(files: 4, bytes: 300_000 + 5 + 2))
        #expect(digests.count == 4)
        for (name, expected) in digests { #expect(try await digest(name) == expected, "\(name)") }
        let modes = [
            "": 0o700, "voice": 0o700, "voice/model.onnx": 0o600, "voice/deep/er": 0o700,
            "ümlaut.txt": 0o600,
        ]
        for (name, mode) in modes {
            let path = target.appending(path: name).path
            #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == mode)
        }
    }

    @Test func `keeps links that stay in the tree`() async throws {
        let (archive, _) = try await archive(
            "tar.gz",
            [
                Entry(name: "lib/real.so", text: "hello"),
                Entry(name: "lib/link.so", type: "symlink", target: "real.so"),
                Entry(name: "bin/up.so", type: "symlink", target: "../lib/link.so"),
                Entry(name: "same.so", type: "hardlink", target: "lib/real.so"),
            ]
        )
        _ = try await extractor().extract(archive, into: target)
        for name in ["lib/link.so", "bin/up.so", "same.so"] {
            #expect(
                try String(contentsOf: target.appending(path: name), encoding: .utf8) == "hello",
                "\(name)"
            )
        }
    }

    @Test(
        arguments: ["tar.gz", "zip"],
        ["../evil", "a/../../evil", "/tmp/evil", "a/../b", "a\\..\\evil", "a\nb"]
    )
    func `refuses names that lead elsewhere`(kind: String, name: String) async throws {
        let error = try await refusal(kind, [Entry(name: "good", text: "x"), Entry(name: name, text: "x")])
        #expect(error?.code == .invalidFile)
    }

    @Test(arguments: [
        [Entry(name: "l", type: "symlink", target: "../outside")],
        [Entry(name: "l", type: "symlink", target: "/etc/passwd")],
        [Entry(name: "a/l", type: "symlink", target: "../../outside")],
        [
            Entry(name: "x/y/d", type: "symlink", target: "../.."),
            Entry(name: "e", type: "symlink", target: "x/y/d/../etc"),
        ],
        [Entry(name: "l", type: "hardlink", target: "/etc/passwd")],
        [Entry(name: "l", type: "hardlink", target: "../outside")],
        [Entry(name: "l", type: "hardlink", target: "not/here")],
        [Entry(name: "s", type: "symlink", target: "good"), Entry(name: "h", type: "hardlink", target: "s")],
    ])
    func `refuses links that lead out`(entries: [Entry]) async throws {
        let error = try await refusal("tar.gz", [Entry(name: "good", text: "x")] + entries)
        #expect(error?.code == .invalidFile)
    }

    @Test func `writes nothing through a link`() async throws {
        let error = try await refusal(
            "tar.gz",
            [Entry(name: "d", type: "symlink", target: "e"), Entry(name: "d/f", text: "x")]
        )
        #expect(error?.code == .invalidFile)
    }

    @Test(arguments: ["fifo", "device", "block"])
    func `refuses what is no file`(type: String) async throws {
        #expect(try await refusal("tar.gz", [Entry(name: "x", type: type)])?.code == .invalidFile)
    }

    @Test func `refuses a name that comes twice`() async throws {
        let twice = [Entry(name: "a", text: "x"), Entry(name: "a", text: "y")]
        #expect(try await refusal("tar.gz", twice)?.code == .invalidFile)
        #expect(
            try await refusal("tar.gz", [Entry(name: "a", text: "x"), Entry(name: "a/b", text: "y")])?.code
                == .invalidFile
        )
    }

    @Test(arguments: ["tar.gz", "zip"])
    func `refuses a bomb`(kind: String) async throws {
        // 50 MB of zeros are 50 KB of an archive.
        let bomb = [Entry(name: "zeros", type: "zeros", size: 50_000_000)]
        #expect(try await refusal(kind, bomb)?.message.contains("unpack to more than") == true)
        var limits = ArchiveLimits(totalBytes: 100_000)
        limits.ratio = 1_000_000
        #expect(
            try await refusal(kind, bomb, limits: limits)?.message.contains("more than 100000 bytes") == true
        )
    }

    @Test(arguments: ["tar.gz", "zip"])
    func `refuses too many entries, too long and too deep names`(kind: String) async throws {
        var limits = ArchiveLimits()
        limits.entries = 50
        let many = [Entry(name: "f", text: "", count: 51)]
        #expect(
            try await refusal(kind, many, limits: limits)?.message.contains("more than 50 entries") == true
        )
        let deep = String(repeating: "d/", count: 33) + "f"
        #expect(try await refusal(kind, [Entry(name: deep, text: "")])?.message.contains("too deep") == true)
        let long = String(repeating: "n", count: 256)
        #expect(try await refusal(kind, [Entry(name: long, text: "")])?.code == .invalidFile)
    }

    @Test(arguments: ["tar.gz", "zip"])
    func `refuses one that was cut short or changed, and leaves nothing`(kind: String) async throws {
        let (archive, _) = try await archive(kind, [Entry(name: "model", size: 200_000)])
        let sound = try Data(contentsOf: archive)
        var spoilt = [Data(sound.prefix(100_000)), Data("no archive at all".utf8), Data()]
        // Of a gzip stream libarchive does not compare the checksum: there the download's digest has to tell.
        if kind == "zip" {
            var flipped = sound
            for offset in 50_000..<50_100 { flipped[offset] ^= 0xFF }
            spoilt.append(flipped)
        }
        for damaged in spoilt {
            try damaged.write(to: archive)
            let error = await #expect(throws: BreezeError.self) {
                _ = try await extractor().extract(archive, into: target)
            }
            #expect(error?.code == .invalidFile)
            #expect(!FileManager.default.fileExists(atPath: target.path))
        }
    }

    @Test(arguments: ["crash", "babble"])
    func `a child that fails costs the archive alone`(mode: String) async throws {
        let (archive, _) = try await archive("zip", [Entry(name: "a", text: "x")])
        let error = await #expect(throws: BreezeError.self) {
            _ = try await extractor(mode).extract(archive, into: target)
        }
        #expect(error?.code == .invalidFile)
        #expect(!FileManager.default.fileExists(atPath: target.path))
    }

    @Test func `a folder that is there already is not touched`() async throws {
        let (archive, _) = try await archive("zip", [Entry(name: "a", text: "x")])
        try folder.write("out/mine", "mine")
        let error = await #expect(throws: BreezeError.self) {
            _ = try await extractor().extract(archive, into: target)
        }
        #expect(error?.code == .inputOutput)
        #expect(try String(contentsOf: target.appending(path: "mine"), encoding: .utf8) == "mine")
    }

    @Test func `cancelling ends the child and removes what it wrote`() async throws {
        let (archive, _) = try await archive("zip", [Entry(name: "a", text: "x")])
        let extractor = try extractor("wait")
        let target = target
        let work = Task { try await extractor.extract(archive, into: target) }
        work.cancel()
        await #expect(throws: CancellationError.self) { _ = try await work.value }
        #expect(!FileManager.default.fileExists(atPath: target.path))
    }
}

@Suite struct `Archives in a build without libarchive` {
    @Test(.enabled(if: !ArchiveExtractor.isAvailable, "this build has it"))
    func `are unavailable, with what mends it`() async throws {
        let folder = try ScratchFolder()
        let error = await #expect(throws: BreezeError.self) {
            _ = try await ArchiveExtractor.thisProgram.extract(
                folder.url,
                into: folder.url.appending(path: "out")
            )
        }
        #expect(error?.code == .unavailable)
        #expect(error?.remedy?.contains("libarchive-dev") == true)
    }
}
