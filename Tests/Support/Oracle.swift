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

    /// What set-up fetched and made lies here.
    package static var cacheFolder: URL { cache }

    private static var cache: URL {
        let environment = ProcessInfo.processInfo.environment
        if let path = environment["BREEZE_CACHE"] { return URL(filePath: path) }
        let base = environment["XDG_CACHE_HOME"].map { URL(filePath: $0) }
        let home = FileManager.default.homeDirectoryForCurrentUser
        return (base ?? home.appending(path: ".cache")).appending(path: "breeze")
    }

    /// Gives `input` to a script as JSON on standard input and reads its answer from standard output.
    package static func run<Answer: Decodable>(
        _ script: String,
        _ argument: URL,
        input: some Encodable
    ) async throws -> Answer {
        guard let python else { throw ChildFailure(description: "there is no Python: run make setup") }
        let arguments = [scripts.appending(path: script).path, argument.path]
        let outcome = try await ChildProcess(python, arguments, input: Array(JSONEncoder().encode(input)))
            .run()
        guard outcome.code == 0 else {
            throw ChildFailure(description: "\(script) ended with \(outcome.code): \(outcome.errors)")
        }
        return try JSONDecoder().decode(Answer.self, from: Data(outcome.output.utf8))
    }

    private static var scripts: URL {
        URL(filePath: #filePath).appending(path: "../../Oracles").standardizedFileURL
    }
}
