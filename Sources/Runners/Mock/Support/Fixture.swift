import BreezeCore
import Foundation

/// A table that came with the binary.
struct Fixture<Table: Decodable & Sendable>: Sendable {
    private let outcome: Result<Table, BreezeError>

    /// Decoded once; a damaged one is reported by each request that needs it.
    init(_ bytes: [UInt8], named name: String) {
        do {
            outcome = .success(try JSONDecoder().decode(Table.self, from: Data(bytes)))
        } catch {
            let fault = "The mocks' table \(name) cannot be read."
            outcome = .failure(BreezeError(.internalError, fault, underlying: error))
        }
    }

    var table: Table {
        get throws { try outcome.get() }
    }
}
