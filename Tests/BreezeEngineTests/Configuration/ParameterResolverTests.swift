import BreezeCore
import Testing

@testable import BreezeEngine

@Suite struct ParameterResolverTests {
    private static let schema = ParameterSchema([
        ParameterDescriptor(
            "temperature",
            "Temperature",
            summary: "",
            kind: .number(min: 0, max: 2),
            default: 0.7
        ),
        ParameterDescriptor(
            "maxTokens",
            "Length",
            summary: "",
            kind: .integer(min: 1, max: 100),
            default: 50,
            rangePolicy: .clamp
        ),
        ParameterDescriptor(
            "contextSize",
            "Context",
            summary: "",
            kind: .integer(min: 1),
            default: 512,
            tiers: [.runnerDefault, .engineSettings]
        ),
        ParameterDescriptor("key", "Key", summary: "", kind: .string, isSensitive: true),
    ])

    private func resolve(
        _ client: InferenceConfig,
        settings flags: [String] = []
    ) throws -> (InferenceConfig, ParameterReport) {
        var tree = SettingsTree()
        try tree.read(flags: flags)
        let runner = ScriptedRunner("own:m", schema: Self.schema)
        return try ParameterResolver(runner: runner, settings: EngineSettings(tree)).resolve(client)
    }

    @Test func `defaults stand where nobody says otherwise`() throws {
        let (config, report) = try resolve(InferenceConfig())
        #expect(config.temperature == 0.7)
        #expect(config.maxTokens == 50)
        #expect(
            report.entries == [
                .init(name: "temperature", value: 0.7, tier: .runnerDefault),
                .init(name: "maxTokens", value: 50, tier: .runnerDefault),
                .init(name: "contextSize", value: 512, tier: .runnerDefault),
            ]
        )
    }

    @Test func `each tier overrides the one below, and the report says so`() throws {
        let flags = ["defaults.temperature=0.1", "runners.own.temperature=0.3"]
        let (config, report) = try resolve(InferenceConfig(temperature: 1), settings: flags)
        #expect(config.temperature == 1)
        let entry = try #require(report["temperature"])
        #expect(entry.value == 1.0)
        #expect(entry.tier == .client)
        #expect(entry.events.map(\.kind) == [.overridden, .overridden])
        #expect(entry.events.map(\.asked) == [0.7, 0.3])
        #expect(entry.events.map(\.tier) == [.runnerDefault, .engineSettings])
    }

    @Test func `a runner's own section outranks its backend's, which outranks the defaults`() throws {
        let flags = [
            "defaults.temperature=0.1", "runners.own.temperature=0.2", "runners.own:m.temperature=0.3",
        ]
        #expect(try resolve(InferenceConfig(), settings: flags).0.temperature == 0.3)
        #expect(try resolve(InferenceConfig(), settings: Array(flags.prefix(2))).0.temperature == 0.2)
        #expect(try resolve(InferenceConfig(), settings: Array(flags.prefix(1))).0.temperature == 0.1)
    }

    @Test func `a value beyond a soft limit is clamped and reported`() throws {
        let (config, report) = try resolve(InferenceConfig(maxTokens: 1_000))
        #expect(config.maxTokens == 100)
        let clamping = try #require(report["maxTokens"]?.events.first { $0.kind == .clamped })
        #expect(clamping.asked == 1_000)
        #expect(clamping.reason == "1000 is above the most, 100")
    }

    @Test func `a value beyond a hard limit is an error that names it`() {
        let error = #expect(throws: BreezeError.self) { try resolve(InferenceConfig(temperature: 3)) }
        #expect(error?.code == .invalidParameter)
        #expect(error?.message == "temperature (from the client's values): 3.0 is above the most, 2.0.")
        let setting = #expect(throws: BreezeError.self) {
            try resolve(InferenceConfig(), settings: ["runners.own.temperature=hot"])
        }
        #expect(setting?.code == .invalidSetting)
    }

    @Test func `a tier that may not set a parameter is refused, and the lower value stands`() throws {
        let (config, report) = try resolve(InferenceConfig(contextSize: 9_999))
        #expect(config.contextSize == 512)
        let entry = try #require(report["contextSize"])
        #expect(entry.tier == .runnerDefault)
        #expect(entry.events.map(\.kind) == [.refused])
        #expect(entry.events.first?.reason == "the client's values may not set it for own:m")
    }

    @Test func `a parameter that the runner does not know is refused and not passed on`() throws {
        let (config, report) = try resolve(InferenceConfig(topK: 3, additional: ["mood": "gay"]))
        #expect(config.topK == nil)
        #expect(config.additional.isEmpty)
        #expect(report["topK"]?.events.map(\.kind) == [.refused])
        #expect(report["topK"]?.value == nil)
        #expect(report["mood"]?.events.first?.reason == "own:m has no such parameter")
    }

    @Test func `a setting for this runner that it does not know is an error with the nearest name`() {
        let error = #expect(throws: BreezeError.self) {
            try resolve(InferenceConfig(), settings: ["runners.own.temprature=1"])
        }
        #expect(error?.code == .invalidSetting)
        #expect(error?.remedy == "Did you mean temperature?")
    }

    @Test func `a sensitive value works and is never shown`() throws {
        let secret = InferenceConfig(additional: ["key": "s3cret"])
        let (config, report) = try resolve(secret, settings: ["runners.own.key=other"])
        #expect(config[parameter: "key"] == "s3cret")
        #expect(report["key"]?.value == "(hidden)")
        #expect(!"\(report)".contains("s3cret"))
        #expect(!"\(report)".contains("other"))
    }

    @Test func `what is out of a sensitive parameter's range is not told`() throws {
        let schema = ParameterSchema([
            ParameterDescriptor(
                "pin",
                "",
                summary: "",
                kind: .integer(min: 0, max: 9_999),
                isSensitive: true,
                rangePolicy: .clamp
            )
        ])
        let runner = ScriptedRunner("own", schema: schema)
        let config = InferenceConfig(additional: ["pin": 123_456, "other": "s3cret"])
        let (_, report) = try ParameterResolver(runner: runner, settings: EngineSettings()).resolve(config)
        #expect(!"\(report)".contains("123456"))
        // Another runner's secret may be what this one does not know.
        #expect(!"\(report)".contains("s3cret"))
    }

    @Test func `a standard parameter among the additional ones is an error that says where it belongs`() {
        let error = #expect(throws: BreezeError.self) {
            try resolve(InferenceConfig(additional: ["temperature": 1.5]))
        }
        #expect(error?.code == .invalidParameter)
    }

    @Test func `tools and schema are part of the question and pass through`() throws {
        let schema: JSONValue = ["type": "object"]
        let (config, _) = try resolve(InferenceConfig(guidedOutput: schema, toolChoice: .required))
        #expect(config.guidedOutput == schema)
        #expect(config.toolChoice == .required)
    }
}
