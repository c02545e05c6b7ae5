import BreezeModels
import BreezeTestSupport
import BreezeTokenizers
import Foundation
import Testing

/// What int8 costs on real sentences: the first of STS-B's test set.
@Suite(.needsRuntime, .needsMiniLM, .enabled(if: Sentences.isPresent, "needs STS-B (BREEZE_SHARED)"))
struct SentenceAccuracyTests {
    private static let count = 200

    @Test func `int8 keeps the direction of real sentences`() throws {
        let directory = try #require(Oracle.miniLM)
        let folder = try ScratchFolder()
        let tokenizer = try WordPieceTokenizer(directory: directory)
        let exact = try GraphRun(directory, .liteRT, in: folder)
        let int8 = try GraphRun(directory, .liteRTInt8, in: folder)
        let cosines = try Sentences.first(Self.count).map { sentence in
            let text = GraphRun.Text(tokenizer.encode(sentence).map { Int($0) })
            return Distance.cosine(try int8(text), try exact(text))
        }
        #expect(cosines.count == Self.count)
        let mean = cosines.reduce(0, +) / Double(cosines.count)
        #expect(mean >= 0.998)
        #expect(cosines.min() ?? 0 >= 0.99)
    }
}

/// STS-B's test set, where it is there.
private enum Sentences {
    private static let file: URL = {
        let shared = ProcessInfo.processInfo.environment["BREEZE_SHARED"].map { URL(filePath: $0) }
        let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL
        return (shared ?? root.appending(path: "../shared").standardizedFileURL)
            .appending(path: "data/text/stsb/data/stsb-en-test.csv")
    }()

    static var isPresent: Bool { FileManager.default.fileExists(atPath: file.path) }

    /// The first column of as many rows, of those where it is not quoted: enough of CSV for a sample.
    static func first(_ count: Int) throws -> [String] {
        let rows = try String(contentsOf: file, encoding: .utf8).split(whereSeparator: \.isNewline)
        let plain = rows.filter { !$0.hasPrefix("\"") }.compactMap { $0.split(separator: ",").first }
        return plain.prefix(count).map(String.init)
    }
}
