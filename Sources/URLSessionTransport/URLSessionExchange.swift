import BreezeCore
import BreezeTransport
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One request and its answer: what the delegate hears, handed to one reader.
///
/// The system delivers whether or not anybody reads. On Apple's, the task is suspended from ``highWater`` on, which
/// stops the server once the system's own buffers are full. FoundationNetworking's goes on receiving while it is
/// suspended (Swift 6.3: 40 MB within a second, nobody reading), so there ``limit`` alone bounds what is kept.
final class URLSessionExchange: Sendable {
    struct Head: Sendable {
        let status: Int
        let headers: HeaderFields
    }

    #if canImport(FoundationNetworking)
    private static let highWater = Int.max
    #else
    private static let highWater = 256 << 10
    #endif
    /// What is beyond it ends the answer with an error.
    static let limit = 32 << 20

    private struct State {
        var head: Result<Head, any Error>?
        var headWaiter: CheckedContinuation<Head, any Error>?
        var buffer: [UInt8] = []
        var reader: CheckedContinuation<[UInt8]?, any Error>?
        var end: Result<Void, any Error>?
        var isSuspended = false
    }

    private let task: URLSessionTask
    private let url: URL
    private let state = Mutex(State())

    init(_ task: URLSessionTask, url: URL) {
        self.task = task
        self.url = url
    }

    /// Waits for the header; to be called once.
    func head() async throws -> Head {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let head = state.withLock { state in
                    if state.head == nil { state.headWaiter = continuation }
                    return state.head
                }
                if let head { continuation.resume(with: head) }
            }
        } onCancel: {
            cancel()
        }
    }

    /// What has come since the last call; `nil` after the last byte.
    func next() async throws -> [UInt8]? {
        try await withTaskCancellationHandler {
            try Task.checkCancellation()
            return try await withCheckedThrowingContinuation { continuation in
                let outcome: Result<[UInt8]?, any Error>? = state.withLock { state in
                    if !state.buffer.isEmpty {
                        // Under the lock, so that it never overtakes the suspension that it ends.
                        if state.isSuspended { task.resume() }
                        defer { (state.buffer, state.isSuspended) = ([], false) }
                        return .success(state.buffer)
                    }
                    if let end = state.end { return end.map { nil } }
                    state.reader = continuation
                    return nil
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            cancel()
        }
    }

    func cancel() {
        finish(throwing: CancellationError())
        task.cancel()
    }

    func received(_ head: Head) {
        let waiter = state.withLock { state in
            if state.head == nil { state.head = .success(head) }
            defer { state.headWaiter = nil }
            return state.headWaiter
        }
        waiter?.resume(returning: head)
    }

    func received(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        let (reader, isTooMuch) = state.withLock { state in
            guard state.end == nil else {
                return (nil as CheckedContinuation<[UInt8]?, any Error>?, false)
            }
            if let reader = state.reader {
                state.reader = nil
                return (reader, false)
            }
            state.buffer += bytes
            if state.buffer.count >= Self.highWater, !state.isSuspended {
                state.isSuspended = true
                task.suspend()
            }
            return (nil, state.buffer.count > Self.limit)
        }
        reader?.resume(returning: bytes)
        if isTooMuch {
            finish(
                throwing: BreezeError(
                    .invalidResponse,
                    "\(url.withoutSecrets) sent faster than its answer could be taken."
                )
            )
            task.cancel()
        }
    }

    /// The task is over, whether it went well or not.
    func completed(_ error: (any Error)?) {
        guard let error else { return finish(throwing: nil) }
        finish(throwing: URLSessionFault.translated(error, url))
    }

    private func finish(throwing error: (any Error)?) {
        let (waiter, reader) = state.withLock { state in
            if state.end == nil { state.end = error.map { .failure($0) } ?? .success(()) }
            if state.head == nil {
                state.head = .failure(error ?? TransportFault.unreachable(url, "it gave no answer"))
            }
            // What came before a failure is delivered first; nobody wants it after a cancellation.
            if error is CancellationError { state.buffer = [] }
            defer { (state.headWaiter, state.reader) = (nil, nil) }
            return (state.headWaiter.map { ($0, state.head) }, state.reader)
        }
        if let (waiter, head) = waiter, let head { waiter.resume(with: head) }
        if let error { reader?.resume(throwing: error) } else { reader?.resume(returning: nil) }
    }
}

/// Hands what the session says to the exchange that it is about.
final class URLSessionExchanges: NSObject, URLSessionDataDelegate {
    private let running = Mutex<[Int: URLSessionExchange]>([:])

    func start(_ task: URLSessionDataTask, url: URL) -> URLSessionExchange {
        let exchange = URLSessionExchange(task, url: url)
        running.withLock { $0[task.taskIdentifier] = exchange }
        task.resume()
        return exchange
    }

    private func exchange(_ task: URLSessionTask) -> URLSessionExchange? {
        running.withLock { $0[task.taskIdentifier] }
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        if let response = response as? HTTPURLResponse {
            let fields = response.allHeaderFields.compactMap { name, value in
                (name as? String).map { ($0, "\(value)") }
            }
            exchange(dataTask)?.received(
                URLSessionExchange.Head(status: response.statusCode, headers: HeaderFields(fields))
            )
        }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        exchange(dataTask)?.received([UInt8](data))
    }

    /// ``RedirectRule`` decides.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let exchange = running.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        exchange?.completed(error)
    }
}

/// What the system's HTTP client throws, in our words.
enum URLSessionFault {
    static func translated(_ error: any Error, _ url: URL) -> any Error {
        guard let error = error as? URLError else {
            return TransportFault.unreachable(url, "the connection broke", underlying: error)
        }
        return switch error.code {
        case .cancelled: CancellationError()
        case .timedOut:
            BreezeError(
                .timeout,
                "\(url.withoutSecrets): no answer in time.",
                remedy: "Check the connection, then try again.",
                underlying: error
            )
        case .cannotConnectToHost:
            TransportFault.unreachable(url, "nobody answers there", underlying: NeverSent(underlying: error))
        case .cannotFindHost, .dnsLookupFailed:
            TransportFault.unreachable(
                url,
                "its name is not known here",
                underlying: NeverSent(underlying: error)
            )
        case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
            .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
            .clientCertificateRequired:
            unproven(error, url)
        // libcurl has a number for it, which FoundationNetworking does not pass on: its text alone tells.
        case .unknown where error.localizedDescription.contains("certificate"): unproven(error, url)
        case .networkConnectionLost:
            TransportFault.unreachable(url, "the server closed the connection early", underlying: error)
        default: TransportFault.unreachable(url, "the connection broke", underlying: error)
        }
    }

    private static func unproven(_ error: URLError, _ url: URL) -> BreezeError {
        BreezeError(
            .insecureConnection,
            "\(url.withoutSecrets) did not prove that it is that server.",
            remedy: "Check the address and this device's clock.",
            underlying: error
        )
    }
}
