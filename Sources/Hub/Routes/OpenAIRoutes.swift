#if Hub
import BreezeCore
import BreezeEngine
import BreezeModels
import BreezeWire
import Foundation
import Hummingbird
import HummingbirdCore
import NIOCore

extension HubServer {
    func addOpenAIRoutes(to router: Router<HubContext>) {
        router.post("/v1/chat/completions") { request, context in
            let generation = try OpenAIChat.parse(try await self.body(of: request, context))
            return try await self.answer(generation, .openAIChat, request, context)
        }
        router.post("/v1/completions") { request, context in
            let generation = try OpenAICompletions.parse(try await self.body(of: request, context))
            return try await self.answer(generation, .openAICompletions, request, context)
        }
        router.post("/v1/responses") { request, context in try await self.respond(request, context) }
        router.post("/v1/embeddings") { request, context in try await self.embed(request, context) }
        router.post("/v1/rerank") { request, context in
            var call = try RerankCall(parsing: try await self.body(of: request, context))
            call.request.apply(try request.hints)
            try self.check(call.remarks)
            return Response(json: try call.answer(try await self.ask(call.request, request, context)))
        }
        router.post("/v1/moderations") { request, context in
            var call = try ModerationCall(parsing: try await self.body(of: request, context))
            call.apply(try request.hints)
            try self.check(call.remarks)
            return Response(json: try call.answer(try await self.ask(call.requests, request, context)))
        }
        router.get("/v1/models") { request, context in
            Response(json: OpenAIModels.list(try await self.modelEntries(request, context)))
        }
        router.get("/v1/models/:id") { request, context in
            let id = try context.parameters.require("id").removingPercentEncoding ?? ""
            let entries = try await self.modelEntries(request, context)
            guard let entry = entries.first(where: { $0.id == id }) else {
                throw Self.unknownModel(id, entries.map(\.id))
            }
            return Response(json: OpenAIModels.one(entry))
        }
    }

    private func respond(_ request: Request, _ context: HubContext) async throws -> Response {
        let call = try ResponsesCall(parsing: try await body(of: request, context))
        let owner = try caller(request, context)
        let stored = responses
        let earlier = try call.previousResponseID.map { try stored.conversation($0, of: owner) } ?? []
        var generation = call.generation
        generation.requests = [call.request(after: earlier)]
        let form = GenerationForm(
            answer: { results, generation, reasoning in
                guard let result = results.first else { return [] }
                var call = call
                call.generation = generation
                return try call.answer(result, reasoning: reasoning.first ?? "", created: Date())
            },
            stream: { generation in
                var call = call
                call.generation = generation
                return ResponsesStream(call, created: Date())
            },
            contentType: ResponsesStream.contentType,
            keep: { results in
                guard call.stores, let result = results.first else { return }
                stored.keep(call.conversation(after: earlier, result), as: call.id, of: owner)
            }
        )
        return try await answer(generation, form, request, context)
    }

    private func embed(_ request: Request, _ context: HubContext) async throws -> Response {
        var call = try OpenAIEmbeddings.parse(try await body(of: request, context))
        call.apply(try request.hints)
        try check(call.remarks)
        let texts = try await texts(of: call)
        let result = try await ask(call.request(texts), request, context)
        return Response(json: try OpenAIEmbeddings.answer(result, to: call))
    }

    /// Tokens are of the model's own vocabulary.
    func texts(of call: EmbeddingCall) async throws -> [String] {
        switch call.input {
        case .texts(let texts): return texts
        case .tokens(let lists):
            let tokenizer = try await tokenizer(of: call.model)
            return try lists.map { try tokenizer.text($0) }
        }
    }

    private func modelEntries(_ request: Request, _ context: HubContext) async throws -> [OpenAIModels.Entry]
    {
        _ = try caller(request, context)
        return await models().map { model in
            OpenAIModels.Entry(
                id: model.id,
                created: model.installed ?? parts.started,
                info: model.info,
                capabilities: model.capabilities,
                isMock: model.isMock
            )
        }
    }

    static func unknownModel(_ id: String, _ ids: [String]) -> BreezeError {
        let near = nearestName(to: id, in: ids)
        return BreezeError(
            .unknownModel,
            "There is no model \(id.prefix(100)).",
            remedy: near.map { "Did you mean \($0)?" } ?? "See those that there are: GET /v1/models"
        )
    }

    /// One request that is answered in one piece.
    func ask(
        _ question: InferenceRequest,
        _ request: Request,
        _ context: HubContext
    ) async throws -> InferenceResult {
        guard let result = try await ask([question], request, context).first else {
            throw BreezeError(.internalError, "A request was answered by nothing.")
        }
        return result
    }

    func ask(
        _ questions: [InferenceRequest],
        _ request: Request,
        _ context: HubContext
    ) async throws -> [InferenceResult] {
        var questions = questions
        let admission = try await admit(&questions, request, context)
        return try await run(questions, admission, context.connection)
    }
}

extension GenerationForm {
    fileprivate static let openAIChat = GenerationForm(
        answer: { try OpenAIChat.answer($0, to: $1, reasoning: $2, created: Date()) },
        stream: { OpenAIChatStream($0, created: Date()) },
        contentType: OpenAIChatStream.contentType
    )

    fileprivate static let openAICompletions = GenerationForm(
        answer: { results, generation, _ in
            OpenAICompletions.answer(results, to: generation, created: Date())
        },
        stream: { OpenAICompletionStream($0, created: Date()) },
        contentType: OpenAICompletionStream.contentType
    )
}
#endif
