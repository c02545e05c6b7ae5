package import Foundation

/// The mailbox that comes with the product.
package enum BundledMailbox {
    package static let folder = URL(filePath: #filePath).appending(path: "../../../Examples/Mailbox")
        .standardizedFileURL
    package static let maildir = folder.appending(path: "Maildir")
}
