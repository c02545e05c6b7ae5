import BreezeCore
import Foundation

/// A small JSON file of a model folder; every refusal names the file, the key and the value.
struct ConfigurationFile {
    let url: URL
    let tree: JSONValue
    private static let largest = 16 << 20

    init(_ url: URL) throws {
        self.url = url
        let bytes = try FileReader.contents(of: url, limit: Self.largest)
        do {
            tree = try JSONValue(parsing: bytes)
        } catch let fault {
            // A page or a pointer in place of the file says more than the byte at which it is not JSON.
            let kind = bytes.first.flatMap { first in
                first == UInt8(ascii: "{")
                    ? nil : FileSignature.name(of: Array(bytes.prefix(FileSignature.length)))
            }
            let reason = kind.map { "it is \($0)" } ?? "\(fault.reason) (byte \(fault.offset))"
            throw BreezeError(
                .invalidFile,
                "\(url.path) is not valid JSON: \(reason).",
                remedy: "Fetch the file again."
            )
        }
    }

    /// `nil` where there is no such file.
    init?(optional url: URL) throws {
        guard FileManager.default.fileExists(atPath: url.path) else { return nil }
        try self.init(url)
    }

    /// Whether the key is there with something else than null.
    func has(_ key: String) -> Bool {
        tree[key].map { $0 != .null } ?? false
    }

    func text(_ key: String) throws -> String {
        guard let text = try optionalText(key) else { throw invalid("\(key) is missing") }
        return text
    }

    func optionalText(_ key: String) throws -> String? {
        guard has(key) else { return nil }
        guard let text = tree[key]?.stringValue else { throw invalid("\(key) is not a text") }
        return text
    }

    func flag(_ key: String) throws -> Bool? {
        guard has(key) else { return nil }
        guard let flag = tree[key]?.boolValue else { throw invalid("\(key) is neither true nor false") }
        return flag
    }

    func optionalNumber(_ key: String) throws -> Double? {
        guard has(key) else { return nil }
        guard let number = tree[key]?.doubleValue else { throw invalid("\(key) is not a number") }
        return number
    }

    func integer(_ key: String, in range: ClosedRange<Int>) throws -> Int {
        guard has(key) else { throw invalid("\(key) is missing") }
        guard let value = tree[key]?.intValue else { throw invalid("\(key) is not a whole number") }
        guard range.contains(value) else {
            let wanted =
                range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound) to \(range.upperBound)"
            throw invalid("\(key) is \(value); it must be \(wanted)")
        }
        return value
    }

    func invalid(_ fault: String) -> BreezeError {
        BreezeError(
            .invalidFile,
            "\(url.path) does not describe a usable model: \(fault).",
            remedy: "Fetch the file again, or take another model."
        )
    }

    func unsupported(_ what: String, _ value: String, known: String) -> BreezeError {
        BreezeError(
            .unsupported,
            "\(url.path) asks for \(what) \"\(value.excerpt)\"; supported: \(known).",
            remedy: "Choose a model of a supported kind."
        )
    }
}
