import Foundation
import Testing

/// Pages that try to run something, to ask for something or to break out of where they are shown.
struct PageAttack: Decodable, CustomTestStringConvertible {
    let name: String
    let html: String

    var testDescription: String { name }

    /// The same ones that the panel's tests show in a browser.
    static let all: [PageAttack] = {
        let file = URL(filePath: #filePath).appending(path: "../../Oracles/mail_attacks.json")
            .standardizedFileURL
        let data = (try? Data(contentsOf: file)) ?? Data()
        return (try? JSONDecoder().decode([PageAttack].self, from: data)) ?? []
    }()
}
