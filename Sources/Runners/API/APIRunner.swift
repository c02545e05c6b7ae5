public import BreezeCore
import BreezeSchema
public import BreezeTransport
import Foundation

/// One model of a service that speaks OpenAI's protocol. Needs no engine: it runs in an app alone, where it refuses
/// itself what is pinned to the device, and takes personal data out where it is told to.
///
/// What a service does not report is not made up: token numbers of log-probabilities are -1, and a service that
/// counts no tokens leaves ``InferenceResult/usage`` at 0.
public final class APIRunner: StreamingRunner {
    /// Gives the service's key; `nil` where there is none. Asked before each request, so that a new key is heeded at
    /// once, and never where ``APIService/keyName`` is `nil`.
    public typealias Key = @Sendable () async throws -> String?

    /// Texts that are embedded with one request.
    private static let batch = 256

    public let id: String
    public let service: APIService
    private let client: APIClient
    private let redaction: Redaction?

    /// `model` is one of the service's. `redaction` is for an app without an engine: see ``Redaction``. `clock` is
    /// what waiting is counted by.
    /// - Throws: ``BreezeError/Code/invalidSetting``, ``BreezeError/Code/unknownModel``.
    public init(
        _ service: APIService,
        model: String,
        transport: any HTTPTransport,
        key: @escaping Key = { nil },
        redaction: Redaction? = nil,
        retry: RetryPolicy = RetryPolicy(),
        clock: any Clock<Duration> = ContinuousClock()
    ) throws {
        try service.validate()
        guard let found = service.models.first(where: { $0.id == model }) else {
            let names = service.models.map(\.id)
            throw BreezeError(
                .unknownModel,
                "\(service.title) is configured without the model \(model).",
                remedy: nearestName(to: model, in: names).map { "Did you mean \($0)?" }
            )
        }
        self.service = service
        self.redaction = redaction
        id = "\(service.name):\(found.id)"
        client = APIClient(
            service: service,
            model: found,
            transport: transport,
            key: key,
            retry: retry,
            clock: clock
        )
    }

    /// A runner for each of the service's models.
    public static func all(
        of service: APIService,
        transport: any HTTPTransport,
        key: @escaping Key = { nil },
        redaction: Redaction? = nil
    ) throws -> [APIRunner] {
        try service.models.map {
            try APIRunner(service, model: $0.id, transport: transport, key: key, redaction: redaction)
        }
    }

    private var settings: APIModel { client.model }

    public var supportedCapabilities: [AICapability] { settings.capabilities }
    public var locality: Locality { service.locality }
    public var concurrency: Int { service.concurrency }
    public var qualityTier: Int { settings.qualityTier }
    public var parameterSchema: ParameterSchema { APIParameters.schema(service, settings) }
    public var memoryEstimate: Int64? { 0 }

    public var model: ModelInfo? {
        ModelInfo(
            id: settings.id,
            format: .custom("api"),
            capabilities: settings.capabilities,
            contextLength: settings.contextLength,
            source: service.baseURL.withoutSecrets
        )
    }

    public func canRun(request: InferenceRequest) -> Bool {
        supportedCapabilities.contains(request.capability)
            && !(request.privacy == .onDevice && locality == .network)
    }

    /// Whether there is a key. The service itself is not asked: that would leave the device.
    public func availability() async -> Availability {
        do {
            _ = try await client.currentKey()
            return .available
        } catch let error as BreezeError {
            return .unavailable(reason: error.message, remedy: error.remedy)
        } catch {
            return .unavailable(reason: "The key of \(service.title) cannot be read.", remedy: nil)
        }
    }

    public func load() async throws {}
    public func unload() async {}

    public func run(request: InferenceRequest, into sink: ChunkSink) async throws -> InferenceResult {
        guard !(request.privacy == .onDevice && locality == .network) else {
            throw BreezeError(
                .unsupported,
                "The request may not leave the device, and \(service.title) is elsewhere.",
                remedy: "Ask a runner on this device."
            )
        }
        guard supportedCapabilities.contains(request.capability) else {
            throw BreezeError(
                .unsupported,
                "\(id) does not do \(request.capability).",
                remedy: "It does \(supportedCapabilities.map(\.rawValue).joined(separator: ", "))."
            )
        }
        try request.validate()
        try APIParameters.check(request.configuration, against: parameterSchema, of: id)
        guard let timeout = request.configuration.timeout else { return try await answer(request, sink) }
        return try await within(timeout) { try await self.answer(request, sink) }
    }

    private func within(
        _ seconds: Double,
        _ work: @escaping @Sendable () async throws -> InferenceResult
    ) async throws -> InferenceResult {
        let clock = client.clock
        return try await withThrowingTaskGroup(of: InferenceResult.self) { group in
            group.addTask { try await work() }
            group.addTask {
                try await clock.sleep(for: .seconds(seconds))
                throw BreezeError(
                    .timeout,
                    "There was no whole answer within \(seconds) s.",
                    remedy: "Allow more time (timeout), or ask for fewer tokens."
                )
            }
            defer { group.cancelAll() }
            guard let result = try await group.next() else { throw CancellationError() }
            return result
        }
    }

