import BreezeCore
import Foundation

/// Bytes that must be text, and the limits of what is taken for one.
enum TextFile {
    /// One text. The longest contexts there are, a million tokens, hold about four bytes a token.
    static let maximumText = 4 << 20
    /// A whole request or file, images and recordings included.
    static let maximumInput = 64 << 20

    /// `source` begins a sentence: a file's name, or words like `Standard input`.
    /// - Throws: ``BreezeError/Code/invalidRequest`` naming the first byte that is not text.
    static func text(_ data: Data, from source: String) throws -> String {
        guard let text = String(validating: data, as: UTF8.self) else {
            throw BreezeError(
                .invalidRequest,
                "\(source) is not valid UTF-8: byte \(firstFault(in: data)) is wrong.",
                remedy: "Convert the text, for example with iconv -t UTF-8."
            )
        }
        return text
    }

    static func contents(of path: String) throws -> Data {
        let fault: String
        do {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            let size = (attributes[.size] as? NSNumber)?.intValue ?? 0
            guard size <= maximumInput else {
                throw BreezeError(
                    .invalidRequest,
                    "\(path) is larger than \(Quantity.bytes(Int64(maximumInput))).",
                    remedy: "Give it in smaller pieces."
                )
            }
            return try Data(contentsOf: URL(fileURLWithPath: path))
        } catch let error as BreezeError {
            throw error
        } catch {
            fault = (error as NSError).code == NSFileReadNoSuchFileError ? "does not exist" : "cannot be read"
        }
        throw BreezeError(
            .inputOutput,
            "The file \(path) \(fault).",
            remedy: "Check its name and permissions."
        )
    }

    /// Refuses texts that no model reads as they are. `name` begins a sentence.
    static func check(_ text: String, named name: String) throws {
        guard text.utf8.count <= maximumText else {
            let size = Quantity.bytes(Int64(text.utf8.count))
            throw BreezeError(
                .invalidRequest,
                "\(name) has \(size), more than \(Quantity.bytes(Int64(maximumText))).",
                remedy: "Split it into several texts."
            )
        }
        if let index = text.utf8.firstIndex(of: 0) {
            let offset = text.utf8.distance(from: text.utf8.startIndex, to: index)
            throw BreezeError(
                .invalidRequest,
                "\(name) holds a NUL at byte \(offset + 1).",
                remedy: "Take it out, for example with tr -d '\\000'."
            )
        }
    }

    /// Counted from 1.
    private static func firstFault(in data: Data) -> Int {
        var parser = Unicode.UTF8.ForwardParser()
        var bytes = data.makeIterator()
        var offset = 0
        while true {
            switch parser.parseScalar(from: &bytes) {
            case .valid(let scalar): offset += scalar.count
            case .error, .emptyInput: return offset + 1
            }
        }
    }
}
