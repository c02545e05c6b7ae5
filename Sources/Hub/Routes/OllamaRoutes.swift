#if Hub
import BreezeCore
import BreezeEngine
import BreezeWire
import Foundation
import Hummingbird
import HummingbirdCore
import NIOCore

extension HubServer {
    func addOllamaRoutes(to router: Router<HubContext>) {
        router.post("/api/chat") { request, context in
            let generation = try Ollama.parseChat(try await self.body(of: request, context))
            return try await self.answer(generation, .ollama(.chat), request, context)
        }
        router.post("/api/generate") { request, context in
            let generation = try Ollama.parseGenerate(try await self.body(of: request, context))
            return try await self.answer(generation, .ollama(.generate), request, context)
        }
        router.post("/api/embed") { request, context in
            let call = try OllamaEmbeddings.parse(try await self.body(of: request, context))
            let (result, asked) = try await self.embed(call, request, context)
            return Response(json: try OllamaEmbeddings.answer(result, to: asked))
        }
        router.post("/api/embeddings") { request, context in
            let call = try OllamaEmbeddings.parseOlder(try await self.body(of: request, context))
            let (result, asked) = try await self.embed(call, request, context)
            return Response(json: try OllamaEmbeddings.answerOlder(result, to: asked))
        }
        router.get("/api/version") { _, _ in Response(json: OllamaModelCall.version(self.parts.version)) }
        router.get("/api/tags") { request, context in
            _ = try self.caller(request, context)
            return Response(json: OllamaModels.tags(await self.models().map(Self.ollamaEntry)))
        }
        router.get("/api/ps") { request, context in
            _ = try self.caller(request, context)
            return Response(json: OllamaModels.running(await self.models().compactMap(Self.ollamaRunning)))
        }
        router.post("/api/show") { request, context in
            _ = try self.caller(request, context)
            let call = try OllamaModelCall(.show, parsing: try await self.body(of: request, context))
            try self.check(call.remarks)
            let models = await self.models()
            let target = await self.parts.names.target(of: call.model)
            guard let model = models.first(where: { $0.isNamed(target) }) else {
                throw Self.unknownModel(call.model, models.map(\.id))
            }
            return Response(json: OllamaModels.show(Self.ollamaEntry(model)))
        }
    }

    private func embed(
        _ call: EmbeddingCall,
        _ request: Request,
        _ context: HubContext
    ) async throws -> (InferenceResult, EmbeddingCall) {
        var call = call
        call.apply(try request.hints)
        try check(call.remarks)
        return (try await ask(call.request(try await texts(of: call)), request, context), call)
    }

    private static func ollamaEntry(_ model: ListedModel) -> OllamaModels.Entry {
        let parameters = model.runners.flatMap(\.parameters.parameters).map(\.name)
        return OllamaModels.Entry(
            info: model.description,
            modifiedAt: model.installed ?? Date(timeIntervalSince1970: 0),
            abilities: [("tools", "tools"), ("thinking", "thinking")].filter { parameters.contains($0.0) }
                .map(\.1)
        )
    }

    private static func ollamaRunning(_ model: ListedModel) -> OllamaModels.Running? {
        guard let runner = model.runners.first(where: \.isLoaded) else { return nil }
        return OllamaModels.Running(
            info: model.description,
            expiresAt: runner.residency.expiresIn.map { Date(timeIntervalSinceNow: $0) },
            memory: runner.residency.bytes ?? runner.memoryEstimate ?? 0,
            contextLength: runner.contextLength
        )
    }
}

extension ListedModel {
    /// Of one that is no file, what its runner says.
    fileprivate var description: ModelInfo {
        info
            ?? ModelInfo(
                id: id,
                format: .custom("builtin"),
                capabilities: runners.flatMap(\.capabilities)
            )
    }

    fileprivate func isNamed(_ target: ModelNames.Target?) -> Bool {
        switch target {
        case .model(let name): id == name
        case .runner(let name): runners.contains { $0.id == name }
        case nil: false
        }
    }
}

extension GenerationForm {
    fileprivate static func ollama(_ route: OllamaRoute) -> GenerationForm {
        GenerationForm(
            answer: { results, generation, reasoning in
                guard let result = results.first else { return [] }
                return Ollama.answer(
                    result,
                    to: generation,
                    route: route,
                    reasoning: reasoning.first ?? "",
                    created: Date()
                )
            },
            stream: { OllamaStream($0, route: route, created: Date()) },
            contentType: OllamaStream.contentType,
            loaded: { Ollama.answer(loading: $0, route: route, created: Date()) }
        )
    }
}
#endif
