import BreezeCore
public import BreezeTransport
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The way out for an app that wants no package beside this one: the system's own HTTP client, by the same rules as
/// the hub's. The system decides on proxies and trusted certificates, which are always checked;
/// ``TransportSettings/proxy`` and ``TransportSettings/extraTrustRoots`` are not heeded.
public final class URLSessionTransport: HTTPTransport {
    private let settings: TransportSettings
    private let ledger: EgressLedger?
    private let agent: String
    private let clock: any Clock<Duration>
    private let egress: EgressSwitch
    private let client: EgressClient?
    private let exchanges: URLSessionExchanges
    private let session: URLSession

    /// As ``AsyncHTTPTransport`` takes them; `ledger` is `nil` for an app that keeps no account of its connections.
    public init(
        ledger: EgressLedger?,
        version: String,
        settings: TransportSettings = TransportSettings(),
        clock: any Clock<Duration> = ContinuousClock(),
        egress: EgressSwitch = .alwaysAllowed,
        client: EgressClient? = nil
    ) {
        self.settings = settings
        self.ledger = ledger
        self.clock = clock
        self.egress = egress
        self.client = client
        agent = "breeze/\(version)"
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        // Silence is watched here, since the system's own count goes on while a reader takes nothing.
        configuration.timeoutIntervalForRequest = 86_400
        configuration.timeoutIntervalForResource = 7 * 86_400
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        exchanges = URLSessionExchanges()
        session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: queue)
    }

    deinit { session.finishTasksAndInvalidate() }

    public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        var request = request
        for hop in 0...settings.redirectLimit {
            try RedirectRule.check(request)
            let (exchange, head, entry) = try await NeverSent.only(onFirst: hop) { try await begin(request) }
            do {
                guard let next = try RedirectRule.next(request, status: head.status, headers: head.headers)
                else {
                    let body = relay(exchange, request.url, entry)
                    return HTTPResponse(
                        status: head.status,
                        headers: head.headers,
                        url: request.url,
                        body: body
                    )
                }
                await end(entry, .finished)
                exchange.cancel()
                request = next
            } catch {
                exchange.cancel()
                await end(entry, .failed)
                throw error
            }
        }
        throw BreezeError(
            .invalidResponse,
            "\(request.url.withoutSecrets) redirects more than \(settings.redirectLimit) times."
        )
    }

    /// One hop, up to the header of its answer.
    private func begin(
        _ request: HTTPRequest
    ) async throws -> (URLSessionExchange, URLSessionExchange.Head, EgressEntry?) {
        let asker = request.client ?? client
        do { try egress.check() } catch {
            await ledger?.refuse(request.url, purpose: request.purpose, client: asker, proxy: nil)
            throw error
        }
        let message = message(request)
        var entry = try await ledger?.begin(
            request.url,
            purpose: request.purpose,
            client: asker,
            bytesUp: Int64(request.headers.byteCount + request.body.count)
        )
        let exchange = exchanges.start(session.dataTask(with: message), url: request.url)
        do {
            let head = try await watched(settings.connectTimeout + settings.idleTimeout, request.url) {
                try await exchange.head()
            }
            entry?.status = head.status
            entry?.bytesDown = Int64(head.headers.byteCount)
            return (exchange, head, entry)
        } catch {
            exchange.cancel()
            await end(entry, EgressEntry.Outcome(of: error))
            throw error
        }
    }

    private func message(_ request: HTTPRequest) -> URLRequest {
        var message = URLRequest(url: request.url)
        message.httpMethod = request.method
        for (name, value) in request.headers.pairs { message.addValue(value, forHTTPHeaderField: name) }
        message.setValue(agent, forHTTPHeaderField: "User-Agent")
        if request.headers["Accept-Encoding"] == nil {
            message.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        }
        #if canImport(FoundationNetworking)
        // libcurl sends a request again by itself where a connection that it kept turns out to be dead, and the
        // server may have worked on the first one.
        message.setValue("close", forHTTPHeaderField: "Connection")
        #endif
        if !request.body.isEmpty { message.httpBody = Data(request.body) }
        return message
    }

    /// One step of waiting for the server: for no longer than `limit`, and not while nothing may leave the device.
    private func watched<Value: Sendable>(
        _ limit: Duration,
        _ url: URL,
        _ step: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let (clock, egress, idle) = (clock, egress, settings.idleTimeout)
        return try await withThrowingTaskGroup(of: Value.self) { group in
            group.addTask { try await step() }
            group.addTask {
                try await clock.sleep(for: limit)
                throw TransportFault.silent(url, idle)
            }
            group.addTask { try await egress.untilForbidden() }
            defer { group.cancelAll() }
            guard let value = try await group.next() else { throw CancellationError() }
            return value
        }
    }

    private func relay(_ exchange: URLSessionExchange, _ url: URL, _ entry: EgressEntry?) -> HTTPBody {
        let (account, limit) = (BodyAccount(entry, ledger), settings.idleTimeout)
        return HTTPBody(
            next: { [self] in
                do {
                    let piece = try await watched(limit, url) { try await exchange.next() }
                    if let piece { account.add(piece.count) } else { await account.end(.finished) }
                    return piece
                } catch {
                    exchange.cancel()
                    await account.end(EgressEntry.Outcome(of: error))
                    throw error
                }
            },
            close: {
                exchange.cancel()
                Task { await account.end(.cancelled) }
            }
        )
    }

    private func end(_ entry: EgressEntry?, _ outcome: EgressEntry.Outcome) async {
        guard var entry else { return }
        entry.outcome = outcome
        await ledger?.end(entry)
    }
}
