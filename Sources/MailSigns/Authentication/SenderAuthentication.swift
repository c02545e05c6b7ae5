public import BreezeMail

/// What the user's own receiver found out about a sender. That it passed says who sent a message and never that it is
/// harmless: only failures are signs.
public struct SenderAuthentication: Codable, Hashable, Sendable {
    public var spf: Verdict
    /// `pass` where a signature of the sender's own registrable domain holds; `fail` where there are signatures and
    /// none holds.
    public var dkim: Verdict
    public var dmarc: Verdict

    public enum Verdict: String, Codable, Hashable, Sendable {
        case pass, fail
        case softFail = "softfail"
        /// Checked, and there was nothing to check by.
        case none
        /// Not checked, not told, or told by somebody who is not trusted.
        case unknown
    }

    public init(spf: Verdict = .unknown, dkim: Verdict = .unknown, dmarc: Verdict = .unknown) {
        self.spf = spf
        self.dkim = dkim
        self.dmarc = dmarc
    }

    /// - Parameters:
    ///   - headers: as the parser found them.
    ///   - trusted: who writes what is believed, by the names that stand in the headers (authserv-id); an empty name
    ///     stands for headers without one, as Outlook.com writes them. Where there is none, the topmost header alone
    ///     is believed: a sender may have written all others.
    ///   - from: the registrable domain of the From header.
    ///   - domains: what signers' domains are known by.
    public init(
        _ headers: AuthenticationHeaders,
        trusted: [String] = [],
        from: String?,
        domains: any DomainKnowledge
    ) {
        self.init()
        let trusted = Set(trusted.map { $0.lowercased() })
        var isKnown = (spf: false, dkim: false, dmarc: false)
        // Of each method the topmost that tells of it: what stands below may have come with the message.
        for header in trusted.isEmpty ? headers.results.prefix(1) : headers.results[...] {
            let read = AuthenticationResults(header)
            guard trusted.isEmpty || trusted.contains(read.server ?? "") else { continue }
            let found = Dictionary(grouping: read.results, by: \.method)
            if !isKnown.spf, let results = found["spf"] {
                (spf, isKnown.spf) = (Self.spf(results), true)
            }
            if !isKnown.dkim, let results = found["dkim"] {
                (dkim, isKnown.dkim) = (Self.dkim(results, from: from, domains), true)
            }
            if !isKnown.dmarc, let results = found["dmarc"] {
                (dmarc, isKnown.dmarc) = (Self.worst(results), true)
            }
        }
        if !isKnown.spf, let value = Self.received(headers.receivedSPF, trusted) { spf = value }
    }

    private static func received(_ headers: [String], _ trusted: Set<String>) -> Verdict? {
        if trusted.isEmpty { return headers.first.flatMap { ReceivedSPF($0) }.map { verdict($0.value) } }
        for header in headers {
            guard let read = ReceivedSPF(header), trusted.contains(read.receiver ?? "") else { continue }
            return verdict(read.value)
        }
        return nil
    }

    /// What concerns the sender counts before what concerns the server's greeting.
    private static func spf(_ results: [AuthenticationResults.Result]) -> Verdict {
        let ofSender = results.filter {
            $0.properties["smtp.helo"] == nil || $0.properties["smtp.mailfrom"] != nil
        }
        return worst(ofSender.isEmpty ? results : ofSender)
    }

    private static func dkim(
        _ results: [AuthenticationResults.Result],
        from: String?,
        _ domains: any DomainKnowledge
    ) -> Verdict {
        let read = results.map { (verdict: verdict($0.value), result: $0) }
        let passes = read.filter { $0.verdict == .pass }
        if let from, passes.contains(where: { signer($0.result, domains) == from }) { return .pass }
        // A list or a relay may have signed anew what it changed.
        if !passes.isEmpty { return .none }
        if read.contains(where: { $0.verdict == .fail }) { return .fail }
        return read.contains { $0.verdict == .none } ? .none : .unknown
    }

    /// The registrable domain that a signature is of.
    private static func signer(_ result: AuthenticationResults.Result, _ domains: any DomainKnowledge)
        -> String?
    {
        guard let written = result.properties["header.d"] ?? result.properties["header.i"] else { return nil }
        let name = written.split(separator: "@").last.map { $0.lowercased() } ?? ""
        return LinkHost(name, domains: domains).registrableDomain
    }

    /// Of several results of one method in one header: a careless receiver may have copied one from the message.
    private static func worst(_ results: [AuthenticationResults.Result]) -> Verdict {
        let found = Set(results.map { verdict($0.value) })
        return [.fail, .softFail, .pass, .none].first { found.contains($0) } ?? .unknown
    }

    /// `bestguesspass` guesses what a domain without a record would have said; a time-out and a fault say nothing.
    private static func verdict(_ value: String) -> Verdict {
        switch value {
        case "pass": .pass
        case "fail", "hardfail": .fail
        case "softfail": .softFail
        case "none", "neutral", "bestguesspass": .none
        default: .unknown
        }
    }
}
