import BreezeCore

/// The vectors of some texts.
struct Embeddings: Sendable {
    let vectors: [[Float]]
    let result: InferenceResult

    init(
        of texts: [String],
        as type: InputType? = nil,
        options: RequestOptions,
        in composition: Composition
    ) async throws {
        var request = InferenceRequest(.embedding, inputs: texts, inputType: type)
        try options.apply(to: &request)
        result = try await composition.run(request, showing: "embedding")
        guard case .embeddings(let vectors) = result.output, vectors.count == texts.count else {
            throw BreezeError(
                .invalidOutput,
                "\(result.runner) answered \(texts.count) texts with something else than as many vectors.",
                remedy: "Choose another runner with --runner; they are listed by breeze runners."
            )
        }
        self.vectors = vectors
    }

    var dimensions: Int { vectors.first?.count ?? 0 }

    /// What a person should know besides, on standard error.
    func printNotes() { result.printNotes() }

    /// Cosine similarity, -1…1; 0 where a vector has no direction.
    static func similarity(_ left: [Float], _ right: [Float]) -> Double {
        var (product, leftSquares, rightSquares) = (0.0, 0.0, 0.0)
        for (a, b) in zip(left, right) {
            product += Double(a) * Double(b)
            leftSquares += Double(a) * Double(a)
            rightSquares += Double(b) * Double(b)
        }
        let norm = (leftSquares * rightSquares).squareRoot()
        return norm > 0 ? product / norm : 0
    }
}

extension String {
    /// For a line of a list.
    func firstLine(limit: Int) -> String {
        let line = (split(whereSeparator: \.isNewline).first.map(String.init) ?? "").printable
        return line.count > limit ? "\(line.prefix(limit - 1))…" : line
    }
}
