import BreezeCore
import CSandbox
import Foundation
import Synchronization

/// A process that speaks in frames over its standard input and output. Three threads serve it, each of which waits in
/// one system call: for its words, for its complaints, and for its end.
///
/// It is always reaped, and its descriptors are closed, whoever ended it and whether or not anybody still holds this.
final class WorkerProcess: Sendable {
    struct Callbacks: Sendable {
        /// On the reading thread. A fault ends the process.
        var frame: @Sendable (Frame) throws -> Void
        /// Once, before ``ended``, where what the process said was no frame.
        var fault: @Sendable (WireFault) -> Void
        /// Once, when it is reaped, all that it said was passed on, and everything is closed.
        var ended: @Sendable (WorkerCrash) -> Void
    }

    let id: pid_t
    private let isReaped = Mutex(false)
    private let writer: ChannelWriter
    private let channel: Int32
    private let errors: Int32
    private let callbacks: Callbacks
    private let tail = ErrorTail()
    private let said = Latch()
    private let complained = Latch()

    /// - Throws: ``BreezeError`` where the program does not start.
    static func start(_ launch: WorkerLaunch, callbacks: Callbacks) async throws -> WorkerProcess {
        try await withCheckedThrowingContinuation { continuation in
            // Starting a program takes a moment in which the thread can do nothing else.
            Thread.start("worker-life") {
                do {
                    let process = try WorkerProcess(launch, callbacks)
                    continuation.resume(returning: process)
                    process.live()
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        }
    }

    private init(_ launch: WorkerLaunch, _ callbacks: Callbacks) throws {
        var channel: [Int32] = [-1, -1]
        var errors: [Int32] = [-1, -1]
        var fault = process_channel(&channel)
        if fault == 0 { fault = process_pipe(&errors) }
        var id: pid_t = 0
        if fault == 0 { fault = Self.spawn(launch, channel[1], errors[1], &id) }
        for end in [channel[1], errors[1]] where end >= 0 { close(end) }
        guard fault == 0 else {
            for end in [channel[0], errors[0]] where end >= 0 { close(end) }
            throw Self.failure(launch, fault)
        }
        self.id = id
        self.channel = channel[0]
        self.errors = errors[0]
        self.callbacks = callbacks
        writer = ChannelWriter(channel[0])
    }

    private static func spawn(
        _ launch: WorkerLaunch,
        _ channel: Int32,
        _ errors: Int32,
        _ id: inout pid_t
    ) -> Int32 {
        let path = launch.executable.path(percentEncoded: false)
        let arguments = ([path] + launch.arguments).map { strdup($0) }
        let environment = launch.environment.map { strdup("\($0.key)=\($0.value)") }
        defer { for string in arguments + environment { free(string) } }
        return process_start(path, arguments + [nil], environment + [nil], channel, errors, &id)
    }

    private static func failure(_ launch: WorkerLaunch, _ fault: Int32) -> BreezeError {
        let path = launch.executable.path(percentEncoded: false)
        guard fault == ENOENT || fault == EACCES || fault == ENOEXEC else {
            return BreezeError(
                .unavailable,
                "No worker process could be started: \(String(cString: strerror(fault))).",
                remedy: "Close other programs, then try again."
            )
        }
        return BreezeError(
            .unavailable,
            "The program of the workers, \(path), cannot be run: \(String(cString: strerror(fault))).",
            remedy: "Install Breeze again, or put its program back there."
        )
    }

    func send(_ bytes: [UInt8]) {
        writer.send(bytes)
    }

    /// Ends it and all that it started. Its end is told as any other.
    func kill() {
        isReaped.withLock { isReaped in
            // Until it is reaped, the number is its own.
            if !isReaped { _ = Foundation.kill(-id, SIGKILL) }
        }
    }

    var residentMemory: Int64? {
        let bytes = isReaped.withLock { $0 ? -1 : process_resident_memory(id) }
        return bytes >= 0 ? bytes : nil
    }

    private func live() {
        Thread.start("worker-words") { [self] in listen() }
        Thread.start("worker-errors") { [self] in
            Self.read(errors, capacity: 4 << 10) { piece in
                tail.append(piece)
                return true
            }
            close(errors)
            complained.open()
        }
        _ = process_wait(id)
        var (code, signal) = (Int32(-1), Int32(0))
        isReaped.withLock { isReaped in
            process_reap(id, &code, &signal)
            isReaped = true
        }
        // Whoever it started outside its group may hold the other ends open: those are not waited for long.
        #if os(Linux)
        writer.shutDown()
        #endif
        said.wait(atMost: 2)
        complained.wait(atMost: 0.2)
        writer.close()
        callbacks.ended(
            WorkerCrash(
                exitCode: code >= 0 ? code : nil,
                signal: signal > 0 ? SignalName.of(signal) : nil,
                standardError: tail.text
            )
        )
    }

    private func listen() {
        var decoder = FrameDecoder()
        Self.read(channel, capacity: 64 << 10) { piece in
            decoder.append(piece)
            do {
                while let frame = try decoder.next() { try callbacks.frame(frame) }
                return true
            } catch {
                callbacks.fault(error as? WireFault ?? WireFault("\(error)"))
                return false
            }
        }
        // A worker that says no more is of no use, even where it goes on.
        kill()
        said.open()
    }

    /// Until the end, or until `take` returns `false`.
    private static func read(
        _ descriptor: Int32,
        capacity: Int,
        take: (UnsafeRawBufferPointer) -> Bool
    ) {
        withUnsafeTemporaryAllocation(byteCount: capacity, alignment: 16) { buffer in
            while true {
                let count = Foundation.read(descriptor, buffer.baseAddress, capacity)
                if count < 0, errno == EINTR { continue }
                guard count > 0, take(UnsafeRawBufferPointer(rebasing: buffer[..<count])) else { return }
            }
        }
    }
}

enum SignalName {
    private static let names: [Int32: String] = [
        SIGABRT: "SIGABRT", SIGBUS: "SIGBUS", SIGFPE: "SIGFPE", SIGHUP: "SIGHUP", SIGILL: "SIGILL",
        SIGINT: "SIGINT", SIGKILL: "SIGKILL", SIGPIPE: "SIGPIPE", SIGSEGV: "SIGSEGV", SIGSYS: "SIGSYS",
        SIGTERM: "SIGTERM", SIGTRAP: "SIGTRAP", SIGXCPU: "SIGXCPU", SIGXFSZ: "SIGXFSZ",
    ]

    static func of(_ number: Int32) -> String { names[number] ?? "signal \(number)" }
}
