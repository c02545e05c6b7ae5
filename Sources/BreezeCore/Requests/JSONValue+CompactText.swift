import Foundation

extension JSONValue {
    package func compactText() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        } catch {
            throw BreezeError(.internalError, "A JSON value could not be written.", underlying: error)
        }
    }
}
