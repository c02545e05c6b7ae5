#if Hub
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore

/// HTTP/1 whose requests are answered by the thread that reads them: most answers are short, and a change of threads
/// costs more than a good part of one. What is not short leaves the thread: ``off(_:)``.
struct LoopChannel: ServerChildChannel {
    private let base: HTTP1Channel

    static func builder(_ configuration: HTTP1Channel.Configuration) -> HTTPServerBuilder {
        HTTPServerBuilder { Self(base: HTTP1Channel(responder: $0, configuration: configuration)) }
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        base.setup(channel: channel, logger: logger)
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async {
        await withTaskExecutorPreference(LoopExecutor(value.channel.eventLoop)) {
            await base.handle(value: value, logger: logger)
        }
    }

    /// Runs what may keep a thread busy for long, so that it does not keep others' requests waiting.
    static func off<Value>(_ work: () async throws -> Value) async throws -> Value {
        try await withTaskExecutorPreference(globalConcurrentExecutor, operation: work)
    }
}

/// Runs tasks on an event loop's thread.
private final class LoopExecutor: TaskExecutor {
    private let loop: any EventLoop

    init(_ loop: any EventLoop) {
        self.loop = loop
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        loop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
#endif
