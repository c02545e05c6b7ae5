import BreezeTestSupport
import Foundation
import Testing

/// The real program as a child process, with a home of its own and nothing of the caller's settings.
struct Program {
    struct Outcome {
        let code: Int32
        let output: String
        let errors: String

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

    /// Starts it; input and both outputs are files, so that neither side can block the other.
    func start(_ arguments: [String], input: Data = Data()) throws -> Running {
        let name = UUID().uuidString
        let executable: URL = try #require(Self.executable)
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.environment = environment
        let question = try folder.write("\(name).in", Array(input))
        let output = try folder.write("\(name).out", "")
        let errors = try folder.write("\(name).err", "")
        process.standardInput = try FileHandle(forReadingFrom: question)
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        return Running(folder: folder, process: process, output: output, errors: errors)
    }

    func run(_ arguments: String..., input: String = "") throws -> Outcome {
        try start(arguments, input: Data(input.utf8)).wait()
    }

    func run(_ arguments: [String], bytes: [UInt8]) throws -> Outcome {
        try start(arguments, input: Data(bytes)).wait()
    }

    struct Running {
        /// Held, since its files go with it.
        let folder: ScratchFolder
        let process: Process
        let output: URL
        let errors: URL

        func wait() throws -> Outcome {
            process.waitUntilExit()
            let code = process.terminationStatus
            return Outcome(
                code: process.terminationReason == .uncaughtSignal ? -code : code,
                output: try String(contentsOf: output, encoding: .utf8),
                errors: try String(contentsOf: errors, encoding: .utf8)
            )
        }

        /// Waits until the program has written `text`; `false` where it ends without having done so.
        func hasWritten(_ text: String) throws -> Bool {
            while true {
                let isRunning = process.isRunning
                if try String(contentsOf: output, encoding: .utf8).contains(text) { return true }
                if !isRunning { return false }
                sched_yield()
            }
        }
    }
}
