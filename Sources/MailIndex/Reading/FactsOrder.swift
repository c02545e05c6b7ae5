#if Hub
package import Foundation

/// What a process that reads messages to be judged is told, and nothing of them is kept: one line of JSON.
package struct FactsOrder: Codable, Sendable {
    /// Where they lie; answered in this order.
    package var places: [PageOrder]
    /// One that lies nowhere: its bytes.
    package var message: Data?
    /// As in `SignSettings`.
    package var trustedServers: [String]

    package init(places: [PageOrder], message: Data? = nil, trustedServers: [String] = []) {
        self.places = places
        self.message = message
        self.trustedServers = trustedServers
    }
}
#endif
