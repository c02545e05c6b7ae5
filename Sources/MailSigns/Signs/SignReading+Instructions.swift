import BreezeMail

extension SignReading {
    /// A text is as long as its reader lets it be; of all parts together no more than this is read.
    private static let mostCharacters = 4_000_000

    mutating func readInstructions() {
        var places = [InstructionPlace("subject", [message.subject])]
        let own = message.body.texts.filter { !$0.isAttached }
        places.append(InstructionPlace("text", own.map(\.text)))
        places.append(
            InstructionPlace("hidden text", own.compactMap { $0.html?.hiddenSample }, isHidden: true)
        )
        places.append(InstructionPlace("name of a file", names().map(\.name)))
        var left = Self.mostCharacters
        var evidence = InstructionEvidence()
        for place in places {
            for text in place.texts where !text.isEmpty && left > 0 {
                evidence.read(String(text.unicodeScalars.prefix(left)), place)
                left -= text.utf8.count
            }
        }
        guard let strength = evidence.strength, let first = evidence.first else { return }
        let more = evidence.count > 1 ? ", and \(evidence.count - 1) more" : ""
        signs.add(.instructions, strength, "\(first)\(more)")
    }
}

/// Where a message has text.
private struct InstructionPlace {
    var name: String
    var texts: [String]
    /// Whether nobody sees it, so that nobody is quoted or warned by it.
    var isHidden: Bool

    init(_ name: String, _ texts: [String], isHidden: Bool = false) {
        self.name = name
        self.texts = texts
        self.isHidden = isHidden
    }
}

/// What speaks to an AI, in all places of a message together.
private struct InstructionEvidence {
    /// Kinds that hardly anybody writes to a person.
    private var firm: Set<InstructionKind> = []
    private var loose: Set<InstructionKind> = []
    /// Kinds of which a quotation mark says that they are mentioned.
    private var quoted: Set<InstructionKind> = []
    private var isHidden = false
    private var isDisguised = false
    private var isSmuggled = false
    /// Whether the text that people see is about such phrases.
    private var isDiscussion = false
    private(set) var count = 0
    /// The one to show, and how much it tells.
    private(set) var first: String?
    private var rank = -1

    mutating func read(_ text: String, _ place: InstructionPlace) {
        let scan = InstructionScan(text)
        if scan.isSmuggling {
            isSmuggled = true
            if rank < 3 { show("words in the \(place.name) in characters that nobody can see", rank: 3) }
        }
        if !place.isHidden { isDiscussion = isDiscussion || scan.isDiscussion }
        for match in scan.matches {
            let isMentioned = match.isQuoted && !place.isHidden
            switch (isMentioned, match.isLoose) {
            case (true, _): quoted.insert(match.kind)
            case (false, true): loose.insert(match.kind)
            case (false, false):
                firm.insert(match.kind)
                isHidden = isHidden || place.isHidden
                isDisguised = isDisguised || match.isDisguised
            }
            count += 1
            let rank = isMentioned ? 1 : match.isLoose ? 0 : match.kind == .controlToken ? 2 : 4
            if rank > self.rank {
                let shown = Evidence.quoted(scan.written(match), limit: 80)
                show("\(match.kind.rawValue) in the \(place.name): \(shown)", rank: rank)
            }
        }
    }

    private mutating func show(_ detail: String, rank: Int) {
        first = detail
        self.rank = rank
    }

    /// One kind alone may be a coincidence, and whoever writes about such phrases quotes several.
    var strength: MailSign.Strength? {
        let others = [isHidden, isDisguised, isSmuggled].count { $0 }
        let isCertain = !firm.isEmpty && firm.union(loose).count + others >= 2
        if isCertain, !isDiscussion || isHidden || isDisguised || isSmuggled { return .strong }
        if !firm.isEmpty || !quoted.isEmpty || isSmuggled || loose.count >= 2 { return .weak }
        return loose.isEmpty ? nil : .context
    }
}
