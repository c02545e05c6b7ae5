package import BreezeCore

extension EngineSettings {
    /// Bytes that all loaded runners together may take, however much the device has; `nil` where only the
    /// device limits them.
    public var residencyBudget: Int64? { bytes("budget") }

    /// Bytes that stay free on the device; `nil` for the standard margin.
    public var residencyReserve: Int64? { bytes("reserve") }

    /// Runners, backends or models that are never evicted.
    var pinned: [String] { strings("pinned") }

    /// Runners, backends or models, the most valuable first; whatever is not named goes before them.
    var residencyPriority: [String] { strings("priority") }

    /// What a runner is worth among the loaded ones: higher goes later.
    func residencyPriority(of runner: any Runner) -> Int {
        let names = residencyPriority
        return names.firstIndex { runner.isNamed($0) }.map { names.count - $0 } ?? 0
    }

    /// Seconds that a runner stays loaded after its last request; `nil` is for ever.
    func keepAlive(of runner: any Runner, asked: Double?) -> Duration? {
        let seconds =
            asked ?? tree["residency", "keepAlive"]?.doubleValue
            ?? KeepAlive.standard(for: runner.supportedCapabilities)
        return seconds < 0 ? nil : .seconds(min(seconds, KeepAlive.longest))
    }

    /// The longest keep-alive that a request may ask for; negative is for ever.
    var maximumKeepAlive: Double { tree["residency", "maximumKeepAlive"]?.doubleValue ?? -1 }

    private func bytes(_ name: String) -> Int64? {
        guard let value = tree["residency", name] else { return nil }
        return ByteCount.value(of: value)
    }

    private func strings(_ name: String) -> [String] {
        tree["residency", name]?.arrayValue?.compactMap(\.stringValue) ?? []
    }
}

extension ByteCount {
    /// A number of bytes, or a text such as `4GiB`.
    package static func value(of value: JSONValue) -> Int64? {
        if let text = value.stringValue { return parse(text) }
        return value.intValue.flatMap { $0 >= 0 ? Int64($0) : nil }
    }
}

enum KeepAlive {
    /// A hundred years: what is longer overflows clocks.
    static let longest = 3_155_760_000.0

    /// A generative model is large and its next question often far away. On iOS the system ends apps that hold
    /// on to memory.
    static func standard(for capabilities: [AICapability]) -> Double {
        let isGenerative = !Set(capabilities).isDisjoint(with: [.chat, .vlm, .asr, .tts])
        #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
        return isGenerative ? 0 : 300
        #else
        return isGenerative ? 300 : 1_800
        #endif
    }

    /// The request's own, or what was set for all runners (`defaults.keepAlive`) or one of them
    /// (`runners.<runner>.keepAlive`).
    static let parameter = ParameterDescriptor(
        "keepAlive",
        "Keep-alive",
        summary: "Seconds that the model stays loaded after the answer: 0 unloads it, -1 keeps it.",
        kind: .number(min: -1, max: longest)
    )

    /// - Returns: What a client gets of the keep-alive that it asks for.
    static func allowed(_ asked: Double, upTo maximum: Double) -> Double {
        if maximum < 0 { return asked }
        return asked < 0 ? maximum : min(asked, maximum)
    }
}

extension Runner {
    /// Whether `name` means this runner: its id, its backend or its model.
    func isNamed(_ name: String) -> Bool { name == id || name == backend || name == model?.id }
}
