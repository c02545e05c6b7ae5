package import BreezeCore

/// What a URL of `breezeapp://` asks for; section 1 of docs/url-scheme.md.
package enum SchemeURL: Sendable {
    /// One question that anybody may have sent.
    case run(PlainRequest)
    /// An envelope, or a pointer to one.
    case sealed([UInt8])
    case hello(PairingHello)
    /// 76 bytes: app's id, app's key, app's nonce.
    case reveal([UInt8])
    case status(callback: CallbackScheme, app: AppID?)
    case settings

    package static let scheme = "breezeapp"
    /// Most bytes of a whole URL: Linux takes 131,071 in one argument, and the rest is left to launchers.
    package static let lengthLimit = 98_304
    /// Most bytes of one value, decoded.
    package static let valueLimit = 65_536
    static let helloLimit = 4_096
    static let revealLength = 76
}

/// A question of the published forms. Nothing in it can be verified: it runs on the device, without tools, and only
/// after the owner said yes.
package struct PlainRequest: Sendable {
    package let request: InferenceRequest
    package let callback: CallbackScheme

    package init(_ request: InferenceRequest, callback: CallbackScheme) {
        self.request = request
        self.callback = callback
    }
}
