#if Hub || Pairing
import BreezeCore
import BreezeTestSupport
import Foundation
import Testing

@testable import BreezeScheme

/// The sections in which somebody receives: the hub, the hub in parts, an app.
@Suite struct ReceiveVectorTests {
    private struct Scenario<Step: Decodable>: Decodable {
        let name: String
        let steps: [Step]
    }

    private struct ReceiveStep: Decodable {
        let wall: Int64
        let uptime: Int64
        let url: String
        let files: [String: String]?
        let restart: Bool?
    }

    private struct Received: Decodable {
        struct Message: Decodable {
            let `do`: String
            let request: ExpectedRequest?
            let reply, id, digest: String?
            let next: Int?
        }

        let app: String
        let message: Message
    }

    @Test func `the hub takes and refuses as the page says`() throws {
        let cases: [Scenario<Case<ReceiveStep, Received>>] = try VectorFile.section("receive")
        for item in cases {
            var hub = try KnownHub()
            for (number, step) in item.steps.enumerated() {
                let given = step.given
                if given.restart == true { try hub.restart(uptime: given.uptime) }
                try hub.put(files: given.files ?? [:])
                try step.check("receive: \(item.name), step \(number)") {
                    guard case .sealed(let data) = try SchemeURL(parsing: given.url) else { throw HexFault() }
                    let moment = SchemeMoment(wall: given.wall, uptime: given.uptime)
                    return try hub.receiver.receive(data, at: moment)
                } isSame: {
                    try $0.reply.app.id.text == $1.app && Self.isSame($0.content, $1.message)
                }
            }
        }
        #expect(cases.count == VectorFile.counts["receive"])
    }

    private static func isSame(_ found: ReceivedMessage.Content, _ wanted: Received.Message) throws -> Bool {
        guard case .message(let message) = found else { return false }
        switch message {
        case .run(let request, let reply):
            return try wanted.do == "run" && reply.rawValue == wanted.reply ?? "url"
                && wanted.request?.isSame(request) == true
        case .cancel(let id): return wanted.do == "cancel" && wanted.id == id
        case .status: return wanted.do == "status"
        case .more(let digest, let next):
            return wanted.do == "more" && wanted.digest == StrictBase64.url(digest) && wanted.next == next
        }
    }

    private struct Cut: Decodable {
        let name: String
        let message: SpelledText
        let digest: String
        let steps: [Case<PartStep, Joined>]
    }

    private struct PartStep: Decodable {
        let wall, uptime: Int64
        let nonce, head, envelope_sha256: String
        let expiry: UInt64
        let offset, length: Int
        let changed: Int?
    }

    private struct Joined: Decodable {
        let `do`: String
        let next: Int?
    }

    @Test func `parts are put together as the page says`() throws {
        let cases: [Cut] = try VectorFile.section("parts")
        for item in cases {
            let message = Array(item.message.text.utf8)
            #expect(SchemeText.hexadecimal(Digest.sha256(message)) == item.digest)
            var hub = try KnownHub()
            let app = try hub.app("qk7lqbjjzrqh")
            for (number, step) in item.steps.enumerated() {
                let name = "parts: \(item.name), step \(number)"
                let envelope = try Self.envelope(step.given, of: message, app)
                #expect(
                    SchemeText.hexadecimal(Digest.sha256(envelope)) == step.given.envelope_sha256,
                    "\(name)"
                )
                try step.check(name) {
                    let moment = SchemeMoment(wall: step.given.wall, uptime: step.given.uptime)
                    return try hub.receiver.receive(envelope, at: moment)
                } isSame: {
                    switch $0.content {
                    case .part(let next): $1.do == "part" && $1.next == next
                    case .message(.run): $1.do == "run"
                    default: false
                    }
                }
            }
        }
        #expect(cases.count == VectorFile.counts["parts"])
    }

    private static func envelope(_ step: PartStep, of message: [UInt8], _ app: PairedApp) throws -> [UInt8] {
        var content = Array(message[step.offset..<(step.offset + step.length)])
        if let changed = step.changed { content[changed] ^= 1 }
        let nonce = try #require(MessageNonce(bytes(step.nonce)))
        let header = EnvelopeHeader(.requestPart, app: app.id, nonce: nonce, expiry: step.expiry)
        return try Envelope(sealing: bytes(step.head) + content, header, key: app.keys.toHub).bytes
    }

    private struct Answers: Decodable {
        let app: String
        let outstanding: [String]
        let cases: [Scenario<Case<AnswerStep, ExpectedAnswer>>]
    }

    private struct AnswerStep: Decodable {
        let url: String
        let wall: Int64
        let files: [String: String]?
    }

    private struct ExpectedAnswer: Decodable {
        let requestID, state: String
        let final: Bool
        let time: Int64
        let result: InferenceResult
    }

    @Test func `an app takes and refuses answers as the page says`() throws {
        let answers: Answers = try VectorFile.section("answers")
        let known = try KnownHub().app(answers.app)
        let outstanding = try answers.outstanding.map { try #require(MessageNonce(bytes($0))) }
        for item in answers.cases {
            var session = AppSession(known.id, keys: known.keys, outstanding: Set(outstanding))
            let scratch = try ScratchFolder()
            let folder = try ownFolder(in: scratch)
            for (number, step) in item.steps.enumerated() {
                for (name, text) in step.given.files ?? [:] {
                    try putFile(name, StrictBase64.bytes(ofURL: text.utf8, limit: 65_536), in: folder)
                }
                try step.check("answer: \(item.name), step \(number)") {
                    let data = try known.callback.answer(in: step.given.url)
                    return try session.open(
                        data,
                        at: step.given.wall,
                        handoff: HandoffFolder(opening: folder)
                    )
                } isSame: {
                    Self.isSame($0, $1) && session.ahead == max(0, $1.time - step.given.wall)
                }
            }
        }
        #expect(answers.cases.count == VectorFile.counts["answers"])
    }

    private static func isSame(_ found: AppSession.Received, _ wanted: ExpectedAnswer) -> Bool {
        guard case .answer(let answer) = found else { return false }
        return answer.requestID == wanted.requestID && answer.state.rawValue == wanted.state
            && answer.isFinal == wanted.final && answer.time == wanted.time && answer.result == wanted.result
    }
}
#endif
