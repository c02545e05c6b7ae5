import Logging
import Synchronization

/// Keeps what is logged at a level or above.
final class LogCollector: Sendable {
    private let lines: Mutex<[String]> = Mutex([])
    private let level: Logger.Level

    init(level: Logger.Level = .warning) { self.level = level }

    var all: [String] { lines.withLock { $0 } }

    var logger: Logger { Logger(label: "test") { _ in Handler(collector: self) } }

    private struct Handler: LogHandler {
        let collector: LogCollector
        var metadata: Logger.Metadata = [:]
        var logLevel: Logger.Level {
            get { collector.level }
            set {}
        }

        init(collector: LogCollector) { self.collector = collector }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            collector.lines.withLock { $0.append("\(event.message)") }
        }
    }
}
