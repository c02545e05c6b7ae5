import BreezeCore
import Foundation

/// A program of the system that says a little and ends.
package struct SystemCommand: Sendable {
    package struct Outcome: Sendable {
        package var code: Int32
        /// Of both streams: what is asked for stands in lines of its own.
        package var output: String

        package init(code: Int32, output: String = "") {
            (self.code, self.output) = (code, output)
        }
    }

    /// Runs a program, found by its name, with arguments. Tests put another one in its place.
    package let run: @Sendable (_ name: String, _ arguments: [String]) async throws -> Outcome

    package init(run: @escaping @Sendable (_ name: String, _ arguments: [String]) async throws -> Outcome) {
        self.run = run
    }
}

#if os(Linux) || os(macOS)
extension SystemCommand {
    /// Starts a process of the system; `PATH` tells where it is looked for. One that is not there has the
    /// code 127.
    package static let system = SystemCommand { name, arguments in
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [name] + arguments
        // What it says is read by us, and shown: no colours, and in English.
        let plain = ["LC_ALL": "C.UTF-8", "SYSTEMD_COLORS": "0", "SYSTEMD_PAGER": "", "SYSTEMD_URLIFY": "0"]
        process.environment = ProcessInfo.processInfo.environment.merging(plain) { $1 }
        process.standardInput = FileHandle.nullDevice
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                // The pool's threads are for work that does not wait.
                let thread = Thread { continuation.resume(with: Result { try live(process) }) }
                thread.name = "service"
                thread.start()
            }
        } onCancel: {
            if process.isRunning { process.terminate() }
        }
    }

    private static func live(_ process: Process) throws -> Outcome {
        let pipe = Pipe()
        (process.standardOutput, process.standardError) = (pipe, pipe)
        do {
            try process.run()
            let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            return Outcome(code: process.terminationStatus, output: String(decoding: data, as: UTF8.self))
        } catch {
            throw BreezeError(
                .inputOutput,
                "A program of the system could not be started: \(error.localizedDescription)",
                underlying: error
            )
        }
    }
}
#endif
