import BreezeCore
import Foundation

/// Where to look for a hub.
public enum HubLocation: Hashable, Sendable {
    /// Where the user's hub says that it is.
    case standard
    /// A hub of one's own; each way that is `nil` is not tried. The address is `http://127.0.0.1:11535`, of
    /// this device always.
    case at(socket: String? = nil, address: String? = nil)
}

/// Where a hub is.
struct HubPlace: Decodable, Hashable, Sendable {
    static let starting = "Start it: breeze serve, or for good: breeze service install"

    /// Whether there is one at all.
    enum Finding {
        case running(HubPlace)
        case none(NothingSent, isInstalled: Bool)
    }

    /// The path of its Unix socket.
    var socket: String?
    var address: String?

    static func find(_ location: HubLocation, _ environment: [String: String]) -> Finding {
        switch location {
        case .at(let socket, let address): .running(HubPlace(socket: socket, address: address))
        case .standard: find(in: BreezePaths(environment: environment).data)
        }
    }

    /// The hub writes `hub.json` when it listens, and holds a lock on `hub.lock` while it lives. Without the
    /// lock the file was left by one that was killed, and by now anybody may listen at its port.
    private static func find(in home: URL) -> Finding {
        let lock = open(home.appending(path: "hub.lock").path, O_RDONLY | O_CLOEXEC)
        guard lock >= 0 else {
            let why = errno == ENOENT ? "No hub has run for this user." : "This app may not look for the hub."
            let remedy = errno == ENOENT ? "Install Breeze. \(starting)" : nil
            return .none(NothingSent(why, remedy: remedy), isInstalled: false)
        }
        defer { close(lock) }
        if flock(lock, LOCK_SH | LOCK_NB) == 0 {
            return .none(NothingSent("The hub does not run.", remedy: starting), isInstalled: true)
        }
        guard let data = try? Data(contentsOf: home.appending(path: "hub.json")),
            let place = try? JSONDecoder().decode(HubPlace.self, from: data)
        else {
            return .none(
                NothingSent("The hub starts or stops just now.", remedy: "Try again."),
                isInstalled: true
            )
        }
        return .running(place)
    }
}
