/// Gathers signs: of a kind the strongest, the first of those, and how many more there are.
struct SignCollector {
    private var order: [MailSign.Kind] = []
    private var found: [MailSign.Kind: (sign: MailSign, count: Int)] = [:]

    /// Whether `detail` may be spared: it would only be counted.
    func isKnown(_ kind: MailSign.Kind, _ strength: MailSign.Strength) -> Bool {
        found[kind].map { $0.sign.strength >= strength } ?? false
    }

    mutating func add(
        _ kind: MailSign.Kind,
        _ strength: MailSign.Strength,
        _ detail: @autoclosure () -> String
    ) {
        if let known = found[kind] {
            let isStronger = strength > known.sign.strength
            found[kind] = (isStronger ? MailSign(kind, strength, detail()) : known.sign, known.count + 1)
        } else {
            order.append(kind)
            found[kind] = (MailSign(kind, strength, detail()), 1)
        }
    }

    var signs: [MailSign] {
        order.compactMap { kind in
            guard let (sign, count) = found[kind] else { return nil }
            let more = count > 1 ? ", and \(count - 1) more" : ""
            let room = MailSign.longestDetail - more.count
            let detail = sign.detail.count > room ? sign.detail.prefix(room - 1) + "…" : sign.detail
            return MailSign(kind, sign.strength, detail + more)
        }
    }
}
