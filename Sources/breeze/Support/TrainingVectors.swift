import BreezeCore
import BreezeMailSearch

/// Embeds what heads are trained on, which stays on the device as any mail.
struct TrainingVectors {
    let engine: any InferenceService

    private static let batch = 64

    /// A vector for each text, and the encoder's name. Texts of one length go together, which takes half the time.
    func vectors(_ texts: [String], _ tell: (Int) -> Void) async throws -> (
        vectors: [[Float]], encoder: String
    ) {
        let encoder = MailEncoder(service: engine, model: nil)
        let order = texts.indices.sorted { (texts[$0].utf8.count, $0) < (texts[$1].utf8.count, $1) }
        var (vectors, name) = ([[Float]](repeating: [], count: texts.count), "")
        for start in stride(from: 0, to: order.count, by: Self.batch) {
            let part = order[start..<min(start + Self.batch, order.count)]
            // Nothing is no text to an encoder.
            let answer = try await encoder.embed(
                part.map { texts[$0].isEmpty ? " " : texts[$0] },
                as: .passage,
                .normal
            )
            for (index, vector) in zip(part, answer.vectors) { vectors[index] = vector }
            name = answer.model
            tell(start + part.count)
        }
        return (vectors, name)
    }
}
