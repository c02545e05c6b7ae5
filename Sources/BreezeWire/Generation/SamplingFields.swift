import BreezeCore

/// How an answer is drawn: the fields that both dialects have, under their several names.
extension WireFields {
    /// OpenAI's own, and the ones that llama-server, vLLM and Ollama put beside them.
    mutating func openAISampling() throws -> InferenceConfig {
        var config = try object("options") { try $0.ollamaOptions() } ?? InferenceConfig()
        config.temperature = try number("temperature") ?? config.temperature
        config.topP = try number("top_p") ?? config.topP
        config.topK = try integer("top_k").map { max(0, $0) } ?? config.topK
        config.minP = try number("min_p") ?? config.minP
        config.frequencyPenalty = try number("frequency_penalty") ?? config.frequencyPenalty
        config.presencePenalty = try number("presence_penalty") ?? config.presencePenalty
        let repetition = try number("repetition_penalty")
        config.repetitionPenalty = try number("repeat_penalty") ?? repetition ?? config.repetitionPenalty
        config.seed = try integer("seed") ?? config.seed
        config.stop = try stopTexts() ?? config.stop
        config.contextSize = try integer("num_ctx") ?? config.contextSize
        config.keepAlive = try keepAlive()
        return config
    }

    /// Ollama's `options`. What sets how fast a model runs and not what it says is the device's own affair, and is
    /// reported as ignored.
    mutating func ollamaOptions() throws -> InferenceConfig {
        var config = InferenceConfig()
        config.temperature = try number("temperature")
        config.topP = try number("top_p")
        config.topK = try integer("top_k").map { max(0, $0) }
        config.minP = try number("min_p")
        config.frequencyPenalty = try number("frequency_penalty")
        config.presencePenalty = try number("presence_penalty")
        config.repetitionPenalty = try number("repeat_penalty")
        // -1 asks for a draw that does not repeat, as no seed does.
        config.seed = try integer("seed").flatMap { $0 == -1 ? nil : $0 }
        config.stop = try stopTexts()
        config.contextSize = try integer("num_ctx")
        config.maxTokens = try tokenLimit()
        try refuse("mirostat", "is a sampler that no runner has") { $0.double == 0 }
        accept("mirostat_tau", "mirostat_eta")
        try refuse("tfs_z", "is a sampler that no runner has") { $0.double == 1 }
        try refuse("typical_p", "is a sampler that no runner has") { $0.double == 1 }
        try refuse("repeat_last_n", "is fixed at 64") { $0.double == 64 }
        try refuse("penalize_newline", "cannot be turned off") { $0.bool == true }
        return config
    }

    /// -1 is without a limit and -2 until the context is full, which are the same here: nothing shifts it.
    private mutating func tokenLimit() throws -> Int? {
        guard let limit = try integer("num_predict") else { return nil }
        guard limit >= -2 else {
            let takes = "a number of tokens, -1 or -2"
            throw BreezeError.field(path.member("num_predict"), "is out of its range", takes: takes)
        }
        return limit < 0 ? nil : limit
    }

    private mutating func stopTexts() throws -> [String]? {
        guard let texts = try strings("stop"), !texts.isEmpty else { return nil }
        if let index = texts.firstIndex(where: \.isEmpty) {
            let place = path.member("stop").element(index)
            throw BreezeError.field(place, "is empty", takes: "a text that is not empty")
        }
        return texts
    }

    /// Seconds, or Go's way to write a duration; negative is for ever.
    mutating func keepAlive() throws -> Double? {
        guard let value = raw("keep_alive") else { return nil }
        let takes = "seconds as a number, or a duration such as \"5m\"; below 0 is for ever"
        let seconds = value.double ?? value.string.flatMap(GoDuration.seconds)
        guard let seconds else {
            if case .string = value {
                throw BreezeError.field(path.member("keep_alive"), "is no duration", takes: takes)
            }
            throw wrong("keep_alive", value, takes: takes)
        }
        return seconds < 0 ? -1 : seconds
    }

    /// How much a model thinks. Runners know whether, and not yet how much.
    mutating func thinking(_ name: String, into config: inout InferenceConfig) throws {
        guard let value = raw(name) else { return }
        let words = ["none", "minimal", "low", "medium", "high", "xhigh", "max"]
        if let bool = value.bool {
            config.additional["thinking"] = .bool(bool)
            return
        }
        guard let word = value.string, words.contains(word) else {
            let takes = "true, false, or one of " + words.joined(separator: ", ")
            throw BreezeError.field(path.member(name), "is none of its words", takes: takes)
        }
        config.additional["thinking"] = .bool(word != "none")
        if word != "none" {
            collector.notice(
                "\(path.member(name).text) was taken as on: runners have no degrees of thinking."
            )
        }
    }
}

/// `1h30m`, `300ms`, `-1`: what Go's `time.ParseDuration` reads, and a bare number as seconds.
enum GoDuration {
    private static let units: [(name: String, seconds: Double)] = [
        ("ns", 1e-9), ("us", 1e-6), ("µs", 1e-6), ("μs", 1e-6), ("ms", 1e-3), ("s", 1), ("m", 60),
        ("h", 3_600),
    ]
    private static let longest = 64

    static func seconds(_ text: String) -> Double? {
        guard !text.isEmpty, text.utf8.count <= longest else { return nil }
        var rest = text[...]
        let isNegative = rest.first == "-"
        if isNegative || rest.first == "+" { rest.removeFirst() }
        var total = 0.0
        var parts = 0
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isASCII && $0.isNumber || $0 == "." }
            guard digits.contains(where: { $0 != "." }), let number = Double(digits) else { return nil }
            rest = rest[digits.endIndex...]
            let name = rest.prefix { $0.isLetter }
            rest = rest[name.endIndex...]
            parts += 1
            if name.isEmpty {
                guard rest.isEmpty, parts == 1 else { return nil }
                total = number
            } else {
                guard let unit = units.first(where: { $0.name == name }) else { return nil }
                total += number * unit.seconds
            }
        }
        guard parts > 0, total.isFinite else { return nil }
        return isNegative ? -total : total
    }
}
