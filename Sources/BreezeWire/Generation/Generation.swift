package import BreezeCore
package import Foundation

/// A body that asks for text, whichever route and dialect it came by: the requests for the engine, and what the
/// answer's form needs to know.
package struct Generation: Sendable {
    package enum Purpose: Sendable, Hashable {
        case answer
        /// Ollama's way to load a model, or to unload it, is a question without words. The request holds the
        /// model's name and how long it stays.
        case load, unload
    }

    /// As the client wrote it.
    package var model: String
    package var purpose = Purpose.answer
    /// One a choice, in order; each has an id of its own.
    package var requests: [InferenceRequest]
    package var streams: Bool
    /// A stream ends with the usage.
    package var includesUsage = false
    /// How many alternatives a token's log-probabilities come with; `nil` where nobody asked for any.
    package var topLogprobs: Int?
    /// Where not, an answer with two calls breaks what was asked, and is an error.
    package var allowsParallelCalls = true
    package var remarks = WireRemarks()

    /// Names the whole call.
    package var id: String { requests.first?.id ?? "" }

    package mutating func apply(_ hints: WireHints) {
        for index in requests.indices { requests[index].apply(hints) }
    }

    /// `request` and further ones like it: seeds follow one another, so that the choices differ and repeat.
    static func choices(_ count: Int, of request: InferenceRequest) -> [InferenceRequest] {
        (0..<count).map { index in
            var choice = request
            if index > 0 { choice.id = "\(request.id)-\(index)" }
            choice.configuration.seed = request.configuration.seed.map { $0 &+ index }
            return choice
        }
    }

    /// An answer with more calls than were allowed is no answer: to leave one out would be silent.
    func check(_ result: InferenceResult) throws {
        guard !allowsParallelCalls, result.toolCalls.count > 1 else { return }
        throw tooManyCalls
    }

    var tooManyCalls: BreezeError {
        BreezeError(
            .invalidOutput,
            "The model asked for more than one tool call, and parallel_tool_calls allows one.",
            remedy: "Ask again, or allow parallel calls.",
            underlying: FieldFault(field: "parallel_tool_calls")
        )
    }
}

/// What an answer says of itself beside its content.
package struct WireStamp: Sendable, Hashable {
    package var id: String
    package var created: Date
    package var model: String

    package init(id: String, created: Date, model: String) {
        self.id = id
        self.created = created
        self.model = model
    }

    init(_ generation: Generation, created: Date) {
        self.init(id: generation.id, created: created, model: generation.model)
    }
}
