#if Hub
import BreezeAccess
import BreezeCore
import BreezeEngine
package import Foundation
import Hummingbird
import HummingbirdCore
import HummingbirdTLS
package import Logging
import NIOCore
import NIOPosix
import NIOSSL
import ServiceLifecycle
import Synchronization

/// The hub: what other programs of the device ask, over HTTP on loopback and over a Unix socket.
package final class HubServer: Sendable {
    let parts: HubParts
    let options: HubOptions
    let logger: Logger
    let connections = Connections()
    let responses = StoredResponses()
    let activity: Activity
    let feed: PanelFeed
    let downloads: ModelDownloads
    let mailWork: MailWork
    private let notice: ServiceNotice
    private let rule = Mutex<(revision: Int, rule: OriginRule)?>(nil)
    private let group = Mutex<ServiceGroup?>(nil)

    package init(
        _ parts: HubParts,
        options: HubOptions,
        environment: [String: String] = ProcessInfo.processInfo.environment,
        logger: Logger = Logger(label: "breeze.hub")
    ) {
        self.parts = parts
        self.options = options
        self.logger = logger
        activity = Activity(engine: parts.engine)
        let feed = PanelFeed()
        self.feed = feed
        downloads = ModelDownloads(manager: parts.manager, installed: parts.refresh) {
            feed.send("download", $0)
        }
        mailWork = MailWork(parts.mail) { feed.send("mail", $0) }
        notice = ServiceNotice(environment: environment)
    }

    /// Serves until it is asked to ``stop()`` or its task is cancelled; then requests that run may end, and what has
    /// not ended after ``HubParts/grace`` is told so and cancelled.
    ///
    /// `listening` is called once, when every socket takes requests, with the address of the first.
    package func run(listening: @escaping @Sendable (URL) -> Void) async throws {
        let responder = router().buildResponder()
        let opened = Opened(count: options.socket == nil ? 1 : 2) { [notice] address in
            notice.ready("Listening on \(address.absoluteString)")
            listening(address)
        }
        // The first to begin is the last to end.
        var services: [any Service] = [AccessKeeping(server: self), try network(responder, opened)]
        if let socket = options.socket { services.append(try local(socket, responder, opened)) }
        services.append(StoreWatch(parts: parts, logger: logger))
        services.append(StalledWatch(connections: connections, limits: options.limits))
        services.append(Watchdog(notice: notice))
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(services: services, logger: quiet)
        )
        self.group.withLock { $0 = group }
        let work = Task { try await group.run() }
        do {
            try await withTaskCancellationHandler {
                try await work.value
            } onCancel: {
                Task { await self.stop() }
            }
        } catch let error as IOError {
            throw unable(error)
        }
    }

    /// What the sockets could not be opened for.
    private func unable(_ error: IOError) -> BreezeError {
        let places = "\(options.host):\(options.port)" + (options.socket.map { " or \($0.path)" } ?? "")
        return BreezeError(
            error.errnoCode == EADDRINUSE ? .busy : .inputOutput,
            "The hub cannot listen on \(places): \(String(cString: strerror(error.errnoCode)).lowercased()).",
            remedy: "Another program may be there. Take another place: --port, --socket",
            underlying: error
        )
    }

    /// By the settings of now; wrong ones leave it as it is.
    var originRule: @Sendable () -> OriginRule {
        { [self] in
            let settings = try? parts.settings.current()
            return rule.withLock { known in
                if let known, settings.map({ $0.revision == known.revision }) ?? true { return known.rule }
                let isWildcard = ["0.0.0.0", "::"].contains(options.host)
                let made = OriginRule(
                    hostNames: (settings?.hubHostNames ?? []) + (isWildcard ? [] : [options.host]),
                    origins: settings?.hubOrigins ?? [],
                    allowsAddresses: !options.isLoopback
                )
                known = (settings?.revision ?? 0, made)
                return made
            }
        }
    }

    /// Takes no new requests, lets the running ones end, and cancels what has not ended in time.
    package func stop() async {
        notice.stopping()
        feed.end()
        downloads.stop()
        mailWork.cancel()
        let group = group.withLock { $0 }
        await group?.triggerGracefulShutdown()
        try? await Task.sleep(for: parts.grace)
        let reason = BreezeError.resourceUnavailable(
            "The hub is stopping.",
            remedy: "Send it again when the hub is back.",
            retryAfter: .seconds(5)
        )
        parts.requests.stop(because: reason) { _ in true }
    }

    /// What the server's own parts say is of interest where something is wrong with them.
    private var quiet: Logger {
        var logger = logger
        logger.logLevel = max(logger.logLevel, .warning)
        return logger
    }

    private func network(_ responder: some HubResponder, _ opened: Opened) throws -> any Service {
        var server = LoopChannel.builder(channel)
        let isSecure = options.certificate != nil
        if let tls = try tls() { server = try .tls(server, tlsConfiguration: tls) }
        return Application(
            responder: responder,
            server: server,
            configuration: ApplicationConfiguration(
                address: .hostname(options.host, port: options.port),
                backlog: 1_024,
                availableConnectionsDelegate: MaximumAvailableConnections(
                    options.limits.connections,
                    logger: quiet
                )
            ),
            onServerRunning: { [options] channel in
                let port = channel.localAddress?.port ?? options.port
                // What listens on every address is reached on this device by loopback.
                let named = ["0.0.0.0": "127.0.0.1", "::": "::1"][options.host] ?? options.host
                let host = named.contains(":") ? "[\(named)]" : named
                opened.opened(URL(string: "\(isSecure ? "https" : "http")://\(host):\(port)"))
            },
            logger: quiet
        )
    }

    private func local(
        _ socket: URL,
        _ responder: some HubResponder,
        _ opened: Opened
    ) throws -> any Service {
        // One that a hub left that was killed is replaced.
        try LocalSocket.checkFree(socket)
        return Application(
            responder: responder,
            server: LoopChannel.builder(channel),
            configuration: ApplicationConfiguration(
                address: .unixDomainSocket(path: socket.path),
                backlog: 1_024
            ),
            onServerRunning: { _ in
                chmod(socket.path, 0o600)
                opened.opened(nil)
            },
            logger: quiet
        )
    }

    private var channel: HTTP1Channel.Configuration {
        let connections = connections
        var decoder = HTTP1Channel.Configuration.DecoderConfiguration()
        decoder.maxHeaderListSize = options.limits.headers
        decoder.maxHeaderFieldSize = options.limits.headers
        decoder.maxHeaderFieldCount = 100
        return HTTP1Channel.Configuration(
            additionalChannelHandlers: [ConnectionWatch(connections)],
            idleTimeout: .nanoseconds(Int64(options.limits.idle.seconds * 1e9)),
            httpDecoderConfiguration: decoder
        )
    }

    private func tls() throws -> TLSConfiguration? {
        guard let certificate = options.certificate else { return nil }
        guard let key = options.certificateKey else {
            throw BreezeError(
                .invalidSetting,
                "A certificate was given without its key.",
                remedy: "Give the key's PEM file too: --tls-key"
            )
        }
        do {
            let chain = try NIOSSLCertificate.fromPEMFile(certificate.path).map {
                NIOSSLCertificateSource.certificate($0)
            }
            let secret = try NIOSSLPrivateKey(file: key.path, format: .pem)
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: chain,
                privateKey: .privateKey(secret)
            )
            configuration.minimumTLSVersion = .tlsv12
            // A key of another certificate shows here, and not with the first client.
            _ = try NIOSSLContext(configuration: configuration)
            return configuration
        } catch {
            throw BreezeError(
                .invalidSetting,
                "\(certificate.path) and \(key.path) are no certificate and its key.",
                remedy: "Give PEM files: the certificate, followed by those that vouch for it, and its key.",
                underlying: error
            )
        }
    }
}

protocol HubResponder: HTTPResponder where Context == HubContext {}
extension RouterResponder<HubContext>: HubResponder {}
#endif
