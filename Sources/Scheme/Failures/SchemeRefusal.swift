package import BreezeCore

/// Why a URL is not taken, and who may hear of it.
package struct SchemeRefusal: Error, Sendable {
    package let error: BreezeError
    /// Where a plain answer may tell it; `nil` where nothing is opened.
    package let callback: CallbackScheme?
    /// What the answer calls the request; empty where nobody could read it.
    package let requestID: String

    package init(_ error: BreezeError, tell callback: CallbackScheme? = nil, about requestID: String = "") {
        self.error = error
        self.callback = callback
        self.requestID = requestID
    }
}
