#if Hub
import BreezeCore
import BreezeWire
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1

/// Turns whatever a route throws into the error of the dialect that was spoken.
struct FailureMiddleware: RouterMiddleware {
    typealias Context = HubContext

    let routes: RouteTable
    let logger: Logger

    func handle(
        _ request: Request,
        context: HubContext,
        next: (Request, HubContext) async throws -> Response
    ) async throws -> Response {
        do { return try await next(request, context) } catch { return answer(to: request, error) }
    }

    private func answer(to request: Request, _ error: any Error) -> Response {
        let path = request.uri.path
        let dialect = WireDialect(path: path)
        if let error = error as? HTTPError, error.status == .notFound { return unknown(request, dialect) }
        var failure = Self.known(error)
        if failure.code == .internalError {
            // The kind of error alone: its text may hold what was asked.
            let cause = failure.underlying.map { String(reflecting: type(of: $0)) } ?? "no cause"
            logger.error("\(request.method) failed: \(failure.message) (\(cause))")
        }
        if failure.code == .invalidSetting, dialect == .native || !path.hasPrefix("/breeze/") {
            // The client did nothing wrong, and paths of this device are nothing for it.
            logger.error("The settings are wrong: \(failure.message)")
            failure = .resourceUnavailable(
                "The hub's settings are wrong.",
                remedy: "The owner of this device sees why: breeze doctor"
            )
        }
        return WireFailure(failure, dialect).response
    }

    /// No such path, or none for this method.
    private func unknown(_ request: Request, _ dialect: WireDialect) -> Response {
        let methods = routes.methods(of: request.uri.path)
        guard !methods.isEmpty else { return WireFailure.unknownPath(dialect).response }
        let error = BreezeError(
            .methodNotAllowed,
            "\(request.method.rawValue.prefix(20)) is not for this path.",
            remedy: "It takes \(methods.joined(separator: ", "))."
        )
        var response = WireFailure(error, dialect).response
        response.headers[.allow] = methods.joined(separator: ", ")
        return response
    }

    static func known(_ error: any Error) -> BreezeError {
        switch error {
        case let error as BreezeError: error
        case is CancellationError:
            BreezeError(.cancelled, "The request was cancelled.", remedy: "Send it again.")
        case let error as HTTPError where error.status == .contentTooLarge:
            BreezeError(.payloadTooLarge, "The request's body is too large.", remedy: "Send less at once.")
        case let error as HTTPError where error.status.code < 500:
            BreezeError(.invalidRequest, error.body ?? "The request cannot be read.", underlying: error)
        case let error as HTTPParserError:
            BreezeError(.invalidRequest, "The request is no HTTP.", underlying: error)
        default:
            BreezeError(
                .internalError,
                "Something went wrong that the hub did not foresee.",
                remedy: "See its log: breeze service status",
                underlying: error
            )
        }
    }
}

extension WireFailure {
    var response: Response {
        var fields = HTTPFields()
        fields[.contentType] = "application/json"
        for header in headers {
            guard let name = HTTPField.Name(header.name) else { continue }
            fields[name] = header.value
        }
        let status = HTTPResponse.Status(code: status)
        return Response(
            status: status,
            headers: fields,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: body))
        )
    }
}
#endif
