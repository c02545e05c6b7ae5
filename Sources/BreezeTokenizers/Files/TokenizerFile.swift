import BreezeCore
import Foundation

/// The bytes of one tokenizer file and the name that errors give it.
struct TokenizerFile {
    /// Published tokenizer files are below 20 MB.
    static let maximumSize = 64 << 20

    let name: String
    let bytes: [UInt8]

    /// A file whose bytes are no text, or that has none of its own.
    init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }

    /// - Throws: `invalid_file` when the file is too large or no valid UTF-8.
    init(name: String, data: Data) throws(BreezeError) {
        self.name = name
        guard data.count <= Self.maximumSize else {
            throw Self.invalid(name, "it is larger than \(Self.maximumSize >> 20) MB")
        }
        bytes = Array(data)
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw Self.invalid(name, "it is not valid UTF-8")
        }
    }

    /// - Returns: `nil` when there is no such file.
    /// - Throws: `input_output` when it cannot be read, or what ``init(name:data:)`` throws.
    init?(reading name: String, at location: URL?) throws(BreezeError) {
        guard let url = location?.resolvingSymlinksInPath() else { return nil }
        let path = url.path(percentEncoded: false)
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        let data = try Self.data(at: url)
        try self.init(name: name, data: data)
    }

    /// The bytes of a regular file, up to one more than may be.
    /// - Throws: `input_output` when it cannot be read, `invalid_file` when it is no regular file.
    static func data(at url: URL) throws(BreezeError) -> Data {
        let name = url.lastPathComponent
        let url = url.resolvingSymlinksInPath()
        let path = url.path(percentEncoded: false)
        do {
            // A named pipe in its place would block the reader for ever.
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            guard attributes[.type] as? FileAttributeType == .typeRegular else {
                throw BreezeError(.invalidFile, "\(name) is not a regular file.")
            }
            let handle = try FileHandle(forReadingFrom: url)
            defer { try? handle.close() }
            return try handle.read(upToCount: Self.maximumSize + 1) ?? Data()
        } catch let error as BreezeError {
            throw error
        } catch {
            throw BreezeError(
                .inputOutput,
                "\(name) could not be read.",
                remedy: "Check that this user may read \(path).",
                underlying: error
            )
        }
    }

    func json() throws(BreezeError) -> StrictJSON {
        let fault: StrictJSON.Fault
        do { return try StrictJSON(parsing: bytes) } catch { fault = error }
        throw invalid("it is not valid JSON: \(fault.reason), at byte \(fault.offset)")
    }

    func invalid(_ reason: String) -> BreezeError {
        Self.invalid(name, reason)
    }

    static func invalid(_ name: String, _ reason: String) -> BreezeError {
        BreezeError(
            .invalidFile,
            "\(name) cannot be used: \(reason).",
            remedy: "Get the file again from where the model came from."
        )
    }
}
