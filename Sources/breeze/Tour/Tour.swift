import BreezeCore
import BreezeEngine

/// What the tour shows, worked out step by step.
struct Tour {
    let composition: Composition
    let options: RequestOptions
    private(set) var timings: [TourTiming] = []

    init(_ composition: Composition, _ options: RequestOptions) {
        self.composition = composition
        self.options = options
    }

    /// Turns the notes into vectors and looks the queries up among them.
    mutating func lookUp() async throws -> TourLookup {
        let notes = try await embeddings(of: TourTexts.notes, as: .passage)
        time("load the encoder", notes.result.timings.load)
        time("turn \(TourTexts.notes.count) notes into vectors", notes.result.timings.run)
        let queries = try await embeddings(of: TourTexts.queries, as: .query)
        time("look up \(TourTexts.queries.count) queries", queries.result.timings.total)
        let answers = zip(TourTexts.queries, queries.vectors).map { query, vector in
            let nearest = SimilarText.ranked(TourTexts.notes, notes.vectors, by: vector).prefix(2)
            return TourLookup.Answer(query: query, nearest: Array(nearest))
        }
        return TourLookup(
            runner: notes.result.runner,
            runtime: notes.result.runtime,
            dimensions: notes.dimensions,
            notes: TourTexts.notes.count,
            answers: answers
        )
    }

    mutating func sort(_ texts: [String]) async throws -> [TourSorted] {
        let answer = try await Classifications(
            of: texts,
            into: TourTexts.categories,
            options: options,
            in: composition
        )
        time(
            "learn \(TourTexts.categories.count) categories, sort \(Quantity.count(texts.count, "text"))",
            answer.result.timings.total
        )
        return zip(texts, answer.all).map { TourSorted(text: $0, scores: $1.scores) }
    }

    /// Asks without a mock for the decision, and where nobody may answer, with one for a look at an answer.
    mutating func chat() async throws -> TourChat {
        var request = InferenceRequest(.chat, prompt: TourTexts.question)
        try options.apply(to: &request)
        let decision = try await composition.engine.explain(request)
        if decision.chosen == nil {
            request.allowsMocks = true
            request.id += "-mock"
        }
        let result = try await composition.run(request)
        time("\(result.isMock ? "mock chat" : "chat"), all of it", result.timings.total)
        return TourChat(
            question: TourTexts.question,
            decision: decision,
            answer: result.output.text ?? "",
            runner: result.runner,
            isMock: result.isMock
        )
    }

    private func embeddings(of texts: [String], as type: InputType) async throws -> Embeddings {
        try await Embeddings(of: texts, as: type, options: options, in: composition)
    }

    mutating func time(_ step: String, _ seconds: Double) {
        timings.append(TourTiming(step: step, seconds: seconds))
    }
}

struct TourTiming: Encodable {
    let step: String
    let seconds: Double
}

struct TourLookup: Encodable {
    struct Answer: Encodable {
        let query: String
        let nearest: [SimilarText]
    }
    let runner: String
    let runtime: String?
    let dimensions: Int
    let notes: Int
    let answers: [Answer]
}

struct TourSorted: Encodable {
    let text: String
    let scores: [Classification.Score]
}

struct TourChat: Encodable {
    let question: String
    let decision: RoutingDecision
    let answer: String
    let runner: String
    let isMock: Bool
}
