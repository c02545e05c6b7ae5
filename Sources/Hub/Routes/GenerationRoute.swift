#if Hub
import BreezeCore
import BreezeEngine
import BreezeWire
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore

/// How one route's answers are written, in one piece and as they grow.
struct GenerationForm: Sendable {
    let answer: @Sendable ([InferenceResult], Generation, _ reasoning: [String]) throws -> [UInt8]
    let stream: @Sendable (Generation) -> any WireStream
    let contentType: String
    /// What a question without words is answered with, once the model is loaded or unloaded.
    var loaded: @Sendable (Generation) -> [UInt8] = { _ in [] }
    /// Learns of the results before the client does.
    var keep: @Sendable ([InferenceResult]) -> Void = { _ in }
}

extension HubServer {
    func answer(
        _ generation: Generation,
        _ form: GenerationForm,
        _ request: Request,
        _ context: HubContext
    ) async throws -> Response {
        var generation = generation
        generation.apply(try request.hints)
        try check(generation.remarks)
        let admission = try await admit(&generation.requests, request, context)
        guard generation.purpose == .answer else {
            do { try await load(generation) } catch {
                throw admission.failure(Self.told(error, context.connection))
            }
            admission.end([])
            return Response(json: form.loaded(generation))
        }
        return generation.streams
            ? try await streamed(generation, form, admission, context)
            : try await whole(generation, form, admission, context.connection)
    }

    private func whole(
        _ generation: Generation,
        _ form: GenerationForm,
        _ admission: Admission,
        _ connection: Connection
    ) async throws -> Response {
        let results = try await run(generation.requests, admission, connection)
        form.keep(results)
        return Response(json: try form.answer(results, generation, results.map { $0.reasoning ?? "" }))
    }

    /// The status is sent with the first chunk, so that what fails before it has a status of its own.
    private func streamed(
        _ generation: Generation,
        _ form: GenerationForm,
        _ admission: Admission,
        _ context: HubContext
    ) async throws -> Response {
        let connection = context.connection
        let feed = AnswerFeed(generation.requests, parts.engine)
        let stay = Stay(generation.requests, admission, connection, parts.requests) { feed.cancel() }
        let first: (choice: Int, chunk: InferenceChunk)?
        do { first = try await feed.next() } catch {
            stay.end()
            throw admission.failure(await told(error, connection, generation.requests))
        }
        context.tally.isStreamed()
        let body = ResponseBody { writer in
            defer { stay.end() }
            let answer = GrowingAnswer(generation, form, feed, first, admission, context)
            do {
                while let bytes = await answer.next() {
                    connection.beginWriting()
                    defer { connection.endWriting() }
                    try await writer.write(ByteBuffer(bytes: bytes))
                }
            } catch {
                answer.abandon(error)
                throw error
            }
            try await writer.finish(nil)
        }
        return Response(
            status: .ok,
            headers: [.contentType: form.contentType, .cacheControl: "no-cache"],
            body: body
        )
    }

    /// Runs requests that are answered in one piece, all of them or none.
    func run(
        _ requests: [InferenceRequest],
        _ admission: Admission,
        _ connection: Connection
    ) async throws -> [InferenceResult] {
        let engine = parts.engine
        let work = Task { try await requests.concurrentMap { try await engine.run($0) } }
        let stay = Stay(requests, admission, connection, parts.requests) { work.cancel() }
        defer { stay.end() }
        do {
            let results = try await work.value
            admission.end(results)
            return results
        } catch {
            throw admission.failure(await told(error, connection, requests))
        }
    }

    /// A model that is there and cannot do what is asked of it will not mend.
    private func told(
        _ error: any Error,
        _ connection: Connection,
        _ requests: [InferenceRequest]
    ) async -> BreezeError {
        let told = Self.told(error, connection)
        guard told.code == .noRunner, let request = requests.first,
            let name = request.runnerID ?? request.modelID
        else { return told }
        let named = await parts.engine.runners().filter { $0.id == name || $0.model == name }
        guard !named.isEmpty, !named.contains(where: { $0.capabilities.contains(request.capability) }) else {
            return told
        }
        return BreezeError(
            .unsupportedCapability,
            "\(name.prefix(100)) does not do \(request.capability).",
            remedy: "See what each can do: GET /v1/models",
            underlying: told
        )
    }

    /// What a failure is to the client, and to the audit.
    fileprivate static func told(_ error: any Error, _ connection: Connection) -> BreezeError {
        connection.isGone
            ? BreezeError(.cancelled, "The client went away.") : FailureMiddleware.known(error)
    }

    func check(_ remarks: WireRemarks) throws {
        // Most bodies have none, and are not worth a look at the settings.
        guard let error = WireFailure.unknownFields(remarks) else { return }
        if try parts.settings.current().refusesUnknownFields { throw error }
    }

