import Foundation

/// Where a program of this device listens. Nothing else can be named, so that no request leaves the device.
package enum LocalAddress: Hashable, Sendable {
    case socket(path: String)
    case loopback(LoopbackHost, port: UInt16)

    package enum LoopbackHost: String, Sendable {
        case version4 = "127.0.0.1"
        case version6 = "::1"
    }

    /// From `http://127.0.0.1:11535`; what listens on every address of the device is asked over loopback.
    /// `nil` where the URL is none of plain http, or leads elsewhere.
    package init?(http url: String) {
        guard let parts = URLComponents(string: url), parts.scheme?.lowercased() == "http",
            let host = parts.host?.lowercased(), let port = UInt16(exactly: parts.port ?? 80), port > 0
        else { return nil }
        switch host.trimmingCharacters(in: CharacterSet(charactersIn: "[]")) {
        case "127.0.0.1", "0.0.0.0", "localhost": self = .loopback(.version4, port: port)
        case "::1", "::": self = .loopback(.version6, port: port)
        default: return nil
        }
    }

    /// What the `host` header says.
    var host: String {
        switch self {
        case .socket: "localhost"
        case .loopback(.version4, let port): "127.0.0.1:\(port)"
        case .loopback(.version6, let port): "[::1]:\(port)"
        }
    }
}

extension LocalAddress: CustomStringConvertible {
    package var description: String {
        switch self {
        case .socket(let path): path
        case .loopback: "http://\(host)"
        }
    }
}
