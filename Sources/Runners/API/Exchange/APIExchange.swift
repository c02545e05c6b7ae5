import BreezeCore
import BreezeTransport
import Foundation

/// Reads the answer to one request for text, as it comes.
struct APIExchange {
    private static let patience = Duration.seconds(1)

    let call: APIClient.Call
    let service: APIService

    /// Sends the pieces of the answer to `sink` and returns the whole.
    func read(_ response: HTTPResponse, requestID: String, into sink: ChunkSink) async throws
        -> ReceivedAnswer
    {
        let type = response.headers["Content-Type"]?.lowercased() ?? ""
        func send(_ pieces: [AnswerPiece]) async throws {
            for piece in pieces {
                let content: InferenceChunk.Content =
                    switch piece {
                    case .text(let text): .text(text)
                    case .reasoning(let text): .reasoning(text)
                    }
                try await sink.send(InferenceChunk(requestID: requestID, content))
            }
        }
        do {
            switch service.dialect {
            case .chatCompletions: return try await read(response, type, ChatReader(), send)
            case .responses: return try await read(response, type, ResponsesReader(), send)
            }
        } catch let failure as APIFailure {
            throw call.error(failure)
        }
    }

    private func read<Reader: AnswerReader>(
        _ response: HTTPResponse,
        _ type: String,
        _ reader: Reader,
        _ send: ([AnswerPiece]) async throws -> Void
    ) async throws -> ReceivedAnswer {
        var reader = reader
        // Some answer in one piece, although a stream was asked for.
        if type.hasPrefix("application/json") || !service.streams {
            let bytes = try await response.body.collect(upTo: APIClient.bodyLimit)
            guard let body = try? JSONValue(parsing: bytes) else { throw unreadable("is no JSON") }
            try await send(try reader.readWhole(body))
            return reader.answer
        }
        guard type.isEmpty || type.hasPrefix("text/event-stream") || type.hasPrefix("text/plain") else {
            throw unreadable("is \(type.prefix(60)), and no event stream")
        }
        return try await follow(response.body, reader, send)
    }

    private func follow<Reader: AnswerReader>(
        _ body: HTTPBody,
        _ reader: Reader,
        _ send: ([AnswerPiece]) async throws -> Void
    ) async throws -> ReceivedAnswer {
        var reader = reader
        var parser = EventStreamParser()
        var isDone = false
        pieces: for try await bytes in body {
            for event in try Self.events(in: bytes, &parser) {
                isDone = try await take(event, &reader, send)
                if isDone { break pieces }
            }
        }
        if !isDone, let last = parser.finish() { isDone = try await take(last, &reader, send) }
        if isDone { await drain(body) }
        guard parser.hasSeenField else { throw unreadable("is no event stream") }
        var answer = reader.answer
        if answer.finish == nil, isDone {
            // The service closed the stream itself.
            answer.finish = .stop
            answer.notices.append("The service did not say why the answer ended.")
        }
        guard answer.finish != nil else {
            throw BreezeError.resourceUnavailable(
                "The answer of \(service.title) broke off before its end.",
                remedy: "Try again."
            )
        }
        return answer
    }

    private static func events(
        in bytes: [UInt8],
        _ parser: inout EventStreamParser
    ) throws(BreezeError) -> [ServerEvent] {
        do { return try parser.append(bytes) } catch {
            throw BreezeError(
                .invalidResponse,
                "A piece of the answer is longer than \(error.limit) bytes.",
                remedy: "Check that the address is that of an OpenAI-compatible server."
            )
        }
    }

    /// The server closes what is over, and the ledger then knows it as finished; one that does not is not waited for.
    private func drain(_ body: HTTPBody) async {
        let clock = call.client.clock
        await withTaskGroup(of: Void.self) { group in
            group.addTask { do { for try await _ in body {} } catch {} }
            group.addTask { try? await clock.sleep(for: Self.patience) }
            await group.next()
            group.cancelAll()
        }
    }

    /// - Returns: Whether it was the last one.
    private func take(
        _ event: ServerEvent,
        _ reader: inout some AnswerReader,
        _ send: ([AnswerPiece]) async throws -> Void
    ) async throws -> Bool {
        let data = event.data.drop { $0 == UInt8(ascii: " ") }
        if data.elementsEqual("[DONE]".utf8) { return true }
        if data.isEmpty { return false }
        guard let json = try? JSONValue(parsing: Array(data)), json.objectValue != nil else {
            throw unreadable("holds a piece that is no JSON")
        }
        try await send(try reader.read(json))
        return false
    }

    private func unreadable(_ why: String) -> BreezeError {
        BreezeError(
            .invalidResponse,
            "The answer of \(service.title) \(why).",
            remedy: "Check that \(service.baseURL.withoutSecrets) is that of an OpenAI-compatible server."
        )
    }
}
