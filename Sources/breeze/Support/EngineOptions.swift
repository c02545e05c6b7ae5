import ArgumentParser
import BreezeCore
import Foundation

/// What every command takes.
struct OutputOptions: ParsableArguments {
    @Flag(name: .customLong("json"), help: "Print JSON, for scripts.")
    var json = false
}

/// What every command takes that looks at the settings.
struct EngineOptions: ParsableArguments {
    @OptionGroup var output: OutputOptions

    @Option(
        name: .customLong("set"),
        help: ArgumentHelp("A setting for this call alone; may be repeated.", valueName: "name=value")
    )
    var settings: [String] = []

    var json: Bool { output.json }
}

/// What every command takes that sends a request.
struct RequestOptions: ParsableArguments {
    @Flag(help: "Let mocks answer: made-up answers, labelled as such.")
    var mock = false

    @Option(help: ArgumentHelp("Only this runner may answer.", valueName: "id"))
    var runner: String?

    @Option(help: ArgumentHelp("Only this model may answer.", valueName: "id"))
    var model: String?

    @Flag(help: "Nothing leaves the device, whatever the settings consent to.")
    var onDevice = false

    @Option(help: ArgumentHelp("Fail after this long.", valueName: "seconds"))
    var timeout: Double?

    @Option(
        name: .customLong("param"),
        help: ArgumentHelp(
            "A parameter of the answer, as in temperature=0.2; may be repeated. See: breeze runners",
            valueName: "name=value"
        )
    )
    var parameters: [String] = []

    func validate() throws {
        if let timeout, !(timeout > 0 && timeout.isFinite) {
            throw ValidationError("--timeout takes a number of seconds above 0.")
        }
    }

    /// What was not given stays as the request has it.
    func apply(to request: inout InferenceRequest) throws {
        if mock { request.allowsMocks = true }
        if let runner { request.runnerID = runner }
        if let model { request.modelID = model }
        if onDevice { request.privacy = .onDevice }
        for parameter in parameters { try Self.set(parameter, in: &request.configuration) }
        if let timeout { request.configuration.timeout = timeout }
    }

    /// For a further request about the same thing: another runner's vectors mean something else.
    func pinned(to runner: String) -> RequestOptions {
        var options = self
        options.runner = runner
        return options
    }

    private static func set(_ parameter: String, in configuration: inout InferenceConfig) throws {
        guard let equals = parameter.firstIndex(of: "="), equals != parameter.startIndex else {
            throw ValidationError("--param takes NAME=VALUE, not \"\(parameter)\".")
        }
        let name = String(parameter[..<equals])
        let text = String(parameter[parameter.index(after: equals)...])
        let value = (try? JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))) ?? .string(text)
        // A standard parameter keeps only a value of its own kind.
        configuration[parameter: name] = value
        guard configuration[parameter: name] != nil else {
            throw BreezeError(
                .invalidParameter,
                "\(name) does not take \(value.stringValue.map { "\"\($0)\"" } ?? value.kindName).",
                remedy: "See what each runner takes: breeze runners"
            )
        }
    }
}
