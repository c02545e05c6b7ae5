#if Hub
import AsyncHTTPClient
import BreezeCore
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// What the HTTP client throws, in our words.
enum ClientFault {
    static func translated(_ error: any Error, _ url: URL) -> any Error {
        switch error {
        case is CancellationError, is BreezeError: error
        case let error as HTTPClientError: translated(error, url)
        case HTTPParserError.invalidEOFState:
            TransportFault.unreachable(url, "the server closed the connection early", underlying: error)
        case let error as HTTPParserError:
            BreezeError(
                .invalidResponse,
                "\(url.withoutSecrets) answered something that is no HTTP.",
                underlying: error
            )
        case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError: tls(url, error)
        case let error as NIOConnectionError: connection(error, url)
        // An established connection never fails so.
        case let error as IOError where error.errnoCode == ECONNREFUSED:
            TransportFault.unreachable(url, text(error), underlying: NeverSent(underlying: error))
        case let error as IOError:
            TransportFault.unreachable(url, text(error), underlying: error)
        default: TransportFault.unreachable(url, "the connection broke", underlying: error)
        }
    }

    private static func translated(_ error: HTTPClientError, _ url: URL) -> any Error {
        switch error {
        case .cancelled: CancellationError()
        case .remoteConnectionClosed, .uncleanShutdown:
            TransportFault.unreachable(url, "the server closed the connection early", underlying: error)
        case .connectTimeout, .tlsHandshakeTimeout, .httpProxyHandshakeTimeout, .getConnectionFromPoolTimeout:
            BreezeError(
                .timeout,
                "\(url.withoutSecrets): no connection in time.",
                remedy: "Check the connection, then try again.",
                underlying: error
            )
        case .proxyAuthenticationRequired, .invalidProxyResponse:
            BreezeError(
                .resourceUnavailable,
                "The proxy of HTTPS_PROXY let no connection to \(url.withoutSecrets) through.",
                remedy: "Check HTTPS_PROXY, or name the host in NO_PROXY.",
                underlying: error
            )
        default: TransportFault.unreachable(url, "the connection broke", underlying: error)
        }
    }

    private static func connection(_ error: NIOConnectionError, _ url: URL) -> BreezeError {
        if error.dnsAError != nil || error.dnsAAAAError != nil, error.connectionErrors.isEmpty {
            return TransportFault.unreachable(
                url,
                "its name is not known here",
                underlying: NeverSent(underlying: error)
            )
        }
        let cause = error.connectionErrors.first?.error as? IOError
        return TransportFault.unreachable(
            url,
            cause.map(text) ?? "nobody answers there",
            underlying: NeverSent(underlying: error)
        )
    }

    private static func tls(_ url: URL, _ error: any Error) -> BreezeError {
        if case NIOSSLError.uncleanShutdown = error {
            return TransportFault.unreachable(
                url,
                "the server closed the connection early",
                underlying: error
            )
        }
        return BreezeError(
            .insecureConnection,
            "\(url.withoutSecrets) did not prove that it is that server.",
            remedy:
                "Check the address and this device's clock; a private server's certificate must be trusted "
                + "first.",
            underlying: error
        )
    }

    private static func text(_ error: IOError) -> String {
        String(cString: strerror(error.errnoCode)).lowercased()
    }
}
#endif
