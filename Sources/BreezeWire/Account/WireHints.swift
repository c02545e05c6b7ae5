package import BreezeCore

/// What a request's headers ask for beyond its body. In Breeze's own words, the same on every route:
///
/// | header | takes |
/// |---|---|
/// | `x-breeze-privacy` | `on-device`, `user-settings` |
/// | `x-breeze-runner` | a runner's id; only it may answer |
/// | `x-breeze-priority` | `background`, `utility`, `normal`, `user-initiated` |
/// | `x-breeze-mock` | `true`, `false`: whether mocks may answer |
/// | `x-breeze-timeout` | seconds, 0.001 to 86400 |
package struct WireHints: Sendable, Hashable {
    package var privacy: PrivacyScope?
    package var runner: String?
    package var priority: RequestPriority?
    package var allowsMocks: Bool?
    package var timeout: Double?

    package init() {}

    /// What the headers' names begin with: a request without one of these asks for nothing.
    package static let prefix = "x-breeze-"

    /// Of the headers.
    package static let names = [
        "x-breeze-privacy", "x-breeze-runner", "x-breeze-priority", "x-breeze-mock", "x-breeze-timeout",
    ]

    /// `header` gives the value of the header with that lower-case name.
    package init(_ header: (String) -> String?) throws {
        privacy = try Self.word(
            header,
            "x-breeze-privacy",
            ["on-device": PrivacyScope.onDevice, "user-settings": .userSettings]
        )
        priority = try Self.word(
            header,
            "x-breeze-priority",
            [
                "background": RequestPriority.background, "utility": .utility, "normal": .normal,
                "user-initiated": .userInitiated,
            ]
        )
        allowsMocks = try Self.word(header, "x-breeze-mock", ["true": true, "false": false])
        runner = header("x-breeze-runner")
        if let runner, runner.isEmpty || runner.utf8.count > 256 {
            throw Self.wrong("x-breeze-runner", takes: "a runner's id")
        }
        if let text = header("x-breeze-timeout") {
            guard let seconds = Double(text), seconds >= 0.001, seconds <= 86_400 else {
                throw Self.wrong("x-breeze-timeout", takes: "seconds, at least 0.001 and at most 86400")
            }
            timeout = seconds
        }
    }

    private static func word<Value>(
        _ header: (String) -> String?,
        _ name: String,
        _ words: KeyValuePairs<String, Value>
    ) throws -> Value? {
        guard let text = header(name) else { return nil }
        guard let found = words.first(where: { $0.key == text }) else {
            throw wrong(name, takes: "one of " + words.map(\.key).joined(separator: ", "))
        }
        return found.value
    }

    private static func wrong(_ name: String, takes: String) -> BreezeError {
        BreezeError(
            .invalidParameter,
            "The header \(name) has a value that it does not take.",
            remedy: "It takes \(takes).",
            underlying: FieldFault(field: name)
        )
    }
}

extension InferenceRequest {
    /// Where a header says nothing, the request stays as it is.
    package mutating func apply(_ hints: WireHints) {
        if let privacy = hints.privacy { self.privacy = privacy }
        if let runner = hints.runner { runnerID = runner }
        if let priority = hints.priority { self.priority = priority }
        if let allowsMocks = hints.allowsMocks { self.allowsMocks = allowsMocks }
        if let timeout = hints.timeout { configuration.timeout = timeout }
    }
}
