import BreezeCore

/// Lays the three tiers over one another for one run, and keeps account.
struct ParameterResolver: Sendable {
    let runnerID: String
    let schema: ParameterSchema
    let engine: [String: EngineParameter]
    /// Seconds; negative is for ever.
    private let maximumKeepAlive: Double
    /// What holds where the client asks for nothing: nearly all of what it is for one that does.
    private var base: Result<Base, any Error>

    private struct Base: Sendable {
        var configuration = InferenceConfig()
        /// One for each of the schema's parameters.
        var entries: [ParameterReport.Entry] = []
        var report = ParameterReport()
    }

    /// What the engine itself understands, whichever runner answers.
    private static let engineParameters = ParameterSchema([
        ParameterDescriptor(
            "timeout",
            "Timeout",
            summary: "Seconds that a request may take, queue and load included.",
            kind: .number(min: 0.001, max: 86_400)
        ),
        KeepAlive.parameter,
    ])

    init(runner: any Runner, settings: EngineSettings) {
        runnerID = runner.id
        let own = runner.parameterSchema.parameters
        // The engine acts on its own parameters: a runner cannot loosen them.
        schema = ParameterSchema(
            own.filter { Self.engineParameters[$0.name] == nil } + Self.engineParameters.parameters
        )
        engine = settings.parameters(for: runner)
        maximumKeepAlive = settings.maximumKeepAlive
        base = .success(Base())
        base = Result { [self] in try makeBase() }
    }

    private func makeBase() throws -> Base {
        try checkEngineNames()
        var base = Base()
        for descriptor in schema.parameters {
            let (entry, value) = try entry(of: descriptor, client: nil)
            base.configuration[parameter: descriptor.name] = value
            base.entries.append(entry)
        }
        base.report.entries = base.entries.filter(\.saysSomething)
        return base
    }

    /// - Returns: `client` with every value that is in force, and nothing else; and the account of it.
    func resolve(_ client: InferenceConfig) throws -> (InferenceConfig, ParameterReport) {
        let base = try base.get()
        try checkPlaces(client)
        var effective = base.configuration
        (effective.guidedOutput, effective.tools) = (client.guidedOutput, client.tools)
        effective.toolChoice = client.toolChoice
        let asked = client.parameters
        guard !asked.isEmpty else { return (effective, base.report) }
        var (entries, unknown) = (base.entries, [ParameterReport.Entry]())
        for (name, value) in asked {
            guard let place = schema.parameters.firstIndex(where: { $0.name == name }) else {
                unknown.append(self.unknown(name, asked: value))
                continue
            }
            let (entry, value) = try entry(of: schema.parameters[place], client: value)
            effective[parameter: name] = value
            entries[place] = entry
        }
        return (effective, ParameterReport(entries: entries.filter(\.saysSomething) + unknown))
    }

    /// - Returns: The account, and the value in force, which the account hides where it is sensitive.
    private func entry(
        of descriptor: ParameterDescriptor,
        client: JSONValue?
    ) throws -> (ParameterReport.Entry, JSONValue?) {
        var entry = ParameterReport.Entry(name: descriptor.name)
        var value: JSONValue?
        if descriptor.defaultValue == nil, client == nil, engine[descriptor.name] == nil {
            return (entry, nil)
        }
        let tiers: [(ConfigurationTier, JSONValue?)] = [
            (.runnerDefault, descriptor.defaultValue), (.engineSettings, engine[descriptor.name]?.value),
            (.client, client),
        ]
        for (tier, asked) in tiers {
            guard let asked, asked != .null else { continue }
            guard descriptor.tiers.contains(tier) else {
                entry.events.append(refusal(descriptor, tier, asked))
                continue
            }
            let (checked, clamping) = try check(asked, descriptor, tier)
            if let clamping { entry.events.append(clamping) }
            if let value, let lower = entry.tier {
                entry.events.append(
                    ParameterReport.Event(
                        kind: .overridden,
                        tier: lower,
                        asked: descriptor.shown(value),
                        reason: "\(tier.words) outrank \(lower.words)"
                    )
                )
            }
            (value, entry.tier) = (checked, tier)
        }
        entry.value = value.map(descriptor.shown)
        return (entry, value)
    }

