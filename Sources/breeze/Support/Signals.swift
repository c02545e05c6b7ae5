import Foundation
import Synchronization

/// Where the signal handler writes what came.
private let signalPipe = Atomic<Int32>(-1)

/// Ctrl-C and SIGTERM: the first one asks the work to end, a second one ends the program at once, and work
/// that has not ended within ``grace`` is ended.
final class Signals: Sendable {
    static let shared = Signals()

    /// Long enough for a decode step and for taking half-written files away.
    private static let grace: UInt32 = 5

    private struct State {
        /// The first signal that asked the whole program to end.
        var received: Int32?
        var cancelWork: (@Sendable (Int32) -> Void)?
        /// Takes Ctrl-C over from the program as a whole.
        var interrupt: (@Sendable () -> Void)?
        /// What SIGHUP asks for.
        var hangup: (@Sendable () -> Void)?
        /// Undoes what must not outlive a program that is ended at once.
        var beforeExit: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    private init() {}

    /// To be called once, before the work begins.
    func begin() {
        Self.fillStandardDescriptors()
        // A write to a closed pipe becomes an error of that write.
        signal(SIGPIPE, SIG_IGN)
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let source = ends[0]
        signalPipe.store(ends[1], ordering: .sequentiallyConsistent)
        let thread = Thread { [self] in watch(source) }
        thread.name = "signals"
        thread.start()
        for number in [SIGINT, SIGTERM] { Self.handle(number) }
    }

    /// Where a standard stream was closed by whoever started the program, the next file that is opened would
    /// get its place, and receive what is meant for the stream.
    private static func fillStandardDescriptors() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
            _ = open("/dev/null", O_RDWR)
        }
    }

    /// One that whoever started the program has set to be ignored stays so, as for any background job.
    private static func handle(_ number: Int32) {
        var old = sigaction()
        guard sigaction(number, nil, &old) == 0 else { return }
        #if canImport(Darwin)
        let handler = old.__sigaction_u.__sa_handler
        #else
        let handler = old.__sigaction_handler.sa_handler
        #endif
        if unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) { return }
        signal(number) { number in
            // All that a handler may safely do is to pass the number on.
            var byte = UInt8(truncatingIfNeeded: number)
            _ = write(signalPipe.load(ordering: .sequentiallyConsistent), &byte, 1)
        }
    }

    private func watch(_ source: Int32) {
        var byte: UInt8 = 0
        while true {
            let count = read(source, &byte, 1)
            if count == 1 { receive(Int32(byte)) } else if count == 0 || errno != EINTR { return }
        }
    }

    private func receive(_ number: Int32) {
        if number == SIGHUP {
            state.withLock { $0.hangup }?()
            return
        }
        let (action, isFirst) = state.withLock { state -> ((@Sendable () -> Void)?, Bool) in
            if number == SIGINT, let interrupt = state.interrupt { return (interrupt, true) }
            guard state.received == nil else { return (nil, false) }
            state.received = number
            let cancel = state.cancelWork
            return ({ cancel?(number) }, true)
        }
        guard isFirst else { end(number) }
        action?()
        guard received != nil else { return }
        let last = Thread { [self] in
            sleep(Self.grace)
            end(number)
        }
        last.start()
    }

    private func end(_ number: Int32) -> Never {
        state.withLock { $0.beforeExit }?()
        _exit(128 + number)
    }

    /// What to do before the program is ended without unwinding, until it is set to `nil` again.
    func beforeExit(_ action: (@Sendable () -> Void)?) {
        state.withLock { $0.beforeExit = action }
    }

    /// The signal that ends the program, once there was one.
    var received: Int32? { state.withLock { $0.received } }

    /// What the first signal does.
    func onSignal(_ cancel: @escaping @Sendable (Int32) -> Void) {
        let missed = state.withLock { state in
            state.cancelWork = cancel
            return state.received
        }
        if let missed { cancel(missed) }
    }

    /// Gives SIGHUP the meaning that a service's has: to take up what changed. Without one it ends the program.
    func onHangup(_ action: @escaping @Sendable () -> Void) {
        state.withLock { $0.hangup = action }
        Self.handle(SIGHUP)
    }

    /// Gives Ctrl-C another meaning, any number of times, until it is set to `nil` again.
    func onInterrupt(_ action: (@Sendable () -> Void)?) {
        state.withLock { $0.interrupt = action }
    }
}
