#if Hub
package import BreezeCore
package import Foundation

/// What a process that reads messages to be judged is told, and nothing of them is kept: one line of JSON.
package struct FactsOrder: Codable, Sendable {
    /// Where they lie; answered in this order.
    package var places: [PageOrder]
    /// One that lies nowhere: its bytes.
    package var message: Data?
    /// As in `SignSettings`.
    package var trustedServers: [String]
    /// The file of known phishing domains; `nil` where the owner has none.
    package var knownPhishing: String?

    package init(
        places: [PageOrder],
        message: Data? = nil,
        trustedServers: [String] = [],
        knownPhishing: String? = nil
    ) {
        self.places = places
        self.message = message
        self.trustedServers = trustedServers
        self.knownPhishing = knownPhishing
    }
}

/// What a process that takes in a list of known phishing domains is told: one line of JSON.
package struct DomainListOrder: Codable, Sendable {
    /// As it was published.
    package var list: String
    /// Where it is kept; replaced whole.
    package var file: String
    package var source: String
    /// `2026-11-23`.
    package var day: String

    package init(list: String, file: String, source: String, day: String) {
        self.list = list
        self.file = file
        self.source = source
        self.day = day
    }
}

/// What it answers: a line of JSON.
package enum DomainListWord: Codable, Sendable {
    case done(DomainListCounts)
    case failed(BreezeError)
}

package struct DomainListCounts: Codable, Sendable {
    package var count: Int
    package var ignored: Int

    package init(count: Int, ignored: Int) {
        self.count = count
        self.ignored = ignored
    }
}
#endif
