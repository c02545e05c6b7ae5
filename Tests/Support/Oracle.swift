package import Foundation

/// The Python programs under `Tests/Oracles`, run by the interpreter that set-up made for the tests.
package enum Oracle {
    package static let python: URL? = {
        let environment = ProcessInfo.processInfo.environment
        let path = environment["BREEZE_PYTHON"] ?? cache.appending(path: "python/bin/python3").path
        return FileManager.default.isExecutableFile(atPath: path) ? URL(filePath: path) : nil
    }()

    /// all-MiniLM-L6-v2 as its publisher ships it, where set-up fetched it.
    package static let miniLM: URL? = {
        let folder = cache.appending(path: "models-src/all-minilm-l6-v2")
        let weights = folder.appending(path: "model.safetensors")
        return FileManager.default.fileExists(atPath: weights.path) ? folder : nil
    }()

    private static var cache: URL {
        let environment = ProcessInfo.processInfo.environment
        if let path = environment["BREEZE_CACHE"] { return URL(filePath: path) }
        let base = environment["XDG_CACHE_HOME"].map { URL(filePath: $0) }
        let home = FileManager.default.homeDirectoryForCurrentUser
        return (base ?? home.appending(path: ".cache")).appending(path: "breeze")
    }

    package struct Failure: Error {
        let status: Int32
        let message: String
    }

    /// Gives `input` to a script as JSON on standard input and reads its answer from standard output.
    package static func run<Answer: Decodable>(
        _ script: String,
        _ argument: URL,
        input: some Encodable,
        in folder: ScratchFolder
    ) throws -> Answer {
        // Through files and not pipes: neither side can block the other.
        let question = try folder.write("question.json", Array(try JSONEncoder().encode(input)))
        let answer = try folder.write("answer.json", "")
        let complaints = try folder.write("complaints.txt", "")
        let process = Process()
        process.executableURL = python
        process.arguments = [scripts.appending(path: script).path, argument.path]
        process.standardInput = try FileHandle(forReadingFrom: question)
        process.standardOutput = try FileHandle(forWritingTo: answer)
        process.standardError = try FileHandle(forWritingTo: complaints)
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            let text = try String(contentsOf: complaints, encoding: .utf8)
            throw Failure(status: process.terminationStatus, message: text)
        }
        return try JSONDecoder().decode(Answer.self, from: try Data(contentsOf: answer))
    }

    private static var scripts: URL {
        URL(filePath: #filePath).appending(path: "../../Oracles").standardizedFileURL
    }
}
