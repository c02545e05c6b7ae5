import BreezeMail
import BreezeTestSupport
import Foundation
import Testing

@testable import BreezeMailParser

/// What `Tests/Oracles/mail_oracle.py` says of one file; `nil` where Python finds the message defective.
private struct PythonMessage: Decodable {
    var subject: String?
    var from: [[String]]
    var id: String?
    var types: [String]
}

@Suite(
    .enabled(if: GMimeMessageParser.isAvailable, "the trait Mail is off"),
    .enabled(if: MailFixtures.shared != nil, "the public fixtures are not there: set BREEZE_SHARED")
)
struct `Messages made to break parsers` {
    @Test func `every one is read, and gives the same value twice`() throws {
        let parser = GMimeMessageParser()
        let files = MailFixtures.torture
        #expect(files.count == 107 + 103 + 81)
        for file in files {
            let message = try parser.parse(.file(file))
            #expect(!message.id.isEmpty)
            #expect(try parser.parse(.bytes(Array(Data(contentsOf: file)))) == message)
            let copy = try JSONDecoder().decode(MailMessage.self, from: JSONEncoder().encode(message))
            #expect(copy == message)
        }
    }

    @Test(.enabled(if: Oracle.python != nil, "there is no Python: run make setup"))
    func `Python's email package says the same of those it finds no fault with`() async throws {
        let files = MailFixtures.torture
        let answers: [String: PythonMessage?] = try await Oracle.run(
            "mail_oracle.py",
            URL(filePath: "/"),
            input: files.map(\.path)
        )
        var compared = 0
        var counts: [String: Int] = [:]
        for file in files {
            guard let answer = answers[file.path], let python = answer else { continue }
            compared += 1
            let message = try GMimeMessageParser().parse(.file(file))
            let name = file.pathComponents.suffix(2).joined(separator: "/")
            func same(_ what: String, _ ours: [String], _ theirs: [String]) {
                if ours.count == theirs.count, zip(ours, theirs).allSatisfy({ $0.agrees(with: $1) }) {
                    counts[what, default: 0] += 1
                } else if Self.differences[name]?.contains(what) != true {
                    Issue.record("\(name): \(what): \(ours) instead of \(theirs)")
                }
            }
            same("subject", [message.subject], [(python.subject ?? "").words])
            let from = message.from.filter { !$0.address.isEmpty }
            same(
                "from",
                from.map { "\($0.name ?? "")|\($0.address)" },
                python.from.map { "\($0[0].words)|\($0[1])" }
            )
            if let id = python.id { same("id", [message.id], [id]) }
            same("types", message.parts.map(\.type), python.types)
        }
        print("Python: compared \(compared) messages:", counts.sorted { $0.key < $1.key })
        #expect(compared > 200)
    }

    /// Where Python and we read a file differently, and why.
    private static let differences: [String: Set<String>] = [
        // Unquoted dots and an ampersand in names, and an encoded word broken in the middle.
        "error_emails/bad_subject.eml": ["subject", "from"],
        // Several Content-Type headers: the first holds there, the last here.
        "error_emails/multiple_content_types.eml": ["types"],
        // A part without headers and without the empty line.
        "mime_emails/raw_email_with_mimepart_without_content_type.eml": ["types"],
        // A comment after the address is its name here.
        "multipart_report_emails/multi_address_bounce1.eml": ["from"],
        "multipart_report_emails/multi_address_bounce2.eml": ["from"],
    ]
}
