public import BreezeCore
import Foundation

/// What goes wrong between this device and a server.
extension BreezeError.Code {
    /// The network, a server or another resource is not there now; trying again later may succeed.
    public static let resourceUnavailable = Self(rawValue: "resource_unavailable")
    /// A service wants a credential that is missing or was refused; ``BreezeError/message`` names the service.
    public static let authRequired = Self(rawValue: "auth_required")
    /// The connection would not be private: plain http, a certificate that nobody vouches for, a redirect away
    /// from https.
    public static let insecureConnection = Self(rawValue: "insecure_connection")
    /// A server answered something that is not what the protocol, or its documentation, says.
    public static let invalidResponse = Self(rawValue: "invalid_response")
}

extension BreezeError {
    /// - Parameters:
    ///   - service: As a person calls it: `Hugging Face`.
    ///   - remedy: How the credential is given to Breeze, or access asked for.
    public static func authRequired(_ service: String, _ why: String, remedy: String) -> BreezeError {
        BreezeError(.authRequired, "\(service): \(why)", remedy: remedy)
    }
}

enum TransportFault {
    static func insecure(_ message: String, remedy: String? = nil) -> BreezeError {
        BreezeError(.insecureConnection, message, remedy: remedy)
    }

    static func unreachable(_ url: URL, _ why: String, underlying: (any Error)? = nil) -> BreezeError {
        BreezeError(
            .resourceUnavailable,
            "\(url.withoutSecrets) cannot be reached: \(why).",
            remedy: "Check the connection, then try again.",
            underlying: underlying
        )
    }

    static func silent(_ url: URL, _ timeout: Duration) -> BreezeError {
        BreezeError(
            .timeout,
            "\(url.withoutSecrets) sent nothing for \(timeout.components.seconds) s.",
            remedy: "Try again; a download goes on where it stopped."
        )
    }

    static func connectTimeout(_ url: URL, _ timeout: Duration) -> BreezeError {
        BreezeError(
            .timeout,
            "\(url.withoutSecrets): no connection after \(timeout.components.seconds) s.",
            remedy: "Check the connection, then try again."
        )
    }
}
