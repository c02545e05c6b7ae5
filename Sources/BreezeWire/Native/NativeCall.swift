package import BreezeCore
import Foundation

/// Breeze's own route: requests, chunks and results cross as ``BreezeCore`` encodes them, so that nothing is lost on
/// the way.
package enum NativeCall {
    /// `streams` is whether the caller takes the answer as it grows.
    /// - Throws: ``BreezeError`` where the body is no request.
    package static func parse(_ bytes: [UInt8], streams: Bool) throws -> Generation {
        let ((), remarks) = try WireBody.read(bytes) { fields in
            fields.accept(
                "id",
                "capability",
                "prompt",
                "messages",
                "inputs",
                "imageData",
                "audioData",
                "categories",
                "inputType",
                "configuration",
                "modelID",
                "runnerID",
                "privacy",
                "allowsMocks",
                "priority",
                "client"
            )
        }
        let request: InferenceRequest
        do {
            request = try JSONDecoder().decode(InferenceRequest.self, from: Data(bytes))
        } catch let error as DecodingError {
            throw BreezeError(
                .invalidRequest,
                "The body is no InferenceRequest: \(error.place).",
                remedy: "What it may hold stands in /openapi.json.",
                underlying: FieldFault(field: error.path)
            )
        }
        return Generation(
            model: request.modelID ?? request.runnerID ?? "",
            requests: [request],
            streams: streams,
            remarks: remarks
        )
    }

    /// The one result, which tells of what was passed over.
    package static func answer(_ results: [InferenceResult], to generation: Generation) throws -> [UInt8] {
        guard let result = results.first else { return [] }
        return Array(try JSONEncoder().encode(noting(generation.remarks, on: result)))
    }

    fileprivate static func noting(_ remarks: WireRemarks, on result: InferenceResult) -> InferenceResult {
        var result = result
        if !remarks.ignored.isEmpty {
            let names = remarks.ignored.joined(separator: ", ")
            result.notices.append("Fields of the request that are not known here were passed over: \(names).")
        }
        return result
    }
}

/// Server-sent events, each with a chunk; the last one holds the result.
package struct NativeStream: WireStream {
    package static let contentType = EventStream.contentType
    private let remarks: WireRemarks

    package init(_ generation: Generation) { remarks = generation.remarks }

    package func encode(_ chunk: InferenceChunk, choice: Int) throws -> [UInt8] {
        var chunk = chunk
        if let result = chunk.result { chunk.content = .result(NativeCall.noting(remarks, on: result)) }
        return EventStream.event(Array(try JSONEncoder().encode(chunk)))
    }

    package func finish() -> [UInt8] { [] }

    package func fail(_ error: BreezeError) -> [UInt8] {
        EventStream.event(WireFailure(error, .native).body, name: "error")
    }
}

extension DecodingError {
    private var context: Context? {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context): context
        case .keyNotFound(_, let context), .dataCorrupted(let context): context
        @unknown default: nil
        }
    }

    fileprivate var path: String {
        let path = context?.codingPath.map(\.stringValue).joined(separator: ".") ?? ""
        return path.isEmpty ? "request" : path
    }

    /// Where it is, and what is wrong there, without what stands there.
    fileprivate var place: String {
        switch self {
        case .typeMismatch(let type, _), .valueNotFound(let type, _): "\(path) is no \(type)"
        case .keyNotFound(let key, _): "\(path) lacks \(key.stringValue)"
        default: "\(path) is not what it should be"
        }
    }
}