    private func answer(_ request: InferenceRequest, _ sink: ChunkSink) async throws -> InferenceResult {
        var (request, notices) = (request, [String]())
        if let redaction { (request, notices) = try await request.redacted(by: redaction) }
        var result =
            request.capability == .embedding
            ? try await embed(request, into: sink) : try await chat(request, into: sink)
        result.notices = notices + result.notices
        return result
    }
}

extension APIRunner {
    private func chat(_ request: InferenceRequest, into sink: ChunkSink) async throws -> InferenceResult {
        let question = try Question(request, service: service, model: settings)
        let (path, body) =
            switch service.dialect {
            case .chatCompletions: ("chat/completions", try ChatBody.make(question))
            case .responses: ("responses", try ResponsesBody.make(question))
            }
        if let schema = request.configuration.guidedOutput { try checkSchema(schema) }
        let call = try await client.call(request.sentTexts)
        let response = try await call.post(path, body)
        let exchange = APIExchange(call: call, service: service)
        let answer = try await exchange.read(response, requestID: request.id, into: sink)
        let calls = try answer.toolCalls(request.configuration.tools ?? [], requestID: request.id)
        if let schema = request.configuration.guidedOutput { try answer.validate(schema) }
        for call in calls {
            try await sink.send(InferenceChunk(requestID: request.id, .toolCall(call)))
        }
        return result(request, answer, calls)
    }

    /// What could not be held against the answer is refused before anything is sent.
    private func checkSchema(_ schema: JSONValue) throws {
        do { try SchemaSurvey.check(schema) } catch let failure as SchemaFailure {
            throw failure.error(in: "guidedOutput", by: id)
        }
    }

    private func result(
        _ request: InferenceRequest,
        _ answer: ReceivedAnswer,
        _ calls: [ToolCall]
    ) -> InferenceResult {
        var notices = answer.notices
        let fallbacks = service.openRouter?.models ?? []
        if let other = answer.model, fallbacks.contains(where: { other.hasPrefix($0) }),
            !other.hasPrefix(settings.id)
        {
            notices.append("\(other) answered in the place of \(settings.id).")
        }
        if !answer.refusal.isEmpty { notices.append("The model refused to answer.") }
        let who = [answer.model, answer.provider].compactMap(\.self).joined(separator: " by ")
        return InferenceResult(
            requestID: request.id,
            output: .text(answer.text),
            runner: id,
            model: settings.id,
            runtime: who.isEmpty ? service.title : "\(service.title): \(who)",
            toolCalls: calls,
            finishReason: answer.finishReason,
            usage: answer.usage,
            logprobs: answer.logprobs.isEmpty ? nil : answer.logprobs,
            notices: notices
        )
    }

    private func embed(_ request: InferenceRequest, into sink: ChunkSink) async throws -> InferenceResult {
        let call = try await client.call(request.sentTexts)
        let texts = request.texts
        var vectors: [[Float]] = []
        var usage = Usage()
        while vectors.count < texts.count {
            let batch = texts[vectors.count..<min(vectors.count + Self.batch, texts.count)]
            var body: [String: JSONValue] = [
                "model": .string(settings.id), "input": .array(batch.map { .string($0) }),
                "encoding_format": "float",
            ]
            body["dimensions"] = request.configuration[parameter: APIParameters.dimensions]
            let answer = try await whole(call, "embeddings", .object(body))
            let found = try EmbeddingReader.vectors(answer, count: batch.count)
            for vector in found {
                try await sink.send(
                    InferenceChunk(requestID: request.id, .embedding(index: vectors.count, vector: vector))
                )
                vectors.append(vector)
            }
            if let counts = answer["usage"] { usage.inputTokens += Usage(counts).inputTokens }
        }
        return InferenceResult(
            requestID: request.id,
            output: .embeddings(vectors),
            runner: id,
            model: settings.id,
            runtime: service.title,
            usage: usage
        )
    }

    private func whole(_ call: APIClient.Call, _ path: String, _ body: JSONValue) async throws -> JSONValue {
        let response = try await call.post(path, body)
        let bytes = try await response.body.collect(upTo: APIClient.bodyLimit)
        guard let answer = try? JSONValue(parsing: bytes) else {
            throw BreezeError(
                .invalidResponse,
                "The answer of \(service.title) is no JSON.",
                remedy: "Check that \(service.baseURL.withoutSecrets) is that of an OpenAI-compatible server."
            )
        }
        if let failure = APIFailure(reported: answer) { throw call.error(failure) }
        return answer
    }
}
