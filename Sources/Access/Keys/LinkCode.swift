#if Hub
import Foundation

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// What stands in the fragment of a link to the control panel: `brzl_ID_MILLISECONDS_MAC`. Whoever knows the hub's
/// proof makes one without asking the hub, and the hub takes each once, until the time that it names.
struct LinkCode: Sendable {
    let id: String
    let expires: Date

    private static let head = "brzl"

    static func make(proof: String, expires: Date) -> String {
        let signed = "\(head)_\(KeyText.randomID())_\(expires.milliseconds)"
        let code = HMAC<SHA256>.authenticationCode(for: Data(signed.utf8), using: key(proof))
        return "\(signed)_\(Data(code).base64URL)"
    }

    /// `nil` for anything that was not made with this proof.
    init?(_ text: String, proof: String) {
        let parts = text.split(separator: "_", maxSplits: 3, omittingEmptySubsequences: false).map(
            String.init
        )
        guard text.utf8.count < 200, parts.count == 4, parts[0] == Self.head,
            let milliseconds = Int64(parts[2]), let code = Data(base64URL: parts[3]),
            HMAC<SHA256>.isValidAuthenticationCode(
                code,
                authenticating: Data(parts[0..<3].joined(separator: "_").utf8),
                using: Self.key(proof)
            )
        else { return nil }
        id = parts[1]
        expires = Date(milliseconds: milliseconds)
    }

    private static func key(_ proof: String) -> SymmetricKey { SymmetricKey(data: Data(proof.utf8)) }
}

extension Data {
    var base64URL: String {
        base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    init?(base64URL text: String) {
        let plain = text.replacing("-", with: "+").replacing("_", with: "/")
        self.init(base64Encoded: plain + String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4))
    }
}
#endif
