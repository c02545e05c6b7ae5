package import BreezeCore

/// Asks for embeddings of mail, which never leaves the device: every request says so, and an answer that another device
/// gave is an error.
package struct MailEncoder: Sendable {
    let service: any InferenceService
    /// `nil` is the one that the service chooses.
    let model: String?

    package struct Answer: Sendable {
        package var vectors: [[Float]]
        package var model: String
    }

    package init(service: any InferenceService, model: String?) {
        self.service = service
        self.model = model
    }

    /// - Throws: ``BreezeError``: what the service threw; `invalid_output` where the answer is no vector for each text;
    ///   `unsupported` where it was not made on this device; `timeout` where it took longer than `limit`.
    package func embed(
        _ texts: [String],
        as type: InputType,
        _ priority: RequestPriority,
        limit: Duration? = nil
    ) async throws -> Answer {
        let request = InferenceRequest(
            .embedding,
            inputs: texts,
            inputType: type,
            configuration: InferenceConfig(timeout: limit.map { $0 / .seconds(1) }),
            modelID: model,
            privacy: .onDevice,
            priority: priority,
            client: "mail"
        )
        let result = try await service.run(request)
        let chosen = result.routing?.candidates.first { $0.runner == result.routing?.chosen }
        guard chosen?.locality != .network else {
            throw BreezeError(
                .unsupported,
                "The runner \(result.runner) works over the network, and mail stays on this device.",
                remedy: "Install an encoder that runs here: breeze models pull all-minilm-l6-v2"
            )
        }
        guard case .embeddings(let vectors) = result.output, vectors.count == texts.count,
            let dimension = vectors.first?.count, dimension > 0, vectors.allSatisfy({ $0.count == dimension })
        else {
            throw BreezeError(
                .invalidOutput,
                "The runner \(result.runner) did not answer with a vector for each text."
            )
        }
        return Answer(vectors: vectors, model: result.model ?? result.runner)
    }
}
