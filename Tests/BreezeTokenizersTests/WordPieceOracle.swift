import Foundation

/// Hugging Face's `tokenizers` in a child process.
enum WordPieceOracle {
    static let python: String? = existing(
        environment["BREEZE_PYTHON"]
            ?? cache.appending(path: "python/bin/python3").path(percentEncoded: false)
    )

    static let miniLM: String? = existing(
        cache.appending(path: "models-src/all-minilm-l6-v2/tokenizer.json").path(percentEncoded: false)
    )

    /// The ids of each text, frame included.
    static func ids(of texts: [String], tokenizer: String) throws -> [[Int32]] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "breeze-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let input = folder.appending(path: "inputs.jsonl")
        let output = folder.appending(path: "ids.jsonl")
        try Data(texts.map { TinyTokenizer.quoted($0) + "\n" }.joined().utf8).write(to: input)
        try Data().write(to: output)

        let process = Process()
        process.executableURL = URL(filePath: python ?? "")
        process.arguments = [script, tokenizer]
        process.standardInput = try FileHandle(forReadingFrom: input)
        process.standardOutput = try FileHandle(forWritingTo: output)
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(status: process.terminationStatus) }
        return try Data(contentsOf: output).split(separator: 0x0A).map { line in
            try JSONDecoder().decode([Int32].self, from: line)
        }
    }

    /// What went wrong is on standard error.
    struct Failure: Error {
        let status: Int32
    }

    private static let environment = ProcessInfo.processInfo.environment

    private static let cache: URL = {
        if let path = environment["BREEZE_CACHE"] { return URL(filePath: path) }
        let parent = environment["XDG_CACHE_HOME"].map { URL(filePath: $0) }
        return (parent ?? URL.homeDirectory.appending(path: ".cache")).appending(path: "breeze")
    }()

    private static let script = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Oracles/wordpiece_oracle.py").path(percentEncoded: false)

    private static func existing(_ path: String) -> String? {
        FileManager.default.fileExists(atPath: path) ? path : nil
    }
}