    private func check(
        _ asked: JSONValue,
        _ descriptor: ParameterDescriptor,
        _ tier: ConfigurationTier
    ) throws -> (JSONValue, ParameterReport.Event?) {
        switch descriptor.kind.check(asked) {
        case .valid(let canonical):
            if tier == .client, descriptor.name == KeepAlive.parameter.name {
                return keepAlive(within: maximumKeepAlive, asked: canonical)
            }
            return (canonical, nil)
        case .outOfRange(let nearest, let reason) where descriptor.rangePolicy == .clamp:
            let event = ParameterReport.Event(
                kind: .clamped,
                tier: tier,
                asked: descriptor.shown(asked),
                reason: descriptor.isSensitive ? "it is out of its range" : reason
            )
            return (nearest, event)
        case .outOfRange(_, let reason), .wrong(let reason):
            let shown = descriptor.isSensitive ? "its value is not of the right kind or range" : reason
            throw BreezeError(
                tier == .client ? .invalidParameter : .invalidSetting,
                "\(descriptor.name) (from \(tier.words)): \(shown).",
                remedy: remedy(for: descriptor.name, tier)
            )
        }
    }

    private func keepAlive(within maximum: Double, asked: JSONValue) -> (JSONValue, ParameterReport.Event?) {
        let seconds = asked.doubleValue ?? 0
        let allowed = KeepAlive.allowed(seconds, upTo: maximum)
        guard allowed != seconds else { return (asked, nil) }
        let event = ParameterReport.Event(
            kind: .clamped,
            tier: .client,
            asked: asked,
            reason: "residency.maximumKeepAlive allows \(maximum) seconds"
        )
        return (.number(allowed), event)
    }

    private func remedy(for name: String, _ tier: ConfigurationTier) -> String {
        if tier == .engineSettings, let setting = engine[name]?.entry {
            return
                "It stands in the \(setting.origin): change it there, or breeze config unset \(setting.name)"
        }
        return "See what \(runnerID) takes: breeze runners --json"
    }

    private func refusal(
        _ descriptor: ParameterDescriptor,
        _ tier: ConfigurationTier,
        _ asked: JSONValue
    ) -> ParameterReport.Event {
        ParameterReport.Event(
            kind: .refused,
            tier: tier,
            asked: descriptor.shown(asked),
            reason: "\(tier.words) may not set it for \(runnerID)"
        )
    }

    private func unknown(_ name: String, asked: JSONValue) -> ParameterReport.Entry {
        let event = ParameterReport.Event(
            kind: .refused,
            tier: .client,
            // A runner's own parameter may be a secret, and this runner cannot tell.
            asked: InferenceConfig.standardParameterNames.contains(name) ? asked : ParameterDescriptor.hidden,
            reason: "\(runnerID) has no such parameter"
        )
        return ParameterReport.Entry(name: name, events: [event])
    }

    /// A standard parameter among the additional ones would be passed over.
    private func checkPlaces(_ client: InferenceConfig) throws {
        let names = client.additional.keys.sorted()
        guard let misplaced = names.first(where: InferenceConfig.standardParameterNames.contains) else {
            return
        }
        throw BreezeError(
            .invalidParameter,
            "\(misplaced) is a field of the configuration itself and stands among the additional parameters.",
            remedy: "Move it up: {\"configuration\": {\"\(misplaced)\": …}}."
        )
    }

    /// A setting that was written for this runner must be one that it knows.
    private func checkEngineNames() throws {
        for (name, asked) in engine.sorted(by: { $0.key < $1.key })
        where asked.isSpecific && schema[name] == nil {
            let near = nearestName(to: name, in: schema.parameters.map(\.name))
            throw BreezeError(
                .invalidSetting,
                "The settings give \(runnerID) a parameter \(name), which it does not have.",
                remedy: near.map { "Did you mean \($0)?" }
                    ?? "Take it out: breeze config unset \(asked.entry.name)"
            )
        }
    }
}

extension ParameterReport.Entry {
    fileprivate var saysSomething: Bool { value != nil || !events.isEmpty }
}

extension ParameterDescriptor {
    fileprivate static let hidden: JSONValue = "(hidden)"

    fileprivate func shown(_ value: JSONValue) -> JSONValue { isSensitive ? Self.hidden : value }
}

extension ConfigurationTier {
    fileprivate var words: String {
        switch self {
        case .runnerDefault: "the runner's defaults"
        case .engineSettings: "the engine's settings"
        case .client: "the client's values"
        }
    }
}
