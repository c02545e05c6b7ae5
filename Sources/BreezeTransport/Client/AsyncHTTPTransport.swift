#if Hub
import AsyncHTTPClient
import BreezeCore
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// The one way out of the device: HTTP/1.1 over TLS, every hop in the ledger.
///
/// Nothing is sent that identifies the device or its user: `User-Agent` is the product and its version, there
/// are no cookies, and an answer's compression is not asked for, so that bytes are what their digest is of.
/// Its connections end with it.
public final class AsyncHTTPTransport: HTTPTransport {
    /// `HTTP/1.1 200 OK` with both line ends, as most answers begin.
    private static let statusLine: Int64 = 19

    private let settings: TransportSettings
    private let ledger: EgressLedger
    private let agent: String
    private let clock: any Clock<Duration>
    private let egress: EgressSwitch
    private let client: EgressClient?
    private let direct: HTTPClient
    private let proxied: HTTPClient?

    /// `version` is the product's, for `User-Agent`; `clock` is what the idle timeout is counted by; `egress` is
    /// asked before each hop, a redirect's, too, and while one is under way; `client` is whom a request is for that
    /// does not say.
    /// - Throws: ``BreezeError`` `.invalidSetting` where ``TransportSettings/extraTrustRoots`` holds no
    ///   certificates.
    public init(
        ledger: EgressLedger,
        version: String,
        settings: TransportSettings = TransportSettings(),
        clock: any Clock<Duration> = ContinuousClock(),
        egress: EgressSwitch = .alwaysAllowed,
        client: EgressClient? = nil
    ) throws {
        self.settings = settings
        self.ledger = ledger
        self.clock = clock
        self.egress = egress
        self.client = client
        agent = "breeze/\(version)"
        var configuration = HTTPClient.Configuration()
        configuration.tlsConfiguration = try Self.tls(settings)
        configuration.redirectConfiguration = .disallow
        configuration.httpVersion = .http1Only
        configuration.timeout.connect = .nanoseconds(
            Int64(settings.connectTimeout / .nanoseconds(1))
        )
        configuration.connectionPool.retryConnectionEstablishment = false
        let group = MultiThreadedEventLoopGroup.singleton
        direct = HTTPClient(eventLoopGroupProvider: .shared(group), configuration: configuration)
        if let proxy = settings.proxy {
            configuration.proxy = .server(
                host: proxy.host,
                port: proxy.port,
                authorization: proxy.credentials.map {
                    HTTPClient.Authorization.basic(credentials: Data($0.utf8).base64EncodedString())
                }
            )
            proxied = HTTPClient(eventLoopGroupProvider: .shared(group), configuration: configuration)
        } else {
            proxied = nil
        }
    }

    deinit {
        // The client keeps itself until it is done.
        direct.shutdown { _ in }
        proxied?.shutdown { _ in }
    }

    private static func tls(_ settings: TransportSettings) throws -> TLSConfiguration {
        var tls = TLSConfiguration.makeClientConfiguration()
        guard let file = settings.extraTrustRoots else { return tls }
        do {
            tls.additionalTrustRoots = [.certificates(try NIOSSLCertificate.fromPEMFile(file.path))]
        } catch {
            throw BreezeError(
                .invalidSetting,
                "\(file.path) holds no certificates that can be trusted.",
                remedy: "Name a PEM file of the certificates of those who vouch for the server.",
                underlying: error
            )
        }
        return tls
    }

    public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        var request = request
        for hop in 0...settings.redirectLimit {
            try RedirectRule.check(request)
            var (response, entry) = try await NeverSent.only(onFirst: hop) { try await exchange(request) }
            let headers = HeaderFields(response.headers.map { ($0.name, $0.value) })
            let status = Int(response.status.code)
            entry.status = status
            entry.bytesDown = Int64(headers.byteCount) + Self.statusLine
            do {
                if let next = try RedirectRule.next(request, status: status, headers: headers) {
                    // What a redirect says besides the address is not worth reading: its connection is
                    // closed.
                    entry.outcome = .finished
                    await ledger.end(entry)
                    request = next
                    continue
                }
            } catch {
                entry.outcome = .failed
                await ledger.end(entry)
                throw error
            }
            let body = relay(response.body, request, entry)
            return HTTPResponse(status: status, headers: headers, url: request.url, body: body)
        }
        throw BreezeError(
            .invalidResponse,
            "\(request.url.withoutSecrets) redirects more than \(settings.redirectLimit) times."
        )
    }

    /// One hop, up to the header of its answer.
    private func exchange(_ request: HTTPRequest) async throws -> (HTTPClientResponse, EgressEntry) {
        let proxy = settings.proxy.flatMap { $0.serves(request.url) ? $0 : nil }
        let proxyName = proxy.map { "\($0.host):\($0.port)" }
        let asker = request.client ?? client
        do { try egress.check() } catch {
            await ledger.refuse(request.url, purpose: request.purpose, client: asker, proxy: proxyName)
            throw error
        }
        var headers = request.headers
        headers["User-Agent"] = agent
        headers["Accept-Encoding"] = headers["Accept-Encoding"] ?? "identity"
        var message = HTTPClientRequest(url: request.url.withoutFragment)
        message.method = HTTPMethod(rawValue: request.method)
        message.headers = HTTPHeaders(headers.pairs.map { ($0.name, $0.value) })
        if !request.body.isEmpty { message.body = .bytes(request.body) }
        let line = request.method.utf8.count + request.url.path(percentEncoded: true).utf8.count + 12
        var entry = try await ledger.begin(
            request.url,
            purpose: request.purpose,
            client: asker,
            proxy: proxyName,
            bytesUp: Int64(line + headers.byteCount + request.body.count)
        )
        do {
            let route = proxy != nil ? proxied ?? direct : direct
            return (try await head(message, route, request.url), entry)
        } catch {
            entry.outcome = EgressEntry.Outcome(of: error)
            await ledger.end(entry)
            throw error
        }
    }

    private func head(
        _ message: HTTPClientRequest,
        _ client: HTTPClient,
        _ url: URL
    ) async throws -> HTTPClientResponse {
        let (clock, settings, egress) = (clock, settings, egress)
        return try await withThrowingTaskGroup(of: HTTPClientResponse.self) { group in
            group.addTask {
                do { return try await client.execute(message, deadline: .distantFuture) } catch {
                    throw ClientFault.translated(error, url)
                }
            }
            group.addTask {
                try await clock.sleep(for: settings.connectTimeout + settings.idleTimeout)
                throw TransportFault.silent(url, settings.idleTimeout)
            }
            group.addTask { try await egress.untilForbidden() }
            defer { group.cancelAll() }
            guard let response = try await group.next() else { throw CancellationError() }
            return response
        }
    }

    private func relay(
        _ body: HTTPClientResponse.Body,
        _ request: HTTPRequest,
        _ entry: EgressEntry
    ) -> HTTPBody {
        let (relay, ledger) = (BodyRelay(), ledger)
        let watch = BodyRelay.Watch(timeout: settings.idleTimeout, clock: clock, egress: egress)
        relay.start(body, from: request.url, under: watch) { bytes, outcome in
            var entry = entry
            entry.bytesDown += bytes
            entry.outcome = outcome
            await ledger.end(entry)
        }
        return HTTPBody(next: { try await relay.next() }, close: { relay.cancel() })
    }
}

extension URL {
    /// What goes to the server ends before the fragment.
    fileprivate var withoutFragment: String {
        absoluteString.split(separator: "#", maxSplits: 1).first.map { String($0) } ?? absoluteString
    }
}
#endif
