import BreezeCore
import Foundation

/// The rule for ids, which are file names in the store: lower-case letters, digits, dot, hyphen and
/// underscore, beginning with a letter or digit.
enum ModelIdentifier {
    private static let longest = 128

    static func check(_ id: String) throws {
        guard isValid(id) else {
            throw BreezeError(
                .invalidParameter,
                "\"\(id.excerpt)\" is not a model id.",
                remedy: "Take lower-case letters, digits, '.', '-' and '_', at most \(longest)."
            )
        }
    }

    /// The id that a folder's name suggests.
    static func from(_ directory: URL) throws -> String {
        let name = directory.standardizedFileURL.lastPathComponent
        guard let id = suggestion(name) else { throw refusal("folder", name) }
        return id
    }

    /// The id that a file's name suggests; where it says nothing of the model, the name that the model has.
    static func from(file: URL, named name: String?) throws -> String {
        let stem = file.deletingPathExtension().lastPathComponent
        let isTelling = !["model", "ggml-model"].contains(stem.lowercased()) && !stem.hasPrefix("sha256-")
        let id = isTelling ? suggestion(stem) : name.flatMap(suggestion) ?? suggestion(stem)
        guard let id else { throw refusal("file", stem) }
        return id
    }

    private static func suggestion(_ name: String) -> String? {
        let mapped = String(name.lowercased().unicodeScalars.map { isAllowed($0) ? Character($0) : "-" })
        let id = String(mapped.drop { !($0.isLetter || $0.isNumber) }.prefix(longest))
        return isValid(id) ? id : nil
    }

    private static func refusal(_ kind: String, _ name: String) -> BreezeError {
        BreezeError(
            .invalidParameter,
            "The \(kind)'s name \"\(name.excerpt)\" gives no model id.",
            remedy: "Give an id with --id."
        )
    }

    static func isValid(_ id: String) -> Bool {
        guard let first = id.unicodeScalars.first, id.unicodeScalars.count <= longest else { return false }
        return isAllowed(first) && !".-_".unicodeScalars.contains(first)
            && id.unicodeScalars.allSatisfy(isAllowed)
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar) || ".-_".unicodeScalars.contains(scalar)
    }
}
