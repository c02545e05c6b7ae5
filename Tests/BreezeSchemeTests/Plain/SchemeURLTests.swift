import BreezeCore
import Foundation
import Testing

@testable import BreezeScheme

@Suite struct SchemeURLTests {
    private static func callback() throws -> CallbackScheme { try CallbackScheme("mycoolapp") }

    @Test func `the short form is written as the page has it`() throws {
        let url = try SchemeURL.question(.chat, prompt: "Grüße & 1+1?\n", callback: Self.callback())
        #expect(
            url == "breezeapp://api/chat?prompt=Gr%C3%BC%C3%9Fe%20%26%201%2B1%3F%0A&callback=mycoolapp"
        )
        guard case .run(let question) = try SchemeURL(parsing: url) else {
            Issue.record("not a question")
            return
        }
        #expect(question.request.prompt == "Grüße & 1+1?\n" && question.request.capability == .chat)
    }

    @Test(arguments: [
        ("", "invalid_url"), ("a\u{1B}[2J", "invalid_url"),
        (String(repeating: "a", count: 65_537), "payload_too_large"),
    ])
    func `what the hub would refuse is not written`(prompt: String, code: String) throws {
        let callback = try Self.callback()
        let error = #expect(throws: BreezeError.self) {
            try SchemeURL.question(.chat, prompt: prompt, callback: callback)
        }
        #expect(error?.code.rawValue == code)
    }

    @Test func `every form that is written is read again`() throws {
        let callback = try Self.callback()
        let id = AppID.random()
        let forms: [(SchemeURL, String)] = [
            (.sealed(Array("BRZ1".utf8)), "breezeapp://sealed?envelope=QlJaMQ"),
            (
                .reveal([UInt8](repeating: 0, count: 76)),
                "breezeapp://pair?reveal=" + String(repeating: "A", count: 102)
            ),
            (.status(callback: callback, app: nil), "breezeapp://status?callback=mycoolapp"),
            (.status(callback: callback, app: id), "breezeapp://status?callback=mycoolapp&app=\(id.text)"),
            (.settings, "breezeapp://settings"),
        ]
        for (form, text) in forms {
            #expect(try form.written() == text)
            #expect(try SchemeURL(parsing: text).written() == text)
        }
    }

    @Test func `a whole request survives the URL, but for what strangers may not say`() throws {
        var request = InferenceRequest(.vlm, prompt: "What is it?", id: "a.b-1")
        request.messages = [ChatMessage(.user, "x", images: [Data([1, 2, 3])])]
        request.imageData = Data([0, 255])
        request.configuration.temperature = 0.5
        request.configuration.topK = 40
        request.configuration.additional = ["x": [1, .null, "y"]]
        request.priority = .utility
        request.client = "somebody"
        request.privacy = .userSettings
        let question = PlainRequest(request, callback: try Self.callback())
        guard case .run(let found) = try SchemeURL(parsing: SchemeURL.run(question).written()) else {
            Issue.record("not a question")
            return
        }
        request.client = nil
        request.privacy = .onDevice
        #expect(try SchemeWriter.bytes(found.request) == SchemeWriter.bytes(request))
    }

    @Test(arguments: [
        "http", "FILE", "javascript", "web+cool", "mailto", "breezeapp", "x-apple.foo", "ms-word",
    ])
    func `an answer never goes to a scheme of others`(name: String) {
        let error = #expect(throws: BreezeError.self) { try CallbackScheme(name) }
        #expect(error?.code == .invalidCallback)
        #expect(error?.message.contains(name) == false)
    }

    @Test func `an answer's URL is read whatever case its scheme comes in, and nothing else is`() throws {
        let callback = try Self.callback()
        let url = try callback.answer(Array(#"{"v":1}"#.utf8))
        #expect(url == "mycoolapp://breeze-response?result=eyJ2IjoxfQ")
        #expect(try callback.answer(in: "MyCoolApp" + url.dropFirst(9)) == Array(#"{"v":1}"#.utf8))
        for other in [
            "othercool://breeze-response?result=eyJ2IjoxfQ", "mycoolapp://breeze-response?result=",
            "mycoolapp://breeze-response?result=AAAA", "mycoolapp://breeze-response?result=eyJ2IjoxfQ==",
            "mycoolapp://breeze-response?result=eyJ2IjoxfQ&x=y",
            "mycoolapp://breeze-Response?result=eyJ2IjoxfQ",
        ] {
            #expect(throws: BreezeError.self, "\(other)") { try callback.answer(in: other) }
        }
        let error = #expect(throws: BreezeError.self) {
            try callback.answer([UInt8](repeating: 66, count: 65_537))
        }
        #expect(error?.code.rawValue == "payload_too_large")
    }

    @Test func `an answer is read again, and passes over what is new`() throws {
        var answer = SchemeAnswer.failed(SchemeFault.notPaired, to: "q-1")
        answer.pair = true
        answer.time = 7
        let found = try SchemeAnswer(parsing: answer.bytes())
        #expect(found.error == answer.error && found.pair == true && found.time == 7 && found.isFinal)
        let new = #"{"v":1,"requestID":"q","state":"more","final":false,"next":2,"news":[{}]}"#
        #expect(try SchemeAnswer(parsing: Array(new.utf8)).next == 2)
        let later = #"{"v":2,"requestID":"q","state":"more","final":false}"#
        let error = #expect(throws: BreezeError.self) { try SchemeAnswer(parsing: Array(later.utf8)) }
        #expect(error?.code == .unsupportedVersion)
    }
}
