import BreezeCore
import CSandbox
import Foundation
import Synchronization

/// A child that says one thing and ends. A thread of its own waits for it; cancelling the task kills it.
final class ExtractionChild: Sendable {
    struct End: Sendable {
        let output: [UInt8]
        /// `exit code 1`, `signal 11`.
        let how: String
    }

    private struct State {
        var id: pid_t?
        var isCancelled = false
    }

    private let executable: URL
    private let arguments: [String]
    private let state = Mutex(State())
    /// An answer is a line; whatever says more is ended.
    private static let longestAnswer = 64 << 10

    init(executable: URL, arguments: [String]) {
        self.executable = executable
        self.arguments = arguments
    }

    func run() async throws -> End {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let thread = Thread { continuation.resume(with: Result { try self.live() }) }
                thread.name = "extraction"
                thread.start()
            }
        } onCancel: {
            state.withLock { state in
                state.isCancelled = true
                if let id = state.id { kill(-id, SIGKILL) }
            }
        }
    }

    private func live() throws -> End {
        var ends: [Int32] = [-1, -1]
        let fault = process_channel(&ends)
        guard fault == 0 else { throw failure(fault) }
        defer { close(ends[0]) }
        let none = open("/dev/null", O_WRONLY | O_CLOEXEC)
        guard none >= 0 else {
            close(ends[1])
            throw failure(errno)
        }
        let id: pid_t
        do {
            defer {
                close(ends[1])
                close(none)
            }
            id = try start(channel: ends[1], errors: none)
        }
        let output = read(ends[0])
        if output.count >= Self.longestAnswer { kill(-id, SIGKILL) }
        _ = process_wait(id)
        var (code, signal) = (Int32(-1), Int32(0))
        state.withLock { state in
            process_reap(id, &code, &signal)
            state.id = nil
        }
        return End(output: output, how: signal > 0 ? "signal \(signal)" : "exit code \(code)")
    }

    private func start(channel: Int32, errors: Int32) throws -> pid_t {
        let path = executable.path(percentEncoded: false)
        let words = ([path] + arguments).map { strdup($0) }
        // Nothing of this process's environment: there may be secrets in it.
        let variables: [String] = ["PATH=/usr/bin:/bin", "SWIFT_BACKTRACE=enable=no"]
        let environment = variables.map { strdup($0) }
        defer { for word in words + environment { free(word) } }
        return try state.withLock { state in
            if state.isCancelled { throw CancellationError() }
            var id: pid_t = 0
            let fault = process_start(path, words + [nil], environment + [nil], channel, errors, &id)
            guard fault == 0 else { throw failure(fault) }
            state.id = id
            return id
        }
    }

    private func read(_ descriptor: Int32) -> [UInt8] {
        var output: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4 << 10)
        while output.count < Self.longestAnswer {
            let count = Foundation.read(descriptor, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            output += piece[..<count]
        }
        return output
    }

    private func failure(_ number: Int32) -> BreezeError {
        BreezeError(
            .unavailable,
            "No process to unpack with could be started: \(String(cString: strerror(number))).",
            remedy: "Close other programs, or install Breeze again, then try again."
        )
    }
}
