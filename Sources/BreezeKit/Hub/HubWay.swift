import BreezeCore
import BreezeLocalHTTP
import Foundation

/// The hub over its socket, or over loopback.
struct HubWay: Way {
    let name: TransportReport.Way
    let address: LocalAddress
    let registration: HubRegistration
    let timeouts: HubTimeouts

    func answer(_ request: InferenceRequest, into sink: ChunkSink?) async throws -> InferenceResult {
        // Before: what cannot be written is no reason to register.
        let body = try HubHTTP.body(request)
        let key = try await registration.key(over: hub(timeouts.limits()))
        return try await hub(timeouts.limits(for: request)).answer(body, token: key.text, into: sink)
    }

    /// Where the app has no key yet. That the owner has yet to approve it is no failure here.
    func register() async throws {
        do { _ = try await registration.key(over: hub(timeouts.limits(answer: timeouts.look))) } catch {
            guard (error as? BreezeError)?.code == .approvalPending else { throw error }
        }
    }

    /// How the app stands with the hub, without asking anything of a model.
    /// - Throws: ``NothingSent`` where no hub is there.
    func look() async throws(NothingSent) -> HubFinding {
        do {
            let hub = hub(timeouts.limits(answer: timeouts.look))
            guard let key = try await registration.storedKey() else {
                guard try await hub.isThere() else { throw KitFault.malformed("it is no hub's") }
                return HubFinding(
                    .notPaired,
                    reason: "The app has not asked the hub to be let in.",
                    remedy: "Its first request does; or: try await client.register()"
                )
            }
            return Self.finding(try await hub.app(key))
        } catch let closed as NothingSent {
            throw closed
        } catch {
            let error = KitFault.wrapping(error)
            let state = error.code == .keyNotValid ? HubFinding.State.revoked : .faulty
            return HubFinding(state, reason: error.message, remedy: error.remedy)
        }
    }

    private func hub(_ limits: LocalLimits) -> HubHTTP {
        HubHTTP(client: LocalHTTPClient(address, limits: limits))
    }

    private static func finding(_ app: HubHTTP.App) -> HubFinding {
        let approve = "The owner approves it in the control panel, or: breeze apps approve \(app.id)"
        return switch app.state {
        case "approved": HubFinding(.ready)
        case "waiting":
            HubFinding(.pending, reason: "The owner has not approved the app yet.", remedy: approve)
        case "refused": HubFinding(.refused, reason: "The owner refused the app.", remedy: approve)
        case "revoked":
            HubFinding(.revoked, reason: "The owner withdrew what the app was allowed.", remedy: approve)
        case "expired":
            HubFinding(.expired, reason: "The time for which the app was allowed is over.", remedy: approve)
        default:
            HubFinding(
                .faulty,
                reason: "The hub has a word for the app's state that this app does not know.",
                remedy: "Update the app."
            )
        }
    }
}

/// How long the hub is waited for.
public struct HubTimeouts: Hashable, Sendable {
    /// Until it takes the connection.
    public var connect: Duration
    /// From the request to the first byte of its answer, queue and load included, where the request's own
    /// `configuration.timeout` does not say it.
    public var answer: Duration
    /// Between two pieces of a stream.
    public var idle: Duration
    /// For ``BreezeClient/status()``.
    public var look: Duration

    public init(
        connect: Duration = .seconds(2),
        answer: Duration = .seconds(600),
        idle: Duration = .seconds(120),
        look: Duration = .seconds(5)
    ) {
        self.connect = connect
        self.answer = answer
        self.idle = idle
        self.look = look
    }

    /// The hub ends what takes too long itself, and says so; it is waited for a little longer.
    private static let grace = Duration.seconds(10)

    func limits(for request: InferenceRequest) -> LocalLimits {
        let own = request.configuration.timeout.flatMap { (0...1e6).contains($0) ? $0 : nil }
        return limits(answer: own.map { .seconds($0) + Self.grace })
    }

    func limits(answer: Duration? = nil) -> LocalLimits {
        LocalLimits(connect: connect, answer: answer ?? self.answer, idle: idle)
    }
}
