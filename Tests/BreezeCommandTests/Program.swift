import BreezeTestSupport
import Foundation
import Testing

extension ChildProcess.Outcome {
    /// The whole of standard output as JSON.
    func json() throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any])
    }

    /// Every line of standard output as JSON.
    func jsonLines() throws -> [[String: Any]] {
        try output.split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
    }

    /// What `{"error": …}` holds; all of standard error must be that one object.
    func failure() throws -> [String: String] {
        let object = try JSONSerialization.jsonObject(with: Data(errors.utf8)) as? [String: Any]
        #expect(errors.split(separator: "\n").count == 1)
        #expect(object?.keys.sorted() == ["error"])
        return try #require(object?["error"] as? [String: String])
    }
}

/// The real program as a child process, with a home of its own and nothing of the caller's settings.
struct Program {
    typealias Outcome = ChildProcess.Outcome

    let folder: ScratchFolder
    let home: URL
    var environment: [String: String]

    init() throws {
        folder = try ScratchFolder()
        home = folder.url.appending(path: "home", directoryHint: .isDirectory)
        let inherited = ProcessInfo.processInfo.environment
        environment = ["PATH": inherited["PATH"] ?? "", "BREEZE_HOME": home.path, "HOME": home.path]
        environment["LD_LIBRARY_PATH"] = inherited["LD_LIBRARY_PATH"]
    }

    /// Beside the tests' own executable.
    static let executable: URL? = {
        var folders = [Bundle.main.bundleURL, Bundle.main.executableURL?.deletingLastPathComponent()]
        folders.append(URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent())
        for case var folder? in folders {
            // On Apple platforms the tests lie some folders deep in a bundle.
            for _ in 0..<5 {
                let file = folder.appending(path: "breeze")
                var isFolder: ObjCBool = false
                let isThere = FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder)
                if isThere, !isFolder.boolValue { return file }
                folder.deleteLastPathComponent()
            }
        }
        return nil
    }()

    func run(_ arguments: String..., input: String = "") async throws -> Outcome {
        try await run(arguments, bytes: Array(input.utf8))
    }

    func run(_ arguments: [String], bytes: [UInt8] = []) async throws -> Outcome {
        try await child(arguments, input: bytes).run()
    }

    /// Runs it to its end and does something with it meanwhile.
    func start(
        _ arguments: [String],
        onTerminal: Bool = false,
        _ body: @escaping @Sendable (RunningChild) async throws -> Void
    ) async throws -> Outcome {
        var child = try child(arguments)
        child.hasTerminal = onTerminal
        return try await child.run(body)
    }

    /// Runs a shell's line; `$0` in it is the program.
    func shell(_ line: String) async throws -> Outcome {
        let executable: URL = try #require(Self.executable)
        return try await ChildProcess.shell(line, [executable.path], environment: environment).run()
    }

    private func child(_ arguments: [String], input: [UInt8] = []) throws -> ChildProcess {
        let executable: URL = try #require(Self.executable)
        return ChildProcess(executable, arguments, environment: environment, input: input)
    }
}
