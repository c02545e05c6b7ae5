public import BreezeCore

extension GuardianRules {
    /// Reads one text as it grows. Any cut of a text into pieces gives the same findings.
    public struct Scanner: GuardianScanner {
        /// Bytes; a phrase of the tables with the longest gaps has fewer.
        public let maximumHoldBack = 512
        /// Bytes read so far.
        public private(set) var count = 0

        private let rules: GuardianRules
        private let ascii: [UInt8]
        private let strictness: Strictness
        private let hasPhrases: Bool
        private let hasNumbers: Bool
        private let hasAddresses: Bool
        private let hasNetworkAddresses: Bool
        private let hasSecrets: Bool
        private var phrases: PhraseMatcher
        private var numbers: NumberMatcher
        private var addresses = AddressMatcher()
        private var networkAddresses = IPv6Matcher()
        private var secrets = SecretMatcher()
        private var fresh: [RuleFinding] = []
        private var reported: [GuardianVerdict.Finding] = []
        private var riskByFamily = [Double](repeating: 0, count: PhraseRule.Family.allCases.count)
        private var greatestRisk = 0.0
        /// Starts of scalars, some 64 bytes apart: where a text may be cut that keeps nothing back.
        private var cuts: [Int] = []
        private var hasEnded = false

        public init(_ rules: GuardianRules, options: Options = Options()) {
            self.rules = rules
            ascii = rules.folding.ascii
            strictness = options.strictness
            phrases = PhraseMatcher(rules.phrases, wants: options.wants)
            numbers = NumberMatcher(wants: options.wants)
            // The header of a private key is a phrase.
            hasPhrases = [Category.promptInjection, Category.secret].contains(where: options.wants)
            hasNumbers = Category.all.contains {
                ![Category.promptInjection, Category.personalData, Category.emailAddress, Category.secret]
                    .contains($0) && options.wants($0)
            }
            hasAddresses = options.wants(Category.emailAddress)
            hasNetworkAddresses = options.wants(Category.ipAddress)
            hasSecrets = options.wants(Category.secret)
        }

        public mutating func append(_ piece: String) -> GuardianVerdict {
            let found = read(piece)
            return GuardianVerdict(action: action, findings: found)
        }

        public mutating func finish() -> GuardianVerdict {
            _ = end()
            return GuardianVerdict(action: action, findings: reported)
        }

        /// - Returns: What came to light with this piece.
        mutating func read(_ piece: String) -> [GuardianVerdict.Finding] {
            var piece = piece
            piece.withUTF8 { read($0) }
            return collect()
        }

        /// - Returns: What only the end of the text brings to light.
        mutating func end() -> [GuardianVerdict.Finding] {
            hasEnded = true
            if hasPhrases { phrases.finish(into: &fresh) }
            if hasNumbers { numbers.finish(into: &fresh) }
            if hasAddresses { addresses.finish(into: &fresh) }
            if hasNetworkAddresses { networkAddresses.finish(into: &fresh) }
            if hasSecrets { secrets.finish(into: &fresh) }
            return collect()
        }

        private mutating func read(_ bytes: UnsafeBufferPointer<UInt8>) {
            var index = 0
            while index < bytes.count {
                let byte = bytes[index]
                if byte < 0x80 {
                    read(Symbol(plain: ascii[Int(byte)], start: count + index, end: count + index + 1))
                    index += 1
                    continue
                }
                // A string's bytes are valid UTF-8: the first one says how many follow, and they do.
                let length = byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
                var scalar = UInt32(byte) & (0xFF >> UInt32(length + 1))
                for next in bytes[index + 1..<index + length] { scalar = scalar << 6 | UInt32(next & 0x3F) }
                let plain = rules.folding.plain(scalar)
                read(Symbol(plain: plain, start: count + index, end: count + index + length))
                index += length
            }
            count += bytes.count
        }

        private mutating func read(_ symbol: Symbol) {
            if symbol.start - (cuts.last ?? -Self.cutDistance) >= Self.cutDistance { keepCut(symbol.start) }
            if symbol.plain == Plain.invisible { return }
            if symbol.plain >= Plain.expansion {
                var letter = symbol
                for plain in rules.folding.expansions[Int(symbol.plain - Plain.expansion)] {
                    letter.plain = plain
                    match(letter)
                }
            } else {
                match(symbol)
            }
        }

        private mutating func match(_ symbol: Symbol) {
            if hasPhrases { phrases.read(symbol, into: &fresh) }
            if hasNumbers { numbers.read(symbol, into: &fresh) }
            if hasAddresses { addresses.read(symbol, into: &fresh) }
            if hasNetworkAddresses { networkAddresses.read(symbol, into: &fresh) }
            if hasSecrets { secrets.read(symbol, into: &fresh) }
        }

        private mutating func collect() -> [GuardianVerdict.Finding] {
            guard !fresh.isEmpty else { return [] }
            let found = fresh.map { finding in
                GuardianVerdict.Finding(
                    category: finding.category,
                    risk: finding.risk,
                    span: finding.span,
                    rule: finding.rule
                )
            }
            for finding in fresh {
                greatestRisk = max(greatestRisk, finding.risk)
                guard let family = finding.family?.rawValue, finding.category == Category.promptInjection
                else {
                    continue
                }
                riskByFamily[family] = max(riskByFamily[family], finding.risk)
            }
            fresh.removeAll(keepingCapacity: true)
            reported += found
            return found
        }

        /// On the whole text so far.
        private var action: GuardianVerdict.Action {
            let attack = 1 - riskByFamily.reduce(1) { $0 * (1 - $1) }
            // Sums of hundredths miss a threshold by their last bit.
            let bit = 1e-9
            if attack + bit >= strictness.blocksFrom { return .block }
            return max(attack, greatestRisk) + bit >= strictness.warnsFrom ? .warn : .pass
        }
    }
}

extension GuardianRules.Scanner {
    private static var cutDistance: Int { 64 }

    private mutating func keepCut(_ start: Int) {
        cuts.append(start)
        if cuts.count > 2 * maximumHoldBack / Self.cutDistance {
            cuts.removeFirst(maximumHoldBack / Self.cutDistance)
        }
    }

    public var holdBack: Int {
        guard !hasEnded else { return 0 }
        // Asked after each piece: no list is made for it.
        var start = count
        if hasPhrases, let open = phrases.openStart { start = min(start, open) }
        if hasNumbers, let open = numbers.openStart { start = min(start, open) }
        if hasAddresses, let open = addresses.openStart { start = min(start, open) }
        if hasNetworkAddresses, let open = networkAddresses.openStart { start = min(start, open) }
        if hasSecrets, let open = secrets.openStart { start = min(start, open) }
        if count - start <= maximumHoldBack { return count - start }
        let cut = cuts.first { count - $0 <= maximumHoldBack }
        return cut.map { count - $0 } ?? 0
    }
}
