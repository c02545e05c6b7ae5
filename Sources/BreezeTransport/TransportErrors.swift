public import BreezeCore
package import Foundation

/// What goes wrong between this device and a server.
extension BreezeError.Code {
    /// The connection would not be private: plain http, a certificate that nobody vouches for, a redirect
    /// away from https.
    public static let insecureConnection = Self(rawValue: "insecure_connection")
    /// A server answered something that is not what the protocol, or its documentation, says.
    public static let invalidResponse = Self(rawValue: "invalid_response")
    /// The owner's switch forbids that anything leaves the device. Trying again mends nothing.
    public static let egressForbidden = Self(rawValue: "egress_forbidden")
}

package enum TransportFault {
    static let forbidden = BreezeError(
        .egressForbidden,
        "Nothing leaves this device, since privacy.offline is set.",
        remedy: "breeze egress allow"
    )

    static func insecure(_ message: String, remedy: String? = nil) -> BreezeError {
        BreezeError(.insecureConnection, message, remedy: remedy)
    }

    package static func unreachable(_ url: URL, _ why: String, underlying: (any Error)? = nil) -> BreezeError
    {
        BreezeError(
            .resourceUnavailable,
            "\(url.withoutSecrets) cannot be reached: \(why).",
            remedy: "Check the connection, then try again.",
            underlying: underlying
        )
    }

    package static func silent(_ url: URL, _ timeout: Duration) -> BreezeError {
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
