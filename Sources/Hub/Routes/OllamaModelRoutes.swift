#if Hub
import BreezeAccess
import BreezeCatalog
import BreezeCore
import BreezeDownloads
import BreezeModels
import BreezeTransport
import BreezeWire
import Foundation
import Hummingbird
import HummingbirdCore
import NIOCore

extension HubServer {
    /// Those by which apps bring models here and are rid of them: they need the right to, and each download the owner's
    /// word for its source and licence.
    func addOllamaModelRoutes(to router: Router<HubContext>) {
        router.post("/api/pull") { request, context in try await self.pull(request, context) }
        router.delete("/api/delete") { request, context in
            let call = try OllamaModelCall(.delete, parsing: try await self.body(of: request, context))
            try self.check(call.remarks)
            try await self.keeping(request, context) { _ in
                _ = try await self.remove(try await self.installed(call.model))
            }
            return Response(status: .ok)
        }
        router.post("/api/copy") { request, context in
            let call = try OllamaCopyCall(parsing: try await self.body(of: request, context))
            try self.check(call.remarks)
            try await self.keeping(request, context) { _ in
                let source = try await self.installed(call.source)
                try await self.parts.models.store.copy(source, to: ModelNames.id(ofOllama: call.destination))
                try await self.parts.refresh()
            }
            return Response(status: .ok)
        }
    }

    /// Does what needs the right to models, and writes down how it went.
    @discardableResult
    private func keeping<Value>(
        _ request: Request,
        _ context: HubContext,
        _ body: (AccessGrant) async throws -> Value
    ) async throws -> Value {
        let grant = try parts.access.gate.authorise(
            credential(of: request),
            for: .models,
            from: context.caller,
            request: context.requestID
        )
        do {
            let value = try await body(grant)
            grant.settle(RequestOutcome("stop"))
            return value
        } catch {
            grant.settle(.failed(FailureMiddleware.known(error)))
            throw error
        }
    }

    private func installed(_ name: String) async throws -> String {
        if case .model(let id) = await parts.names.target(of: name) { return id }
        throw Self.unknownModel(name, try parts.models.store.list().models.map(\.info.id))
    }

    private func pull(_ request: Request, _ context: HubContext) async throws -> Response {
        let call = try OllamaModelCall(.pull, parsing: try await body(of: request, context))
        try check(call.remarks)
        return try await keeping(request, context) { grant in
            if case .model = await parts.names.target(of: call.model) {
                return Response(pulled: call.streams)
            }
            let reference = try Self.reference(call.model, parts.manager.catalog)
            let (plan, task) = try await EgressClient.$current.withValue(grant.egressClient) {
                let plan = try await parts.manager.plan(reference)
                _ = try await parts.access.requirePull(plan.terms, by: grant.subject.app)
                return (plan, downloads.begin(plan, TermsAcceptance(terms: true, noncommercial: true)))
            }
            guard call.streams else {
                _ = try await task.value
                return Response(pulled: false)
            }
            return progress(plan, task)
        }
    }

    /// The download goes on where the client goes away: the owner wanted the model, and the panel can stop it.
    private func progress(_ plan: PullPlan, _ task: Task<ImportOutcome, any Error>) -> Response {
        let steps = downloads.watch(plan.id)
        let digest = plan.package.files.count == 1 ? plan.package.files[0].sha256 : nil
        let body = ResponseBody { writer in
            try await writer.write(ByteBuffer(bytes: OllamaModelCall.progress("pulling manifest")))
            for await step in steps where step.state == .running {
                let line =
                    step.stage == .download || step.stage == .discovery
                    ? OllamaModelCall.progress(
                        "pulling \(plan.id)",
                        digest: digest,
                        total: step.total,
                        completed: step.received
                    ) : OllamaModelCall.progress(step.stage.ollamaStatus)
                try await writer.write(ByteBuffer(bytes: line))
            }
            do {
                _ = try await task.value
                try await writer.write(ByteBuffer(bytes: OllamaModelCall.progress("success")))
            } catch {
                let failure = OllamaModelCall.failure(FailureMiddleware.known(error))
                try await writer.write(ByteBuffer(bytes: failure))
            }
            try await writer.finish(nil)
        }
        return Response(status: .ok, headers: [.contentType: "application/x-ndjson"], body: body)
    }
}

extension AccessGrant {
    /// Whom an outgoing connection is for.
    fileprivate var egressClient: EgressClient { subject.app.map { .app($0) } ?? .owner }
}

extension DownloadStage {
    /// In Ollama's words.
    fileprivate var ollamaStatus: String {
        switch self {
        case .validation: "verifying sha256 digest"
        case .extraction: "unpacking"
        default: "writing manifest"
        }
    }
}

extension Response {
    /// Of a model that is there.
    fileprivate init(pulled streams: Bool) {
        guard streams else {
            self.init(json: OllamaModelCall.status("success"))
            return
        }
        self.init(
            status: .ok,
            headers: [.contentType: "application/x-ndjson"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: OllamaModelCall.progress("success")))
        )
    }
}
#endif