    private func load(_ generation: Generation) async throws {
        guard let request = generation.requests.first else { return }
        let runner = try await runner(for: request)
        if generation.purpose == .unload {
            try await parts.engine.unload(runner)
        } else {
            try await parts.engine.load(runner)
        }
    }

    /// The one that would answer.
    func runner(for request: InferenceRequest) async throws -> String {
        let decision = try await parts.engine.explain(request)
        guard let chosen = decision.chosen else {
            throw BreezeError(.noRunner, "No runner here answers that.", remedy: "See why: breeze runners")
        }
        return chosen
    }
}

/// An answer that is written while it comes, and the account of it. One task's alone, and apart from that task's
/// frame, of which a thousand streams have a thousand.
private final class GrowingAnswer {
    private let generation: Generation
    private let form: GenerationForm
    private let feed: AnswerFeed
    private let admission: Admission
    private let context: HubContext
    private var first: (choice: Int, chunk: InferenceChunk)?
    private var stream: any WireStream
    private var results: [InferenceResult] = []
    private var written = 0
    private var isOver = false

    init(
        _ generation: Generation,
        _ form: GenerationForm,
        _ feed: AnswerFeed,
        _ first: (choice: Int, chunk: InferenceChunk)?,
        _ admission: Admission,
        _ context: HubContext
    ) {
        (self.generation, self.form, self.feed, self.first) = (generation, form, feed, first)
        (self.admission, self.context) = (admission, context)
        stream = form.stream(generation)
    }

    /// - Returns: What the client gets next, a failure too; `nil` after the last of it.
    func next() async -> [UInt8]? {
        while !isOver {
            let bytes: [UInt8]
            do {
                if let (choice, chunk) = try await nextChunk() {
                    bytes = try take(chunk, choice: choice)
                } else {
                    bytes = end()
                }
            } catch {
                bytes = fail(error)
            }
            written += bytes.count
            if !bytes.isEmpty { return bytes }
        }
        return nil
    }

    private func nextChunk() async throws -> (choice: Int, chunk: InferenceChunk)? {
        defer { first = nil }
        if let first { return first }
        return try await feed.next()
    }

    // Not within `next`, whose frame waits with each stream: what is juggled with here is larger than all else there.
    @inline(never)
    private func take(_ chunk: InferenceChunk, choice: Int) throws -> [UInt8] {
        admission.note(chunk)
        if let result = chunk.result { results.append(result) }
        if results.count == generation.requests.count { form.keep(results) }
        return try stream.encode(chunk, choice: choice)
    }

    @inline(never)
    private func end() -> [UInt8] {
        isOver = true
        let ending = stream.finish()
        admission.end(results)
        context.tally.streamed(written + ending.count)
        return ending
    }

    @inline(never)
    private func fail(_ error: any Error) -> [UInt8] {
        isOver = true
        return stream.fail(abandon(error))
    }

    /// The client takes no more.
    @inline(never)
    @discardableResult
    func abandon(_ error: any Error) -> BreezeError {
        feed.cancel()
        return admission.failure(HubServer.told(error, context.connection))
    }
}

/// A request's time in the hub: it ends early where its client goes, or the hub stops.
private struct Stay: Sendable {
    private let id: String?
    private let place: Int?
    private let connection: Connection
    private let running: RunningRequests

    init(
        _ requests: [InferenceRequest],
        _ admission: Admission,
        _ connection: Connection,
        _ running: RunningRequests,
        _ stop: @escaping @Sendable () -> Void
    ) {
        (id, self.connection, self.running) = (requests.first?.id, connection, running)
        if let first = requests.first { running.enter(first, admission, stop) }
        place = connection.onGone(stop)
    }

    func end() {
        connection.forget(place)
        if let id { running.leave(id) }
    }
}

extension Request {
    var hints: WireHints {
        get throws {
            let headers = headers
            guard headers.contains(where: { $0.name.canonicalName.hasPrefix(WireHints.prefix) }) else {
                return WireHints()
            }
            return try WireHints { name in HTTPField.Name(name).flatMap { headers[$0] } }
        }
    }
}

extension Array where Element: Sendable {
    /// In order, a few at a time; the first failure ends the others.
    func concurrentMap<Value: Sendable>(
        _ transform: @escaping @Sendable (Element) async throws -> Value
    ) async throws -> [Value] {
        if let only = first, count == 1 { return [try await transform(only)] }
        return try await withThrowingTaskGroup(of: (Int, Value).self) { group in
            var values: [Int: Value] = [:]
            for (index, element) in enumerated() {
                if index >= 8, let (place, value) = try await group.next() { values[place] = value }
                group.addTask { (index, try await transform(element)) }
            }
            for try await (place, value) in group { values[place] = value }
            return indices.compactMap { values[$0] }
        }
    }
}
#endif
