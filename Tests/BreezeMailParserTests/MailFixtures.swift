import BreezeTestSupport
import Foundation
import Testing

/// Public mail that lies beside the repository.
enum MailFixtures {
    static let shared: URL? = {
        let named = ProcessInfo.processInfo.environment["BREEZE_SHARED"].map { URL(filePath: $0) }
        let beside = URL(filePath: #filePath).appending(path: "../../../../shared").standardizedFileURL
        let folder = named ?? beside
        return FileManager.default.fileExists(atPath: folder.appending(path: "data/mime").path) ? folder : nil
    }()

    static func files(under path: String, ends: [String]) -> [URL] {
        guard let folder = shared?.appending(path: path) else { return [] }
        return files(in: folder).filter { file in ends.contains { file.lastPathComponent.hasSuffix($0) } }
    }

    /// All files under a folder, in the order of their paths.
    static func files(in folder: URL) -> [URL] {
        let walk = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: [.isRegularFileKey])
        var found: [URL] = []
        while let file = walk?.nextObject() as? URL {
            let isFile = try? file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile
            if isFile == true { found.append(file) }
        }
        return found.sorted { $0.path < $1.path }
    }

    /// The corpus as it was received, in a folder of the caller's own.
    static func spamAssassin() async throws -> ScratchFolder {
        let archive = try #require(shared).appending(path: "data/mail/spamassassin-2002.tar.xz")
        let folder = try ScratchFolder()
        let tar = URL(filePath: "/usr/bin/tar")
        let outcome = try await ChildProcess(tar, ["-xJf", archive.path, "-C", folder.url.path], input: [])
            .run()
        #expect(outcome.code == 0)
        return folder
    }

    static let stalwart = "data/mime/stalwart/resources/eml"

    static var torture: [URL] {
        files(under: stalwart, ends: [".eml"])
            + files(under: "data/mime/rubymail/spec/fixtures/emails", ends: [".eml"])
            + files(under: "data/mime/zbateson/tests/_data/emails", ends: [".txt"])
    }
}

extension String {
    /// Space as one blank, none at either end.
    var words: String { split(whereSeparator: \.isWhitespace).joined(separator: " ") }

    /// Whether two readings are the same where the oracle has one: U+FFFD stands for bytes that it could not read.
    func agrees(with oracle: String) -> Bool {
        if self == oracle { return true }
        let (ours, theirs) = (Array(unicodeScalars), Array(oracle.unicodeScalars))
        return ours.count == theirs.count && zip(ours, theirs).allSatisfy { $0 == $1 || $1 == "\u{FFFD}" }
    }
}
