import CSandbox
import Foundation

/// The serving side: what a worker program calls, and all that it does.
public enum WorkerHost {
    /// Serves one host over standard input and output until that ends, then ends the process. To be called before
    /// anything else is opened.
    ///
    /// A thread of its own reads what the host says and ends the process where the host has gone, however that came
    /// about: no worker outlives its host. (Linux' parent-death signal would not do: it comes when the *thread* ends
    /// that started the worker.)
    ///
    /// The host refuses a worker of another version than its own.
    public static func serve(_ registry: WorkerRegistry, version: String) async -> Never {
        var protection = sandbox_protection()
        sandbox_harden(&protection)
        // A host that has gone is an error of a write; Ctrl-C in the terminal is the host's to handle.
        for number in [SIGPIPE, SIGINT] { signal(number, SIG_IGN) }
        signal(SIGTERM, SIG_DFL)
        guard let channel = try? HostChannel() else {
            complain("breeze: a worker is started by Breeze itself, with its standard streams open.")
            _exit(64)
        }
        let server = WorkerServer(registry, version: version, channel: channel, protection: protection)
        Thread.start("host") {
            server.serve()
            _exit(0)
        }
        // Nothing resumes it: the thread above ends the process.
        while true { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
    }

    static func complain(_ text: String) {
        let line = Array((text + "\n").utf8)
        _ = write(STDERR_FILENO, line, line.count)
    }
}
