public import BreezeCore

/// Who answers where no hub is there.
public enum Fallback: Sendable {
    /// Nobody: the request fails with ``BreezeError/Code/noHub``.
    case none
    /// A runner of the app's own on this device. One that asks a service is refused here: that is for
    /// ``api(_:)``.
    case runner(any Runner)
    /// A runner that asks a service over the network: the developer's consent. It is used only where the user
    /// has consented as well, ``BreezeClient/allowNetwork()``, and never for a request whose `privacy` is
    /// `onDevice`.
    case api(any Runner)

    var runner: (any Runner)? {
        switch self {
        case .none: nil
        case .runner(let runner), .api(let runner): runner
        }
    }
}
