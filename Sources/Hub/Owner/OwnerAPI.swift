#if Hub
import BreezeAccess
import BreezeCore
import BreezeScheme
import BreezeSchemeStore
import Foundation
import Hummingbird
import HummingbirdCore
import NIOCore

/// The API of the control panel: what only the owner may see and do.
extension HubServer {
    func addOwnerRoutes(to router: Router<HubContext>) {
        addSessionRoutes(to: router)
        let owner = router.group("/breeze/v1").add(middleware: OwnerMiddleware(server: self))
        addStatusRoutes(to: owner)
        addOwnModelRoutes(to: owner)
        addDownloadRoutes(to: owner)
        addRunnerRoutes(to: owner)
        addSettingRoutes(to: owner)
        addAppRoutes(to: owner)
        addSchemeRoutes(to: owner)
        addNetworkRoutes(to: owner)
        addMailRoutes(to: owner)
    }

    /// What the apps call themselves, by id.
    var appNames: [String: String] {
        Dictionary(parts.access.apps().map { ($0.id, $0.name) }) { first, _ in first }
    }

    /// The same of all who ask, by ``InferenceRequest/client``.
    var clientNames: [String: String] {
        get async {
            let byURL = (try? await parts.scheme.apps()) ?? []
            let names =
                parts.access.apps().map { ("app:\($0.id)", $0.name) }
                + byURL.map { ("scheme:\($0.id.text)", $0.name) }
            return Dictionary(names) { first, _ in first }
        }
    }

    /// - Throws: ``BreezeError`` for everybody but the owner.
    fileprivate func requireOwner(_ request: Request, _ context: HubContext) throws {
        let credential = credential(of: request)
        // That the owner looks is not written down: the panel does so all the time.
        if request.method == .get, case .ownerToken = credential { return }
        let grant = try parts.access.gate.authorise(
            credential,
            for: .owner,
            from: context.caller,
            request: context.requestID
        )
        grant.settle(RequestOutcome("stop"))
    }
}

private struct OwnerMiddleware: RouterMiddleware {
    typealias Context = HubContext

    let server: HubServer

    func handle(
        _ request: Request,
        context: HubContext,
        next: (Request, HubContext) async throws -> Response
    ) async throws -> Response {
        try server.requireOwner(request, context)
        return try await next(request, context)
    }
}

/// An answer without anything to say.
struct Done: Encodable {}

extension Response {
    init(_ value: some Encodable, status: HTTPResponse.Status = .ok) throws {
        self.init(json: Array(try AccessJSON.encoder.encode(value)), status: status)
    }
}

extension Request {
    /// - Throws: ``BreezeError`` naming what is missing or wrong.
    func read<Value: Decodable>(
        _ type: Value.Type,
        _ limits: HubLimits,
        _ context: HubContext
    ) async throws -> Value {
        let bytes = try await bytes(limits, on: context.connection)
        do {
            return try AccessJSON.decoder.decode(type, from: Data(bytes.isEmpty ? Array("{}".utf8) : bytes))
        } catch let error as DecodingError {
            throw BreezeError(.invalidRequest, error.sentence, underlying: error)
        } catch {
            throw BreezeError(
                .invalidRequest,
                "A field has a value that it does not take.",
                underlying: error
            )
        }
    }
}

extension Request {
    /// - Throws: ``BreezeError`` for what is no number within `range`.
    func number(_ name: String, in range: ClosedRange<Double>, default usual: Double) throws -> Double {
        guard let text = uri.queryParameters[Substring(name)] else { return usual }
        guard let value = Double(text), range.contains(value) else {
            throw BreezeError(
                .invalidParameter,
                "\(name) has a value that it does not take.",
                remedy:
                    "It takes a number from \(range.lowerBound.formatted()) to \(range.upperBound.formatted())."
            )
        }
        return value
    }

    func whole(_ name: String, in range: ClosedRange<Int>, default usual: Int) throws -> Int {
        let value = try number(
            name,
            in: Double(range.lowerBound)...Double(range.upperBound),
            default: Double(usual)
        )
        guard let whole = Int(exactly: value) else {
            throw BreezeError(
                .invalidParameter,
                "\(name) has a value that it does not take.",
                remedy: "It takes a whole number."
            )
        }
        return whole
    }
}

extension Request {
    /// Where the page begins that is asked for; `nil` is the newest.
    func cursor<Cursor: LosslessStringConvertible>(_ type: Cursor.Type) throws -> Cursor? {
        guard let text = uri.queryParameters["cursor"] else { return nil }
        guard let cursor = Cursor(String(text)) else {
            throw BreezeError(.invalidParameter, "cursor is not the next of a page.")
        }
        return cursor
    }
}

extension HubContext {
    /// A part of the path, as it was meant.
    func part(_ name: String) throws -> String {
        let text = try parameters.require(name)
        return text.removingPercentEncoding ?? text
    }
}

extension DecodingError {
    fileprivate var sentence: String {
        func name(_ path: [any CodingKey], _ last: (any CodingKey)? = nil) -> String {
            (path + [last].compactMap(\.self)).map(\.stringValue).joined(separator: ".")
        }
        return switch self {
        case .keyNotFound(let key, let context): "The field \(name(context.codingPath, key)) is missing."
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            "The field \(name(context.codingPath)) has another kind of value."
        case .dataCorrupted(let context):
            context.codingPath.isEmpty
                ? "The body is no JSON." : "The field \(name(context.codingPath)) has no value that it takes."
        @unknown default: "The body cannot be read."
        }
    }
}
#endif
