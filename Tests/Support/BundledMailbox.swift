package import Foundation

/// The mailbox that comes with the product.
package enum BundledMailbox {
    package static let folder = URL(filePath: #filePath).appending(path: "../../../Examples/Mailbox")
        .standardizedFileURL
    package static let maildir = folder.appending(path: "Maildir")

    /// What its README says of a message.
    package struct Label: Decodable, Sendable {
        package var category: String
        package var spam: Bool
        package var phishing: Bool
    }

    /// By message id.
    package static var labels: [String: Label] {
        get throws {
            let data = try Data(contentsOf: folder.appending(path: "labels.json"))
            return try JSONDecoder().decode([String: Label].self, from: data)
        }
    }

    /// Empty where a file has none.
    package static func messageID(of file: String) throws -> String {
        let text = String(decoding: try Data(contentsOf: URL(filePath: file)), as: UTF8.self)
        let line = text.split(whereSeparator: \.isNewline).first { $0.lowercased().hasPrefix("message-id:") }
        return line?.split(separator: "<").last.map { String($0.prefix { $0 != ">" }) } ?? ""
    }
}
