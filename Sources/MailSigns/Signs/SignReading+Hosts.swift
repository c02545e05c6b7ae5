extension SignReading {
    /// What a host says by itself. `role` is what leads there: `a link to`.
    mutating func examine(_ host: LinkHost, _ role: String, isLink: Bool) {
        guard isNew(host) else { return }
        examineKnown(host)
        if let numeric = host.numeric {
            if !numeric.isLocal {
                signs.add(
                    .numericHost,
                    .strong,
                    "\(role) \(Evidence.clean(numeric.address, limit: 60)), which is no name"
                )
            }
            return
        }
        let ending =
            host.name.utf8.lastIndex(of: UInt8(ascii: ".")).map { host.name[$0...].dropFirst() } ?? ""
        let isKnown = SocialNetworks.names[host.owner] != nil || !brands.owners(of: host.owner).isEmpty
        if !isKnown, AbusedEndings.all.contains(ending) {
            signs.add(
                .abusedEnding,
                .strong,
                "\(role) \(Evidence.host(host)), whose ending .\(ending) is much abused"
            )
        }
        if host.labels >= 5, isLink {
            signs.add(.manyLabels, .weak, "\(role) \(Evidence.host(host)), a name of \(host.labels) parts")
        }
        if host.isInternational {
            signs.add(.punycode, .weak, "\(role) \(Evidence.host(host)), with letters beyond ASCII")
        }
        if brands.owners(of: host.owner).isEmpty { examineNames(host, role) }
    }

    /// Whether the host is on the user's list.
    mutating func examineKnown(_ host: LinkHost) {
        guard let known, let entry = known.entry(for: host.name),
            listed.insert(entry).inserted
        else { return }
        signs.add(
            .knownPhishing,
            .strong,
            """
            \(Evidence.quoted(entry, limit: 80)) is on your list of known phishing domains \
            (\(Evidence.clean(known.source, limit: 60)), \(known.imported))
            """
        )
    }

    /// Of a host that belongs to no brand.
    private mutating func examineNames(_ host: LinkHost, _ role: String) {
        let tokens = host.unicode.split { $0 == "." || $0 == "-" || $0 == "_" }.prefix(40).map(String.init)
        if let name = imitated(host, tokens) {
            signs.add(
                .homograph,
                .strong,
                "\(role) \(Evidence.host(host)), which looks like \(Evidence.quoted(name)) and is not"
            )
        } else if let (brand, strength) = contained(host, tokens) {
            signs.add(
                .brandInHost,
                strength,
                "\(Evidence.quoted(brand.name)) within the host, \(role) \(Evidence.host(host))"
            )
        }
    }

    private func imitated(_ host: LinkHost, _ tokens: [String]) -> String? {
        if let label = host.label {
            if let found = brands.imitated(by: label, domains) { return brands.shown(found) }
            if let found = brands.misspelt(as: label) { return brands.shown(found) }
        }
        for token in tokens {
            if let found = brands.imitated(by: token, domains) { return brands.shown(found) }
        }
        return nil
    }

    /// A brand's whole domain in front of somebody else's is no accident; its name alone may be one.
    private func contained(_ host: LinkHost, _ tokens: [String]) -> (Brand, MailSign.Strength)? {
        if let brand = wholeDomain(before: host) { return (brand, .strong) }
        // What a sender's own host is called says who is written about, not who writes.
        let own = host.owner == fromHost?.owner ? host.label : nil
        if host.owner == fromHost?.owner, own == nil { return nil }
        let looked = own.map { $0.split(separator: "-").map(String.init) } ?? tokens
        let hasLure = looked.contains { BrandWords.lures.contains($0) }
        for token in looked {
            let found = brands.named(token).first { brands.brands[$0.brand].use == .distinct || hasLure }
            if let found { return (brands.brands[found.brand], .weak) }
            if let found = joined(token) { return (found, .weak) }
        }
        return nil
    }

    /// `paypal.com` of `www.paypal.com.example.net`.
    private func wholeDomain(before host: LinkHost) -> Brand? {
        guard let domain = host.registrableDomain else { return nil }
        let labels = host.unicode.split(separator: ".").dropLast(domain.split(separator: ".").count)
        for at in labels.indices.dropFirst() {
            let domain = "\(labels[at - 1]).\(labels[at])"
            guard domain.utf8.count >= 6 else { continue }
            let owner = brands.owners(of: domain).first { brands.brands[$0].domains.contains(domain) }
            if let owner { return brands.brands[owner] }
        }
        return nil
    }

    /// `paypalsecure`, `mypaypal`: a long name that means nothing else, with a word of business before or behind it.
    private func joined(_ token: String) -> Brand? {
        let length = token.utf8.count
        guard (8...40).contains(length), token.isASCII else { return nil }
        for count in 6..<min(length - 1, 20) {
            let (head, tail) = (String(token.prefix(count)), String(token.suffix(count)))
            for (part, rest) in [(head, token.dropFirst(count)), (tail, token.dropLast(count))] {
                let found = brands.named(part).first { brands.brands[$0.brand].use == .distinct }
                if let found, BrandWords.isOfBusiness(String(rest)) { return brands.brands[found.brand] }
            }
        }
        return nil
    }
}
