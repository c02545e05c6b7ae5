public import BreezeCore

/// Whether the next request will be answered, and by whom; and if not, what to do.
public struct BreezeStatus: Hashable, Sendable {
    /// How the app stands with the hub.
    public let hub: HubFinding
    /// The way that the next request takes; `nil` where it would not be answered.
    public let way: TransportReport.Way?
    /// The ways before it, or all of them, and why they are not taken.
    public let skipped: [TransportReport.Skipped]
    /// What the app's Info.plist lacks.
    public let problems: [HostApp.Problem]

    public var state: HubFinding.State { hub.state }
    /// Sentences for a person.
    public var reasons: [String] {
        let others = skipped.filter { $0.reason != hub.reason }
        return (hub.reason.map { [$0] } ?? []) + others.sentences + problems.map(\.reason)
    }
    /// What to do next; `nil` where there is nothing to do.
    public var remedy: String? { problems.first?.remedy ?? hub.remedy }
}

extension BreezeClient {
    /// Looks where a hub is and how the app stands with it. Registers nothing, and runs nothing.
    public func status() async -> BreezeStatus {
        var skipped: [TransportReport.Skipped] = []
        var found = await look(&skipped)
        var way = found.hub.isOpen ? found.way : nil
        if found.way == nil {
            do {
                try await fallbackWay.checkItself()
                way = .fallback
            } catch let closed as NothingSent {
                skipped.append(TransportReport.Skipped(.fallback, closed.reason))
            } catch {
                let error = KitFault.wrapping(error)
                skipped.append(TransportReport.Skipped(.fallback, error.message))
                found.hub.remedy = error.remedy ?? found.hub.remedy
            }
        }
        let host = configuration.host
        return BreezeStatus(
            hub: found.hub,
            way: way,
            skipped: skipped,
            problems: [host.callbackProblem(configuration.callbackScheme), host.queryProblem]
                .compactMap(\.self)
        )
    }

    /// The first way behind which there is a hub.
    private func look(
        _ skipped: inout [TransportReport.Skipped]
    ) async -> (hub: HubFinding, way: TransportReport.Way?) {
        let place = place
        var remedy: String?
        for way in hubWays(at: place) + [schemeWay] {
            do {
                switch way {
                case let way as HubWay: return (try await way.look(), way.name)
                case let way as SchemeWay: return (try await way.look(), way.name)
                case let way as ClosedWay: throw way.why
                default: continue
                }
            } catch let closed as NothingSent {
                skipped.append(TransportReport.Skipped(way.name, closed.reason))
                remedy = remedy ?? closed.remedy
            } catch { continue }
        }
        switch place {
        case .none(let why, let isInstalled):
            let state = isInstalled ? HubFinding.State.notRunning : .notInstalled
            return (HubFinding(state, reason: why.reason, remedy: why.remedy), nil)
        case .running:
            let reason = "No hub answers where one should be."
            return (HubFinding(.notRunning, reason: reason, remedy: remedy), nil)
        }
    }

    /// Asks the owner to let the app in, where that was not done yet; a request does so by itself.
    ///
    /// `anew` forgets the key that the app has: for after the owner withdrew it, and after the user was
    /// asked.
    /// - Returns: How the app stands now.
    @discardableResult
    public func register(anew: Bool = false) async throws -> BreezeStatus {
        if anew { try await registration.forget() }
        for case let way as HubWay in hubWays(at: place) {
            do {
                try await way.register()
                break
            } catch is NothingSent { continue }
        }
        return await status()
    }

    /// Keeps the user's yes to the network service of the fallback: to be called after the user was asked.
    public func allowNetwork() async throws {
        guard case .api(let runner) = configuration.fallback else {
            throw BreezeError(
                .networkConsentRequired,
                "The app has no fallback over the network that the user could allow.",
                remedy: "Configure one as fallback: .api(…)"
            )
        }
        try await configuration.consents.save(NetworkConsent(runner: runner.id))
    }

    /// Takes the user's yes back.
    public func forbidNetwork() async throws { try await configuration.consents.remove() }
}
