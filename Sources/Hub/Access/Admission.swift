#if Hub
import BreezeAccess
import BreezeCore
import BreezeWire
import Hummingbird
import HummingbirdCore
import Logging
import Synchronization

/// One call's leave to run, and its account: a grant for each of its requests.
final class Admission: Sendable {
    private let grants: [AccessGrant]
    private let tally: Tally
    private let activity: Activity
    private let ending = Mutex<BreezeError?>(nil)
    /// Pieces of the answer so far, and when the first one came.
    private let pieces = Mutex<(count: Int, first: ContinuousClock.Instant?)>((0, nil))

    init(_ grants: [AccessGrant], _ tally: Tally, _ activity: Activity) {
        self.grants = grants
        self.tally = tally
        self.activity = activity
    }

    func note(_ chunk: InferenceChunk) {
        switch chunk.content {
        case .text, .reasoning: break
        default: return
        }
        activity.countPiece()
        pieces.withLock { pieces in
            pieces.count += 1
            if pieces.first == nil { pieces.first = .now }
        }
    }

    /// `nil` before the second one.
    var piecesPerSecond: Double? {
        let (count, first) = pieces.withLock { $0 }
        guard let first, count > 1 else { return nil }
        let seconds = (ContinuousClock.now - first).seconds
        return seconds > 0 ? Double(count - 1) / seconds : nil
    }

    /// Written down when the answer is written.
    /// - Parameter results: One a request, in that order; fewer where nothing was to be answered.
    func end(_ results: [InferenceResult]) {
        for result in results { activity.count(result) }
        tally.whenAnswered { [grants] bytesIn, bytesOut in
            for (index, grant) in grants.enumerated() {
                // One call's bytes, once.
                let (bytesIn, bytesOut) = index == 0 ? (bytesIn, bytesOut) : (0, 0)
                guard results.indices.contains(index) else {
                    grant.settle(RequestOutcome("stop", bytesIn: bytesIn, bytesOut: bytesOut))
                    continue
                }
                let result = results[index]
                let chosen = result.routing?.candidates.first { $0.runner == result.runner }
                grant.settle(
                    .finished(
                        result,
                        locality: chosen?.locality ?? .onDevice,
                        bytesIn: bytesIn,
                        bytesOut: bytesOut
                    )
                )
            }
        }
    }

    /// - Returns: What the client is told: why the call was ended, where somebody ended it.
    func failure(_ error: BreezeError) -> BreezeError {
        let told = ending.withLock { $0 } ?? error
        for grant in grants { grant.settle(.failed(told)) }
        return told
    }

    /// Whether a change of what its app may do ends it.
    func isEnded(by change: AccessChange) -> Bool { grants.contains { change.ends($0) } }

    /// `client` as in ``InferenceRequest/client``.
    func acts(for client: String) -> Bool { grants.contains { $0.client == client } }

    /// Why it is about to be ended from outside.
    func willEnd(because reason: BreezeError) {
        ending.withLock { $0 = $0 ?? reason }
    }
}

extension HubServer {
    /// Lets a call in, and makes its requests those of its caller: no further than the owner allowed, in the name of
    /// the app, and to mocks where this hub has them.
    func admit(
        _ requests: inout [InferenceRequest],
        _ request: Request,
        _ context: HubContext
    ) async throws -> Admission {
        // One that names a mock needs no more than its name.
        let allowsMocks = try request.hints.allowsMocks ?? false
        let (credential, caller) = (credential(of: request), context.caller)
        var grants: [AccessGrant] = []
        do {
            for index in requests.indices {
                await parts.names.resolve(&requests[index])
                let asked = requests[index]
                let grant = try parts.access.gate.authorise(
                    credential,
                    for: .inference(asked.capability, asked.privacy == .onDevice ? .onDevice : nil),
                    from: caller,
                    request: asked.id,
                    expectedTokens: asked.configuration.maxTokens ?? 0,
                    scheme: Self.scheme(asked.client)
                )
                grants.append(grant)
                if grant.privacy == .onDevice { requests[index].privacy = .onDevice }
                requests[index].client = grant.client
                requests[index].allowsMocks = parts.allowsMocks && (allowsMocks || asked.allowsMocks)
            }
        } catch {
            for grant in grants { grant.release(error) }
            throw error
        }
        return Admission(grants, context.tally, activity)
    }

    /// The app that asked by URL, where the handler of such URLs sends the request.
    private static func scheme(_ client: String?) -> String? {
        guard let client, client.hasPrefix("scheme:") else { return nil }
        return String(client.dropFirst("scheme:".count))
    }

    /// Lets a call in that asks what there is, and names its caller.
    func caller(_ request: Request, _ context: HubContext) throws -> String {
        let grant = try parts.access.gate.authorise(
            credential(of: request),
            for: .listing,
            from: context.caller,
            request: context.requestID
        )
        grant.settle(RequestOutcome("stop"))
        return grant.client
    }

    func credential(of request: Request) -> Credential { parts.access.gate.credential(of: request) }

    /// Ends what runs for an app whose leave was taken back.
    func heed(_ change: AccessChange) {
        let reason = BreezeError(
            .forbidden,
            "The owner of this device took back what this app may do.",
            remedy: "Ask the owner: breeze apps"
        )
        parts.requests.stop(because: reason) { $0.isEnded(by: change) }
        if case .app(let app) = change, app.state != .approved { responses.forget(of: "app:\(app.id)") }
        feed.send("apps", Done())
    }
}

extension AccessGate {
    func credential(of request: Request) -> Credential {
        guard let field = request.headers[.authorization] else { return .none }
        let words = field.split(separator: " ", maxSplits: 1)
        guard words.count == 2, words[0].lowercased() == "bearer" else { return .bearer(field) }
        let text = String(words[1])
        return sessions.isOwner(text) ? .ownerToken(text) : .bearer(text)
    }
}

extension HubContext {
    /// Where its client is.
    var caller: Caller {
        if isSocket { return connection.peer.map { .unixSocket(uid: $0.user) } ?? .loopback }
        return isLoopback ? .loopback : .network
    }

    private var isLoopback: Bool {
        guard let address = channel.remoteAddress?.ipAddress else { return false }
        return address.hasPrefix("127.") || address == "::1" || address.hasPrefix("::ffff:127.")
    }

    var requestID: String { logger[metadataKey: "hb.request.id"]?.description ?? "" }
}
#endif
