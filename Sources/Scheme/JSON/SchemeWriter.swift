package import BreezeCore
import Foundation

/// Writes what the other side reads: compact, one spelling for one value.
package enum SchemeWriter {
    package static func bytes(_ value: some Encodable) throws(BreezeError) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return Array(try encoder.encode(value))
        } catch {
            throw BreezeError(.internalError, "A message could not be written.", underlying: error)
        }
    }
}
