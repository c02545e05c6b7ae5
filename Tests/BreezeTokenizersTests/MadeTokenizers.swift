import BreezeTestSupport
import Foundation

/// Small tokenizers of every kind, trained once by the reference libraries on public text and fuzzed lines.
actor MadeTokenizers {
    static let shared = MadeTokenizers()

    static let names = [
        "cl100k.json", "clip.json", "deepseek.json", "digits.json", "falcon.json", "gpt2-prefix.json",
        "gpt2.json",
        "gpt4o.json", "llama2.json", "llama3.json", "metaspace.json", "prefixed.json", "qwen2.json",
        "sp-bpe-nfkc.model", "sp-bpe-suffix.model", "sp-bpe.model", "sp-unigram-bytes.model",
        "sp-unigram.model",
        "unigram-t5.json", "unigram.json", "xlmr.json",
    ]

    /// The English sentences of STS-B under `BREEZE_SHARED`.
    static let corpus: URL? = {
        let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL
        let shared = ProcessInfo.processInfo.environment["BREEZE_SHARED"].map { URL(filePath: $0) }
        let file = (shared ?? root.appending(path: "../shared"))
            .appending(path: "data/text/stsb/data/stsb-en-train.csv").standardizedFileURL
        return FileManager.default.fileExists(atPath: file.path) ? file : nil
    }()

    private struct Places: Encodable { let folder: String }

    private var made: Task<ScratchFolder, any Error>?

    func file(_ name: String) async throws -> URL {
        let task =
            made
            ?? Task {
                let folder = try ScratchFolder()
                guard let corpus = Self.corpus else { return folder }
                var fuzz = FuzzedText(seed: 99, latest: 11)
                let lines = (0..<300).map { _ in
                    fuzz.next().map { $0.isNewline || $0 == "\0" ? " " : String($0) }.joined()
                }
                let text = try String(contentsOf: corpus, encoding: .utf8) + lines.joined(separator: "\n")
                let input = try folder.write("text.txt", text)
                let names: [String] = try await Oracle.run(
                    "tokenizer_make.py",
                    input,
                    input: Places(folder: folder.url.path)
                )
                guard names == Self.names else { throw ChildFailure(description: "made \(names)") }
                return folder
            }
        made = task
        return try await task.value.url.appending(path: name)
    }
}
