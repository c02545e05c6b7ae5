#if Hub
import BreezeCore
import BreezeMail
import Foundation
import Synchronization

/// A message to read, and what came of it.
final class ParseJob: Sendable {
    enum Source: Sendable {
        case file
        case mbox(MboxEntry)
        case bytes([UInt8])
    }

    enum Outcome: Sendable {
        case message(MessageRecord, FileStamp)
        /// Nothing of that name is there any more.
        case vanished
        case failed(BreezeError)
        /// Too large to be read ahead: see ``ParsePool/parseLarge(_:)``.
        case large
    }

    let path: String
    let source: Source
    /// What the place is written from, where it is no file's own.
    let stamp: FileStamp?
    private let done = DispatchSemaphore(value: 0)
    private let outcome = Mutex<Outcome?>(nil)

    init(path: String, source: Source, stamp: FileStamp? = nil) {
        self.path = path
        self.source = source
        self.stamp = stamp
    }

    func finish(_ value: Outcome) {
        outcome.withLock { $0 = value }
        done.signal()
    }

    /// Waits for it.
    func wait() -> Outcome {
        done.wait()
        return outcome.withLock { value in
            defer { value = nil }
            return value ?? .vanished
        }
    }
}

/// Parses on threads of its own, since a parser blocks its thread. Whoever adds jobs bounds how many wait, and takes
/// them in the order in which they were added.
///
/// A message above a megabyte is not read ahead, so that a window of jobs holds a window of megabytes and no more.
final class ParsePool: Sendable {
    private let parser: any MessageParser
    private let limits: MailLimits
    private let threads: Int
    private let queue = Mutex(Queue())
    private let waiting = DispatchSemaphore(value: 0)

    private struct Queue {
        var jobs: [ParseJob] = []
        var first = 0
        var isEnded = false
    }

    init(_ parser: any MessageParser, limits: MailLimits, threads: Int) {
        self.parser = parser
        self.limits = limits
        self.threads = threads
        for _ in 0..<threads {
            let thread = Thread { [self] in work() }
            // As deep as the main thread's everywhere: MIME nests.
            thread.stackSize = 8 << 20
            thread.qualityOfService = .utility
            thread.name = "breeze.mail.parse"
            thread.start()
        }
    }

    func add(_ job: ParseJob) {
        queue.withLock { $0.jobs.append(job) }
        waiting.signal()
    }

    /// Ends the threads; what nobody took is not parsed.
    func end() {
        queue.withLock { $0.isEnded = true }
        for _ in 0..<threads { waiting.signal() }
    }

    private func work() {
        while true {
            waiting.wait()
            let job: ParseJob? = queue.withLock { queue in
                guard !queue.isEnded, queue.first < queue.jobs.count else { return nil }
                defer {
                    queue.first += 1
                    if queue.first == queue.jobs.count { queue = Queue(isEnded: queue.isEnded) }
                }
                return queue.jobs[queue.first]
            }
            guard let job else { return }
            job.finish(parse(job, isAhead: true))
        }
    }

    /// On the caller's thread.
    func parseLarge(_ job: ParseJob) -> ParseJob.Outcome { parse(job, isAhead: false) }

    private func parse(_ job: ParseJob, isAhead: Bool) -> ParseJob.Outcome {
        do {
            switch job.source {
            case .bytes(let bytes):
                return try record(.bytes(bytes), job.stamp)
            case .mbox(let entry):
                if isAhead, entry.length > MailFile.largestInMemory { return .large }
                return try record(.mbox(URL(filePath: job.path), entry), job.stamp)
            case .file:
                guard let (stamp, content) = try MailFile.read(job.path) else { return .vanished }
                switch content {
                case .bytes(let bytes): return try record(.bytes(bytes), stamp)
                case .large where isAhead: return .large
                case .large: return try record(.file(URL(filePath: job.path)), stamp)
                }
            }
        } catch {
            return .failed(IndexFailure(path: job.path, error).error)
        }
    }

    private func record(_ source: MailSource, _ stamp: FileStamp?) throws -> ParseJob.Outcome {
        guard let stamp else { return .vanished }
        return .message(MessageRecord(try parser.parse(source, limits: limits)), stamp)
    }
}
#endif
