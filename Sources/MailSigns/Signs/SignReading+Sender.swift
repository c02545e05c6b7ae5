import BreezeMail

extension SignReading {
    mutating func readSender() {
        readAuthentication()
        readReplyTo()
        readName()
        readSelf()
        let others = Set(message.from.compactMap { Self.host(of: $0, domains)?.owner })
        if others.count > 1 {
            let shown = others.sorted().prefix(3).map { Evidence.clean($0, limit: 60) }
            signs.add(.manyFrom, .weak, "several senders at once, of \(shown.joined(separator: ", "))")
        }
        if let fromHost { examine(fromHost, "sent from", isLink: false) }
    }

    private mutating func readAuthentication() {
        let found = SenderAuthentication(
            message.authentication,
            trusted: settings.trustedServers,
            from: fromHost?.registrableDomain,
            domains: domains
        )
        read.authentication = found
        let whose = fromHost.map { Evidence.host($0) } ?? "its sender"
        if found.dmarc == .fail || found.dmarc == .softFail {
            signs.add(.dmarcFail, .strong, "the receiver found that it is not from \(whose) (DMARC)")
        }
        if found.spf == .fail || found.spf == .softFail {
            let way = found.spf == .fail ? "may not send" : "should not send"
            signs.add(.spfFail, .strong, "the server that sent it \(way) for its domain (SPF)")
        }
        if found.dkim == .fail {
            signs.add(.dkimFail, .strong, "its signature does not fit its content (DKIM)")
        }
    }

    private mutating func readReplyTo() {
        guard let reply = message.replyTo.first(where: { !$0.address.isEmpty }),
            let host = Self.host(of: reply, domains)
        else { return }
        read.replyToDomain = host.owner
        examine(host, "answers go to", isLink: false)
        guard let fromHost, host.owner != fromHost.owner else { return }
        // Some who own several domains answer from another.
        let owners = brands.owners(of: fromHost.owner)
        if brands.owners(of: host.owner).contains(where: { owners.contains($0) }) { return }
        let isFree = Freemail.contains(host.owner) && !isFromList
        let what = isFree ? "a free mailbox at \(host.owner)" : Evidence.host(host)
        signs.add(
            .replyToElsewhere,
            isFree ? .weak : .context,
            "sent from \(Evidence.host(fromHost)), and answers go to \(what)"
        )
    }

    private mutating func readName() {
        guard let name = from?.name, let fromHost else { return }
        // Who has an address at a mail service of a brand is not the brand.
        let owners = Freemail.contains(fromHost.owner) ? [] : brands.owners(of: fromHost.owner)
        let finding = BrandName(name, index: brands, domains: domains).finding(owners: owners)
        if let finding {
            let brand = Evidence.quoted(finding.brand.name)
            let isSpelt = name.lowercased().contains(finding.brand.name.lowercased())
            let what =
                isSpelt
                ? "\(brand) in the sender's name"
                : "\(brand) in the sender's name \(Evidence.quoted(name, limit: 40))"
            signs.add(.brandInName, finding.strength, "\(what), sent from \(Evidence.host(fromHost))")
        }
        guard let shown = Self.address(in: name), let host = Self.host(of: shown, domains),
            host.owner != fromHost.owner
        else { return }
        // Lists and services write for others, and say so.
        let isForOther = isFromList || name.lowercased().contains(" via ")
        signs.add(
            .displayNameIsAddress,
            isForOther ? .weak : .strong,
            "the sender's name shows \(Evidence.quoted(shown.address)), sent from \(Evidence.host(fromHost))"
        )
    }

    /// The first address that a name shows.
    private static func address(in name: String) -> MailAddress? {
        guard name.contains("@") else { return nil }
        for word in name.prefix(300).split(whereSeparator: {
            $0.isWhitespace || "<>()[]\"'“”‘’,;:".contains($0)
        }) {
            let address = MailAddress(address: String(word))
            guard let at = word.firstIndex(of: "@"), at != word.startIndex, let domain = address.domain,
                domain.contains("."), !domain.hasPrefix("."), !domain.hasSuffix(".")
            else { continue }
            return address
        }
        return nil
    }

    private mutating func readSelf() {
        guard let from, from.address.contains("@") else { return }
        let own = from.address.lowercased()
        let isToSelf = (message.to + message.cc).prefix(100).contains { $0.address.lowercased() == own }
        let found = read.authentication
        guard isToSelf, found.dmarc != .pass, found.spf != .pass, found.dkim != .pass else { return }
        let failed =
            found.dmarc == .fail || found.spf == .fail || found.spf == .softFail || found.dkim == .fail
        let proof = failed ? "the receiver found that it is not" : "nothing shows that it is"
        signs.add(
            .fromSelf,
            failed ? .weak : .context,
            "it says to be from its own recipient \(Evidence.clean(own, limit: 60)), and \(proof)"
        )
    }
}
