import BreezeCore
import Foundation
import Testing

@testable import BreezeScheme

/// The sections that need no key.
@Suite struct PlainVectorTests {
    private struct Text: Decodable { let text: String }
    private struct Reserved: Decodable { let names, prefixes: [String] }
    private struct URLCase: Decodable { let name: String, url: SpelledText }

    private struct AcceptedURL: Decodable {
        let form: String
        let callback: String?
        let app: String?
        let data: String?
        let request: ExpectedRequest?
        let promptLength: Int?

        private enum CodingKeys: String, CodingKey {
            case form, callback, app, data, request, promptLength = "prompt_length"
        }
    }

    @Test func `every section is run, and none shrinks`() throws {
        let file = try JSONDecoder().decode([String: JSONValue].self, from: Data(contentsOf: VectorFile.url))
        let about: Set<String> = ["version", "seed", "about"]
        #expect(Set(file.keys).subtracting(about) == Set(VectorFile.counts.keys))
        for (name, count) in VectorFile.counts {
            let section = try #require(file[name])
            let cases = section["cases"] ?? section
            #expect((cases.arrayValue?.count ?? cases.objectValue?.count) == count, "\(name)")
        }
    }

    @Test func `the reserved schemes are the published ones`() throws {
        let reserved: Reserved = try VectorFile.section("reserved")
        #expect(CallbackScheme.reservedNames.sorted() == reserved.names)
        #expect(CallbackScheme.reservedPrefixes.sorted() == reserved.prefixes)
    }

    @Test func `base64url has one spelling`() throws {
        let cases: [Case<Text, String>] = try VectorFile.section("base64url")
        for item in cases {
            let text = item.given.text
            try item.check("base64url \(text)") {
                try StrictBase64.bytes(ofURL: text.utf8, limit: SchemeURL.valueLimit)
            } isSame: { found, accepted in
                try found == bytes(accepted) && StrictBase64.url(found) == text
            }
        }
        #expect(cases.count == VectorFile.counts["base64url"])
    }

    @Test func `callbacks are schemes that belong to nobody else`() throws {
        let cases: [Case<Text, String>] = try VectorFile.section("callbacks")
        for item in cases {
            try item.check("callback \(item.given.text)") {
                try CallbackScheme(item.given.text)
            } isSame: {
                $0.name == $1
            }
        }
        #expect(cases.count == VectorFile.counts["callbacks"])
    }

    @Test func `URLs are read as the page says`() throws {
        let cases: [Case<URLCase, AcceptedURL>] = try VectorFile.section("parse")
        for item in cases {
            try item.check("parse: \(item.given.name)") {
                try SchemeURL(parsing: item.given.url.text)
            } isSame: {
                try Self.isSame($0, $1)
            }
        }
        #expect(cases.count == VectorFile.counts["parse"])
    }

    private static func isSame(_ url: SchemeURL, _ accepted: AcceptedURL) throws -> Bool {
        let data = try accepted.data.map(bytes)
        switch url {
        case .run(let question):
            guard accepted.form == "run", question.callback.name == accepted.callback else { return false }
            if let length = accepted.promptLength { return question.request.prompt?.utf8.count == length }
            return try accepted.request?.isSame(question.request) ?? false
        case .sealed(let found): return accepted.form == "sealed" && found == data
        case .reveal(let found): return accepted.form == "reveal" && found == data
        case .hello(let hello):
            return accepted.form == "hello" && hello.bytes == data && hello.callback.name == accepted.callback
        case .status(let callback, let app):
            return accepted.form == "status" && callback.name == accepted.callback
                && app?.text == accepted.app
        case .settings: return accepted.form == "settings"
        }
    }
}

/// A request as the file has it, read by Foundation.
struct ExpectedRequest: Decodable {
    private let request: InferenceRequest
    private let hasID: Bool

    private enum CodingKeys: String, CodingKey { case id }

    init(from decoder: any Decoder) throws {
        request = try InferenceRequest(from: decoder)
        hasID = try decoder.container(keyedBy: CodingKeys.self).contains(.id)
    }

    func isSame(_ found: InferenceRequest) throws -> Bool {
        var wanted = request
        if !hasID { wanted.id = found.id }
        return try SchemeWriter.bytes(found) == SchemeWriter.bytes(wanted)
    }
}
