import BreezeCore
import Foundation

/// What is wrong with a file's content, as half a sentence; ``naming(_:_:_:)`` makes an error of it.
struct FormatFault: Error {
    let message: String

    init(_ message: String) { self.message = message }

    /// Runs `body`, and turns a fault in it into an error that names the file and its `kind`.
    static func naming<Value>(_ url: URL, _ kind: String, _ body: () throws -> Value) throws -> Value {
        do { return try body() } catch let fault as FormatFault {
            throw BreezeError(
                .invalidFile,
                "\(url.path) is not a valid \(kind): \(fault.message).",
                remedy: "Fetch the file again, or take another edition of the model."
            )
        }
    }
}
