import BreezeCore
import BreezeGuardianRunner
import Foundation

/// Compiled once for all tests.
let rules = GuardianRules()

extension GuardianRules {
    func action(on text: String, _ strictness: Strictness = .medium) -> GuardianVerdict.Action {
        verdict(on: text, options: Options(strictness: strictness)).action
    }

    /// What was found of one category, as it stands in the text.
    func excerpts(_ category: String, in text: String) -> [String] {
        findings(in: text).filter { $0.isWithin(category) }.compactMap { finding in
            finding.span.map { text.bytes($0) }
        }
    }
}

extension String {
    func bytes(_ span: Range<Int>) -> String {
        String(decoding: Array(utf8)[span], as: UTF8.self)
    }

    /// Without what stands in these places.
    func removing(_ spans: [Range<Int>]) -> String {
        let kept = utf8.enumerated().filter { byte in !spans.contains { $0.contains(byte.offset) } }
        return String(decoding: kept.map(\.element), as: UTF8.self)
    }
}

/// The public test data, where it is there.
enum SharedData {
    static let folder: URL = {
        let here = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL
        let path = ProcessInfo.processInfo.environment["BREEZE_SHARED"]
        return path.map { URL(filePath: $0) } ?? here.appending(path: "../shared").standardizedFileURL
    }()

    static func file(_ path: String) -> URL? {
        let file = folder.appending(path: "data").appending(path: path)
        return FileManager.default.fileExists(atPath: file.path) ? file : nil
    }
}
