import BreezeCore

/// What can be set for a model of a service. None has a default: what is left out is the service's to choose.
enum APIParameters {
    static let parallelToolCalls = "parallelToolCalls"
    static let dimensions = "dimensions"

    /// OpenAI's own, with the limits of its documentation.
    private static let common = [
        ParameterDescriptor(
            "temperature",
            "Temperature",
            summary: "0 always takes the likeliest token; higher is more varied.",
            kind: .number(min: 0, max: 2)
        ),
        ParameterDescriptor(
            "topP",
            "Top p",
            summary: "Keep the likeliest tokens that together reach this probability; 1 keeps all.",
            kind: .number(min: 0, max: 1)
        ),
        ParameterDescriptor(
            "maxTokens",
            "Longest answer",
            summary: "Most tokens to generate; more cost more.",
            kind: .integer(min: 1, max: 10_000_000)
        ),
        ParameterDescriptor(
            "logprobs",
            "Log-probabilities",
            summary: "Report so many of the likeliest tokens at each step, where the model does.",
            kind: .integer(min: 0, max: 20)
        ),
        ParameterDescriptor(
            parallelToolCalls,
            "Parallel tool calls",
            summary: "Let the model call several tools at once.",
            kind: .boolean
        ),
    ]

    private static let ofChatCompletions = [
        ParameterDescriptor(
            "frequencyPenalty",
            "Frequency penalty",
            summary: "Lowers a token's score for each time that the text held it.",
            kind: .number(min: -2, max: 2)
        ),
        ParameterDescriptor(
            "presencePenalty",
            "Presence penalty",
            summary: "Lowers a token's score where the text held it.",
            kind: .number(min: -2, max: 2)
        ),
        ParameterDescriptor(
            "seed",
            "Seed",
            summary: "Makes a draw repeat, as well as the service can.",
            kind: .integer()
        ),
        ParameterDescriptor(
            "stop",
            "Stop texts",
            summary: "The answer ends before the first of these.",
            kind: .strings(maxCount: 4)
        ),
    ]

    private static func descriptor(_ parameter: APIService.Extension) -> ParameterDescriptor {
        switch parameter {
        case .topK:
            ParameterDescriptor(
                "topK",
                "Top k",
                summary: "Keep so many of the likeliest tokens; 0 keeps all.",
                kind: .integer(min: 0, max: 1_000_000)
            )
        case .minP:
            ParameterDescriptor(
                "minP",
                "Min p",
                summary: "Keep tokens at least this likely, relative to the likeliest.",
                kind: .number(min: 0, max: 1)
            )
        case .repetitionPenalty:
            ParameterDescriptor(
                "repetitionPenalty",
                "Repetition penalty",
                summary: "Divides the score of what the text held; 1 is none.",
                kind: .number(min: 0.01, max: 2)
            )
        }
    }

    static func schema(_ service: APIService, _ model: APIModel) -> ParameterSchema {
        var parameters: [ParameterDescriptor] = []
        if model.capabilities.contains(where: { [.chat, .vlm].contains($0) }) {
            parameters = common
            if service.dialect == .chatCompletions {
                parameters += ofChatCompletions
                parameters += APIService.Extension.allCases.filter(service.extensions.contains)
                    .map(descriptor)
            }
        }
        if model.capabilities.contains(.embedding) {
            parameters.append(
                ParameterDescriptor(
                    dimensions,
                    "Dimensions",
                    summary: "Length of the vectors, where the model can shorten them.",
                    kind: .integer(min: 1, max: 1_000_000)
                )
            )
        }
        return ParameterSchema(parameters)
    }

    /// The engine acts on them, whichever runner answers.
    private static let ofEngine: Set = ["timeout", "keepAlive"]

    /// Where no engine held the request against the schema before.
    static func check(_ configuration: InferenceConfig, against schema: ParameterSchema, of runner: String)
        throws
    {
        for (name, value) in configuration.parameters where !ofEngine.contains(name) {
            guard let descriptor = schema[name] else {
                throw BreezeError(
                    .unsupported,
                    "\(runner) does not take the parameter \(name).",
                    remedy: "Leave it out; it takes \(schema.parameters.map(\.name).joined(separator: ", "))."
                )
            }
            switch descriptor.kind.check(value) {
            case .valid: break
            case .outOfRange(_, let reason), .wrong(let reason):
                throw BreezeError(.invalidParameter, "\(name): \(reason).", remedy: "Correct its value.")
            }
        }
    }
}
