import BreezeCore

/// The app's own runner.
struct FallbackWay: Way {
    let name = TransportReport.Way.fallback
    let fallback: Fallback
    let runner: FallbackRunner?
    let consents: ConsentStore
    let clock: any Clock<Duration>

    private static let absent = NothingSent("The app has none.")

    func answer(_ request: InferenceRequest, into sink: ChunkSink?) async throws -> InferenceResult {
        guard let runner else { throw Self.absent }
        try await check(request)
        let work = DetachableWork {
            var result = try await runner.answer(request, into: sink ?? ChunkSink(callback: nil))
            result.notices.append("No hub answered, so \(runner.runner.id) of the app itself did.")
            return result
        }
        guard let timeout = request.configuration.timeout else { return try await work.value }
        let limit = Duration.seconds(min(max(0, timeout), 1e6))
        let timer = Task {
            try await clock.sleep(for: limit)
            work.cancel(throwing: KitFault.timedOut(after: limit))
        }
        defer { timer.cancel() }
        return try await work.value
    }

    /// Whether it may answer: this device first, and the network by two consents alone.
    func check(_ request: InferenceRequest) async throws {
        guard let runner = runner?.runner else { throw Self.absent }
        if let id = request.runnerID, id != runner.id {
            throw NothingSent("The request names the runner \(id), and the app has \(runner.id).")
        }
        if let model = request.modelID, model != runner.model?.id {
            throw NothingSent("The request names the model \(model), and \(runner.id) has another.")
        }
        guard runner.canRun(request: request) else {
            throw NothingSent("\(runner.id) does not answer this \(request.capability) request.")
        }
        if runner.locality == .network, request.privacy == .onDevice {
            throw NothingSent("The request is pinned to the device, and \(runner.id) asks a service.")
        }
        try await checkItself()
    }

    /// Whether it may answer at all.
    func checkItself() async throws {
        guard let runner = runner?.runner else { throw Self.absent }
        if runner.locality == .network { try await checkConsent(runner) }
        if case .unavailable(let reason, let remedy) = await runner.availability() {
            throw NothingSent(reason, remedy: remedy)
        }
    }

    private func checkConsent(_ runner: any Runner) async throws {
        guard case .api = fallback else {
            throw BreezeError(
                .networkConsentRequired,
                "\(runner.id) takes requests off the device, and the app did not say that it may.",
                remedy: "Configure it as fallback: .api(…), and ask the user."
            )
        }
        guard try await consents.load()?.runner == runner.id else {
            throw BreezeError(
                .networkConsentRequired,
                "No hub is there, and the user has not allowed the network service \(runner.id).",
                remedy: "Ask the user once; after a yes: try await client.allowNetwork()"
            )
        }
    }
}
