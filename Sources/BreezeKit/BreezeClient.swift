public import BreezeCore
import BreezeLocalHTTP
public import Foundation

/// Asks the hub of this device: over its Unix socket, over loopback, through its URL scheme, and where none
/// of them is there, the app's own fallback. Each answer says which way it took
/// (``InferenceResult/transport``), and why not the ways before it.
///
/// Nothing is ever sent twice: the next way is tried only where nothing was sent over the one before.
public final class BreezeClient: InferenceService {
    public let configuration: BreezeConfiguration
    let registration: HubRegistration
    private let running = RunningRequests()
    private let fallback: FallbackRunner?

    public init(_ configuration: BreezeConfiguration) {
        self.configuration = configuration
        fallback = configuration.fallback.runner.map(FallbackRunner.init)
        registration = HubRegistration(
            appName: configuration.appName,
            capabilities: configuration.capabilities,
            network: configuration.asksForNetwork,
            keys: configuration.keys
        )
    }

    /// A callback in the request is told of each chunk; the result alone is returned.
    public func run(_ request: InferenceRequest) async throws -> InferenceResult {
        try await execute(request, into: request.streamingCallback.map { ChunkSink(callback: $0) })
    }

    public func stream(_ request: InferenceRequest) -> InferenceStream {
        InferenceStream { sink in
            let result = try await self.execute(request, into: sink)
            try await sink.send(InferenceChunk(requestID: request.id, .result(result)))
        }
    }

    @discardableResult
    public func cancel(_ id: String) async -> Bool { running.cancel(id) }

    /// Ends the request that began last, of those that run.
    @discardableResult
    public func cancelLast() async -> Bool { running.cancelLast() }

    /// To be given every URL that the system hands to the app.
    /// - Returns: Whether it was an answer of the hub; one that is not stays the app's own.
    @discardableResult
    public func handle(_ url: URL) -> Bool { configuration.scheme?.handle(url) ?? false }

    private func execute(_ request: InferenceRequest, into sink: ChunkSink?) async throws -> InferenceResult {
        try request.validate()
        try checkCallback()
        let work = try running.begin(request.id) {
            do { return try await self.answer(request, into: sink) } catch {
                throw error is CancellationError ? error : KitFault.wrapping(error)
            }
        }
        guard let background = configuration.host.background else { return try await work.value }
        let end = await background.begin { work.cancel(throwing: KitFault.backgroundTimeOver) }
        defer { end() }
        return try await work.value
    }

    private func answer(_ request: InferenceRequest, into sink: ChunkSink?) async throws -> InferenceResult {
        var skipped: [TransportReport.Skipped] = []
        var remedy: String?
        for way in ways {
            do {
                var result = try await way.answer(request, into: sink)
                result.transport = TransportReport(way.name, skipped: skipped)
                return result
            } catch let closed as NothingSent {
                skipped.append(TransportReport.Skipped(way.name, closed.reason))
                remedy = remedy ?? closed.remedy
            }
        }
        throw KitFault.noWay(skipped, remedy: remedy)
    }

    /// A scheme that never comes back is a mistake in the app, whichever way is taken today.
    func checkCallback() throws(BreezeError) {
        guard let problem = configuration.host.callbackProblem(configuration.callbackScheme) else { return }
        throw BreezeError(.callbackNotRegistered, problem.reason, remedy: problem.remedy)
    }
}

extension BreezeClient {
    /// In the order in which they are tried.
    var ways: [any Way] { hubWays(at: place) + [schemeWay, fallbackWay] }

    var place: HubPlace.Finding { HubPlace.find(configuration.hub, configuration.environment) }

    var schemeWay: SchemeWay {
        SchemeWay(
            transport: configuration.scheme,
            host: configuration.host,
            callbackScheme: configuration.callbackScheme
        )
    }

    var fallbackWay: FallbackWay {
        FallbackWay(
            fallback: configuration.fallback,
            runner: fallback,
            consents: configuration.consents,
            clock: configuration.clock
        )
    }

    func hubWays(at place: HubPlace.Finding) -> [any Way] {
        switch place {
        case .none(let why, _): [ClosedWay(name: .socket, why: why), ClosedWay(name: .loopback, why: why)]
        case .running(let place):
            [
                way(.socket, place.socket.map { .socket(path: $0) }, "The hub has none."),
                way(
                    .loopback,
                    place.address.flatMap(LocalAddress.init(http:)),
                    place.address == nil
                        ? "The hub has none." : "The hub's address is not one of plain HTTP on this device."
                ),
            ]
        }
    }

    private func way(
        _ name: TransportReport.Way,
        _ address: LocalAddress?,
        _ absence: String
    ) -> any Way {
        guard let address else { return ClosedWay(name: name, why: NothingSent(absence)) }
        return HubWay(
            name: name,
            address: address,
            registration: registration,
            timeouts: configuration.timeouts
        )
    }
}
