package import Foundation
import Subprocess

#if canImport(System)
import System
#else
import SystemPackage
#endif

/// A program that a test runs beside itself.
///
/// Swift's pool has a thread a core, and tests that wait on all of them for children end nothing: here a thread is
/// held by none. A child that is not done at the deadline is ended, and so is one whose test fails meanwhile.
package struct ChildProcess: Sendable {
    package struct Outcome: Sendable {
        /// The exit code; the negative number of the signal that ended the child.
        package let code: Int32
        package let output: String
        package let errors: String
    }

    package let executable: URL
    package var arguments: [String]
    /// `nil` is the environment of the tests.
    package var environment: [String: String]?
    /// What the child finds in standard input.
    package var input: [UInt8]
    /// Makes standard output a terminal.
    package var hasTerminal = false
    /// Counted from its start; before, it may have waited for a place.
    package var deadline = Duration.seconds(120)
    /// Ends what the child started in its turn with it. Not for every child, since Ctrl-C reaches none of a group
    /// of its own.
    var leadsGroup = false

    package init(
        _ executable: URL,
        _ arguments: [String] = [],
        environment: [String: String]? = nil,
        input: [UInt8] = []
    ) {
        self.executable = executable
        self.arguments = arguments
        self.environment = environment
        self.input = input
    }

    /// A line for `/bin/sh`, in which `$0` is the first argument.
    package static func shell(
        _ line: String,
        _ arguments: [String],
        environment: [String: String]
    ) -> ChildProcess {
        let shell = URL(filePath: "/bin/sh")
        var child = ChildProcess(shell, ["-c", line] + arguments, environment: environment)
        child.leadsGroup = true
        return child
    }

    /// Runs the child to its end.
    /// - Parameter body: What to do meanwhile. Where it throws, the child is killed; where it returns, the child's
    ///   own end is awaited.
    /// - Returns: How it ended and all it has written.
    /// - Throws: ``ChildFailure`` where the child is not done in time, what `body` throws, and what keeps the child
    ///   from starting.
    package func run(
        _ body: @escaping @Sendable (RunningChild) async throws -> Void = { _ in }
    ) async throws -> Outcome {
        try await ChildPlaces.withOne {
            let child = RunningChild(command: ([executable.path] + arguments).joined(separator: " "))
            return try await withThrowingTaskGroup(of: Outcome?.self) { group in
                defer { group.cancelAll() }
                group.addTask { try await launch(child, body) }
                group.addTask {
                    try await Task.sleep(for: deadline)
                    return nil
                }
                guard let outcome = try await group.next() ?? nil else {
                    throw child.failure("not done after \(deadline) and killed")
                }
                return outcome
            }
        }
    }

    private func launch(
        _ child: RunningChild,
        _ body: @escaping @Sendable (RunningChild) async throws -> Void
    ) async throws -> Outcome {
        guard hasTerminal else {
            return try await launch(child, output: .sequence, body) { $0.standardOutput.map(\.array) }
        }
        let terminal = try Terminal()
        let programSide = FileDescriptor(rawValue: terminal.programSide)
        return try await launch(
            child,
            output: .fileDescriptor(programSide, closeAfterSpawningProcess: true),
            body
        ) { _ in terminal.pieces() }
    }

    private func launch<Output: OutputProtocol, Pieces: AsyncSequence & SendableMetatype>(
        _ child: RunningChild,
        output: Output,
        _ body: @escaping @Sendable (RunningChild) async throws -> Void,
        pieces: @escaping @Sendable (Execution<FileDescriptorInput, Output, SequenceOutput>) -> Pieces
    ) async throws -> Outcome where Pieces.Element == [UInt8] {
        let result = try await Subprocess.run(
            configuration,
            input: .fileDescriptor(try openInput(), closeAfterSpawningProcess: true),
            output: output,
            error: .sequence
        ) { execution in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await child.output.fill(from: pieces(execution)) }
                group.addTask { try await child.errors.fill(from: execution.standardError.map(\.array)) }
                group.addTask {
                    try await body(child.sending { try execution.send(signal: Signal(rawValue: $0)) })
                }
                // Not `waitForAll`, which lets a failure wait for the end of the child.
                for try await _ in group {}
            }
        }
        let code =
            switch result.terminationStatus {
            case .exited(let code): code
            case .signaled(let signal): -signal
            }
        return Outcome(code: code, output: child.output.text, errors: child.errors.text)
    }

    private var configuration: Configuration {
        var options = PlatformOptions()
        if leadsGroup {
            options.processGroupID = 0
            options.teardownSequence = [
                .send(signal: .kill, toProcessGroup: true, allowedDurationToNextStep: .seconds(1))
            ]
        }
        let variables = environment.map { pairs in
            Environment.custom(Dictionary(uniqueKeysWithValues: pairs.map { (.init(stringLiteral: $0), $1) }))
        }
        return Configuration(
            executable: .path(FilePath(executable.path)),
            arguments: Arguments(arguments),
            environment: variables ?? .inherit,
            platformOptions: options
        )
    }

    /// A file and not a pipe: a child that ends without having read all of it stops nobody.
    private func openInput() throws -> FileDescriptor {
        guard !input.isEmpty else { return try .open("/dev/null", .readOnly, options: .closeOnExec) }
        let folder = try ScratchFolder()
        return try withExtendedLifetime(folder) {
            let path = FilePath(try folder.write("input", input).path)
            return try .open(path, .readOnly, options: .closeOnExec)
        }
    }
}

extension SubprocessOutputSequence.Buffer {
    fileprivate var array: [UInt8] { withUnsafeBytes { Array($0) } }
}
