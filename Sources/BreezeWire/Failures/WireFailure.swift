package import BreezeCore
import Foundation

/// An error as a client gets it: status, headers and body.
package struct WireFailure: Sendable, Hashable {
    package let status: Int
    /// Lower-case names.
    package let headers: [Header]
    /// JSON.
    package let body: [UInt8]

    package struct Header: Sendable, Hashable {
        package let name: String
        package let value: String
    }

    package init(_ error: BreezeError, _ dialect: WireDialect) {
        status = Self.status(of: error)
        headers = Self.headers(of: error)
        body = Self.body(of: error, dialect)
    }

    /// The path or the thing at it does not exist: 404 in the dialect's shape, and never an empty body.
    package static func unknownPath(_ dialect: WireDialect) -> WireFailure {
        let error = BreezeError(
            .notFound,
            "There is no such path here.",
            remedy: "The paths that there are stand in /openapi.json."
        )
        return WireFailure(error, dialect)
    }

    /// What a server that takes no unknown fields answers to a body that had some.
    package static func unknownFields(_ remarks: WireRemarks) -> BreezeError? {
        guard let first = remarks.ignored.first else { return nil }
        return BreezeError(
            .invalidRequest,
            "The body has unknown fields: \(remarks.ignored.joined(separator: ", ")).",
            remedy: "Leave them out, or turn the setting off that refuses them.",
            underlying: FieldFault(field: first)
        )
    }

    private static let statuses: [BreezeError.Code: Int] = [
        .invalidRequest: 400, .invalidParameter: 400, .invalidSetting: 400, .unsupported: 400,
        .unsupportedCapability: 400, .contextSizeExceeded: 400, .unknownCapability: 400,
        .unauthorized: 401, .forbidden: 403,
        .notFound: 404, .unknownModel: 404, .unknownRunner: 404, .methodNotAllowed: 405,
        .requestTimeout: 408, .payloadTooLarge: 413, .unsupportedMediaType: 415,
        // 401 would tell the client that its own key is wrong; it is one that Breeze needs of another service.
        .authRequired: 424,
        .rateLimited: 429, .busy: 429,
        // What nginx made the word for a client that went away; nobody is left to read it, but logs are.
        .cancelled: 499,
        .noRunner: 503, .unavailable: 503, .resourceUnavailable: 503, .insufficientMemory: 503,
        .timeout: 504, .insufficientDisk: 507,
        // Of modules that this one does not see.
        BreezeError.Code(rawValue: "terms_not_accepted"): 403,
        BreezeError.Code(rawValue: "egress_forbidden"): 403,
        BreezeError.Code(rawValue: "invalid_key"): 401,
        BreezeError.Code(rawValue: "app_waiting"): 403,
        BreezeError.Code(rawValue: "app_refused"): 403,
        BreezeError.Code(rawValue: "revoked"): 403,
        BreezeError.Code(rawValue: "expired"): 403,
        BreezeError.Code(rawValue: "scope_denied"): 403,
        BreezeError.Code(rawValue: "consent_required"): 403,
        BreezeError.Code(rawValue: "unknown_app"): 404,
        BreezeError.Code(rawValue: "daily_quota_exceeded"): 429,
        // Of a service that Breeze asked: the client's own account is not meant.
        BreezeError.Code(rawValue: "credit_exhausted"): 424,
        BreezeError.Code(rawValue: "content_refused"): 400,
        BreezeError.Code(rawValue: "model_in_use"): 409,
        BreezeError.Code(rawValue: "conflict"): 409,
        BreezeError.Code(rawValue: "paused"): 409,
        BreezeError.Code(rawValue: "quota_exceeded"): 507,
        BreezeError.Code(rawValue: "download_failed"): 502,
        BreezeError.Code(rawValue: "integrity"): 502,
    ]

    /// 500 for a code that says nothing else: it is ours to mend.
    package static func status(of error: BreezeError) -> Int {
        // A guardian that judged refuses this text; one that failed may take it another time.
        if error.code == .guardianBlocked { return error.verdict == nil ? 503 : 400 }
        return statuses[error.code] ?? 500
    }

    /// Clients try again on 408, 409, 429 and every 5xx unless told otherwise: only where time may mend it, they
    /// are not told.
    private static func headers(of error: BreezeError) -> [Header] {
        let asks = status(of: error) == 401 ? [Header(name: "www-authenticate", value: "Bearer")] : []
        return asks + retrying(error)
    }

    private static func retrying(_ error: BreezeError) -> [Header] {
        guard let retryAfter = error.retryAfter else {
            if error.code == .resourceUnavailable { return [] }
            return [Header(name: "x-should-retry", value: "false")]
        }
        let (seconds, attoseconds) = retryAfter.components
        let whole = max(1, seconds + (attoseconds > 0 ? 1 : 0))
        return [Header(name: "retry-after", value: String(whole))]
    }

    private static func body(of error: BreezeError, _ dialect: WireDialect) -> [UInt8] {
        switch dialect {
        case .openAI: JSONWriter.object { $0.object("error") { write(error, to: &$0) } }
        case .ollama: JSONWriter.object { $0.field("error", sentence(error)) }
        // Strings and numbers, which always encode.
        case .native: (try? JSONEncoder().encode(["error": error])).map(Array.init) ?? []
        }
    }

    /// The members of OpenAI's error object, and `remedy`, which is ours.
    static func write(_ error: BreezeError, to writer: inout JSONWriter) {
        writer.field("message", error.message)
        writer.field("type", type(of: error))
        writer.field("param", error.wireField)
        writer.field("code", code(of: error))
        writer.field("remedy", error.remedy)
        writer.field("service", ifPresent: error.service)
        writer.field("verdict", ifPresent: error.verdict)
    }

    static func sentence(_ error: BreezeError) -> String {
        error.remedy.map { "\(error.message) \($0)" } ?? error.message
    }

    /// The error's own code, but for the few that OpenAI's clients know by another name.
    package static func code(of error: BreezeError) -> String {
        switch error.code {
        case .contextSizeExceeded: "context_length_exceeded"
        case .guardianBlocked where error.verdict != nil: "content_filter"
        case .unknownModel: "model_not_found"
        case .unsupported: BreezeError.Code.unsupportedCapability.rawValue
        default: error.code.rawValue
        }
    }

    private static func type(of error: BreezeError) -> String {
        switch status(of: error) {
        case 401: "authentication_error"
        case 403: "permission_error"
        case 429: "rate_limit_error"
        case ..<500: "invalid_request_error"
        default: "server_error"
        }
    }
}

extension WireFailure {
    /// What the error says of itself where the answer has begun: the status is out, so one more element of the
    /// stream has to do.
    package static func event(_ error: BreezeError) -> [UInt8] {
        WireFailure(error, .openAI).body
    }
}
