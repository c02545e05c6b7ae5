#if Hub
import BreezeCore
import BreezeWire
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore

/// Turns whatever a route throws into the error of the dialect that was spoken.
struct FailureMiddleware: RouterMiddleware {
    typealias Context = HubContext

    func handle(
        _ request: Request,
        context: HubContext,
        next: (Request, HubContext) async throws -> Response
    ) async throws -> Response {
        do { return try await next(request, context) } catch {
            let dialect = WireDialect(path: request.uri.path)
            if let error = error as? HTTPError, error.status == .notFound {
                return WireFailure.unknownPath(dialect).response
            }
            return WireFailure(Self.known(error), dialect).response
        }
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
