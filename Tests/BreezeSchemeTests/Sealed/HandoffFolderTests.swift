#if Hub || Pairing
import BreezeCore
import BreezeTestSupport
import Foundation
import Testing

@testable import BreezeScheme

/// Larger messages: files and parts, both ways.
@Suite struct HandoffFolderTests {
    private let now: Int64 = 1_800_000_000_000
    private let scratch: ScratchFolder
    private let folder: String

    init() throws {
        scratch = try ScratchFolder()
        folder = try ownFolder(in: scratch)
    }

    private func code(_ work: () throws -> Void) -> String? {
        #expect(throws: BreezeError.self) { try work() }?.code.rawValue
    }

    private func envelope(_ app: PairedApp, prompt: String = "x") throws -> Envelope {
        var session = AppSession(app.id, keys: app.keys)
        return try session.seal(.run(InferenceRequest(.chat, prompt: prompt, id: "q"), reply: .file), at: now)
    }

    private func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder) }

    @Test func `a file is put whole, its owner's alone, and taken once`() throws {
        let handoff = try HandoffFolder(opening: folder)
        let envelope = try envelope(KnownHub().app("qk7lqbjjzrqh"))
        let pointer = try handoff.put(envelope)
        #expect(pointer.count == 37 && pointer.starts(with: Array("BRZ1\u{5}".utf8)))
        let name = try #require(try names().first)
        #expect(try names().count == 1 && name == SchemeText.hexadecimal(pointer.dropFirst(5)))
        let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(try HandoffFolder.envelope(pointer, of: .request, in: handoff) == envelope.bytes)
        #expect(try names().isEmpty)
        #expect(
            code { _ = try HandoffFolder.envelope(pointer, of: .request, in: handoff) } == "invalid_handoff"
        )
        #expect(code { _ = try HandoffFolder.envelope(pointer, of: .request, in: nil) } == "invalid_handoff")
    }

    /// What may lie under the name in the file's place.
    enum Trap: CaseIterable { case link, hardLink, open, folder, otherBytes, tooLarge, pipe }

    @Test(arguments: Trap.allCases)
    func `what is not a plain file of one's own is not taken`(trap: Trap) throws {
        let handoff = try HandoffFolder(opening: folder, limit: 4_096)
        let content = try envelope(KnownHub().app("qk7lqbjjzrqh")).bytes
        let digest = Digest.sha256(content)
        let name = SchemeText.hexadecimal(digest)
        let manager = FileManager.default
        switch trap {
        case .link:
            try putFile("elsewhere", content, in: folder)
            try manager.createSymbolicLink(atPath: "\(folder)/\(name)", withDestinationPath: "elsewhere")
        case .hardLink:
            try putFile(name, content, in: folder)
            try manager.linkItem(atPath: "\(folder)/\(name)", toPath: "\(folder)/second")
        case .open: try putFile(name, content, in: folder, mode: 0o640)
        case .folder:
            try manager.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: false)
        case .otherBytes: try putFile(name, content + [0], in: folder)
        case .tooLarge: try putFile(name, [UInt8](repeating: 0, count: 4_097), in: folder)
        case .pipe: try #require(mkfifo("\(folder)/\(name)", 0o600) == 0)
        }
        #expect(code { _ = try handoff.take(digest: digest) } == "invalid_handoff")
    }

    @Test func `a folder that is a link, or open to others, is not used`() throws {
        let link = scratch.url.appending(path: "link").path
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder)
        #expect(code { _ = try HandoffFolder(opening: link) } == "invalid_handoff")
        #expect(chmod(folder, 0o750) == 0)
        #expect(code { _ = try HandoffFolder(opening: folder) } == "invalid_handoff")
        #expect(code { _ = try HandoffFolder(opening: folder + "/none") } == "invalid_handoff")
    }

    @Test func `what nobody fetched goes, and nothing else`() throws {
        let handoff = try HandoffFolder(opening: folder)
        let app = try KnownHub().app("qk7lqbjjzrqh")
        let kept = try handoff.put(envelope(app))
        try putFile(".new-half", [1], in: folder)
        try putFile("hub.sock", [1], in: folder)
        let written = try #require(
            try FileManager.default.attributesOfItem(atPath: "\(folder)/.new-half")[.modificationDate]
                as? Date
        )
        let second = Int(written.timeIntervalSince1970)
        handoff.sweep(at: second + 600)
        #expect(try names().count == 3)
        handoff.sweep(at: second + 602)
        #expect(try names() == ["hub.sock"])
        handoff.remove(kept)
        handoff.remove(try handoff.put(envelope(app)))
        #expect(try names() == ["hub.sock"])
    }

    @Test func `a long question goes in parts, and so does its answer`() throws {
        var hub = try KnownHub()
        let app = try hub.app("qk7lqbjjzrqh")
        var session = AppSession(app.id, keys: app.keys)
        let prompt = String(repeating: "a", count: 150_000)
        let message = HubMessage.run(InferenceRequest(.chat, prompt: prompt, id: "q"), reply: .parts)
        let parts = try AppSession.parts(of: message)
        #expect(parts.count == 3)
        var reply: ReplyAddress?
        for (number, part) in parts.enumerated() {
            let envelope = try session.seal(part: part, at: now)
            #expect(try SchemeURL.sealed(envelope.bytes).written().utf8.count < SchemeURL.lengthLimit)
            // Another process each: the parts wait where the nonces are.
            try hub.restart(uptime: 0)
            let received = try hub.receiver.receive(envelope.bytes, at: SchemeMoment(wall: now, uptime: 0))
            reply = received.reply
            switch received.content {
            case .part(let next): #expect(next == number + 1)
            case .message(.run(let request, .parts)): #expect(request.prompt == prompt && number == 2)
            default: Issue.record("part \(number) came to something else")
            }
        }
        var answer = SchemeAnswer.done(
            InferenceResult(requestID: "q", output: .text(prompt), runner: "mock:echo"),
            to: "q"
        )
        answer.time = now
        try takeInParts(answer, reply: try #require(reply), app, &session)
    }

    private func takeInParts(
        _ answer: SchemeAnswer,
        reply: ReplyAddress,
        _ app: PairedApp,
        _ session: inout AppSession
    ) throws {
        var reply = reply
        for (number, part) in try MessageParts.cut(answer.bytes()).enumerated() {
            let envelope = try reply.seal(part: part, at: now)
            switch try session.open(envelope.bytes, at: now) {
            case .part(let digest, let next):
                #expect(next == number + 1)
                let more = try session.seal(.more(digest: digest, next: next), at: now)
                reply = ReplyAddress(app, more.header)
            case .answer(let found): #expect(found.result == answer.result && number == 2)
            }
        }
    }

    @Test func `a message of more than sixteen parts is refused`() {
        #expect(
            code { _ = try MessageParts.cut([UInt8](repeating: 1, count: 983_041)) } == "payload_too_large"
        )
        #expect(throws: Never.self) { try MessageParts.cut([UInt8](repeating: 1, count: 983_040)) }
    }
}
#endif
