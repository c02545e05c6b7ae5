import BreezeCore
import Foundation

/// A request for text, held against what its model can do: what both dialects make their bodies of.
struct Question {
    let service: APIService
    let model: APIModel
    let configuration: InferenceConfig
    /// Never empty; images belong to their turns.
    let turns: [ChatMessage]

    init(_ request: InferenceRequest, service: APIService, model: APIModel) throws {
        self.service = service
        self.model = model
        configuration = request.configuration
        var turns = request.conversation
        if let image = request.imageData {
            // It belongs to what was said last.
            let last = turns.last { $0.role == .user } ?? ChatMessage(.user, "")
            var turn = last
            turn.images = (last.images ?? []) + [image]
            if let index = turns.lastIndex(where: { $0.role == .user }) {
                turns[index] = turn
            } else {
                turns.append(turn)
            }
        }
        self.turns = turns
        try checkImages()
        try checkTools()
    }

    var wantsLogprobs: Bool { (configuration.logprobs ?? 0) > 0 }

    var parallelToolCalls: JSONValue? { configuration[parameter: APIParameters.parallelToolCalls] }

    private func checkImages() throws {
        let hasImages = turns.contains { $0.images?.isEmpty == false }
        guard hasImages, !model.capabilities.contains(.vlm) else {
            guard let turn = turns.first(where: { $0.role != .user && $0.images?.isEmpty == false }) else {
                return
            }
            throw BreezeError(
                .unsupported,
                "\(service.title) takes images in the user's turns alone, and one of \(turn.role.rawValue) has one.",
                remedy: "Put the image into a user's turn."
            )
        }
        throw BreezeError(
            .unsupported,
            "\(model.id) is not said to read images.",
            remedy: "Ask a model that does, or add vlm to its capabilities."
        )
    }

    private func checkTools() throws {
        let names = (configuration.tools ?? []).map(\.name)
        switch configuration.toolChoice {
        case .required where names.isEmpty:
            throw missing("a tool call is required, and it has no tools")
        case .named(let name) where !names.contains(name):
            throw missing("the tool choice names \(name), which is none of its tools")
        default: break
        }
    }

    private func missing(_ fault: String) -> BreezeError {
        BreezeError(
            .invalidRequest,
            "The request cannot be answered: \(fault).",
            remedy: "Define the tool in tools, or leave the tool choice out."
        )
    }

    /// What stands in both dialects' bodies.
    var commonFields: [String: JSONValue] {
        var fields: [String: JSONValue] = ["model": .string(model.id)]
        fields["temperature"] = configuration.temperature.map { .number($0) }
        fields["top_p"] = configuration.topP.map { .number($0) }
        if service.streams { fields["stream"] = true }
        if let options = service.openRouter {
            if !options.models.isEmpty {
                fields["models"] = .array(([model.id] + options.models).map { .string($0) })
            }
            if let provider = options.provider.fields { fields["provider"] = provider }
        }
        return fields
    }
}

extension OpenRouterOptions.ProviderPreferences {
    /// `nil` where nothing is asked for.
    fileprivate var fields: JSONValue? {
        guard let data = try? JSONEncoder().encode(self),
            let fields = try? JSONDecoder().decode(JSONValue.self, from: data).objectValue
        else {
            return nil
        }
        let given = fields.filter { $0.value != .null }
        return given.isEmpty ? nil : .object(given)
    }
}
