import BreezeTestSupport
import Foundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The owner's mail, over the mailbox that comes with Breeze.
@Suite(.enabled(if: TestProgram.named("breeze") != nil, "the program was not built"))
struct `Mail in the hub` {
    private struct Owner: Sendable {
        let base: URL
        let token: String

        init(_ base: URL, _ environment: [String: String]) async throws {
            struct Link: Decodable { let panel: String }
            let said = try await RunningHub.tell(["panel", "--json"], environment)
            let link = try JSONDecoder().decode(Link.self, from: Data(said.utf8)).panel
            let code = try #require(link.split(separator: "#code=").last)
            self.base = base
            let (_, answer) = try await Self.ask(base, "session", token: nil, body: #"{"code":"\#(code)"}"#)
            token = try #require(answer["token"] as? String)
        }

        func ask(_ path: String, body: String? = nil) async throws -> (code: Int?, answer: [String: Any]) {
            try await Self.ask(base, path, token: token, body: body)
        }

        static func ask(
            _ base: URL,
            _ path: String,
            token: String?,
            body: String?
        ) async throws -> (code: Int?, answer: [String: Any]) {
            var request = URLRequest(url: try #require(URL(string: "\(base)/breeze/v1/\(path)")))
            if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
            if let body {
                request.httpMethod = "POST"
                request.httpBody = Data(body.utf8)
            }
            let (data, response) = try await URLSession.shared.data(for: request)
            let answer = try? JSONSerialization.jsonObject(with: data) as? [String: Any]
            return ((response as? HTTPURLResponse)?.statusCode, answer ?? [:])
        }
    }

    @Test func `is indexed, listed, read and found by its owner`() async throws {
        try await RunningHub.run { base, _, environment in
            let owner = try await Owner(base, environment)
            #expect(try await owner.ask("mail").answer["messages"] as? Int == 0)
            #expect(try await owner.ask("mail/search?q=boat").code == 404)
            let paths = #"{"paths":["\#(BundledMailbox.maildir.path)"]}"#
            let begun = try await owner.ask("mail/index", body: paths)
            #expect(begun.code == 202)
            let status = try await Self.untilIdle(owner)
            let count = try #require(status["messages"] as? Int)
            #expect(count > 100)

            let folders = try await owner.ask("mail/folders").answer["folders"] as? [[String: Any]]
            #expect(folders?.contains { $0["name"] as? String == "Lists/Charts" } == true, "\(folders ?? [])")
            let listed = try await owner.ask("mail/messages?limit=200").answer["messages"] as? [[String: Any]]
            #expect(listed?.count == min(count, 200))
            let found =
                try await owner.ask("mail/search?mode=words&q=BP7QX2").answer["hits"] as? [[String: Any]]
            let hit = try #require(found?.first)
            #expect(hit["messageID"] as? String == "20260921183628.D0A1DD0@bateaux-ponant.example")
            let number = try #require(hit["id"] as? Int)
            let shown = try await owner.ask("mail/messages/\(number)").answer
            #expect(((shown["text"] as? [[String: Any]])?.isEmpty == false))
            #expect(try await owner.ask("mail/messages/\(number)/page").code == 200)
            let thread = try #require(hit["threadNumber"] as? Int)
            let messages = try await owner.ask("mail/threads/\(thread)").answer["messages"] as? [Any]
            #expect(messages?.isEmpty == false)
        }
    }

    @Test func `is judged, corrected and taken back by its owner`() async throws {
        let before = [["mail", "index", BundledMailbox.maildir.path]]
        try await RunningHub.run(before: before) { base, _, environment in
            let owner = try await Owner(base, environment)
            let status = try await owner.ask("mail").answer
            let categories = try #require(status["categories"] as? [[String: Any]])
            #expect(
                categories.map { $0["category"] as? String }
                    == ["primary", "social", "promotions", "updates", "forums"]
            )
            let judged = try #require(status["judged"] as? [String: Any])
            #expect(judged["done"] as? Int == status["messages"] as? Int)
            let warnings = try #require(status["warnings"] as? [String: Any])
            let phish = try await owner.ask("mail/messages?warning=phishing&limit=200").answer
            let listed = try #require(phish["messages"] as? [[String: Any]])
            #expect(listed.count == warnings["phishing"] as? Int && !listed.isEmpty)
            #expect(listed.allSatisfy { $0["warning"] as? String == "phishing" })
            let forums = try await owner.ask("mail/messages?category=forums&grouping=threads&limit=200")
                .answer
            let threads = try #require(forums["messages"] as? [[String: Any]])
            let count = categories.first { $0["category"] as? String == "forums" }?["messages"] as? Int
            #expect(threads.count == count && threads.allSatisfy { $0["category"] as? String == "forums" })

            let number = try #require(listed.first?["id"] as? Int)
            func verdict() async throws -> [String: Any] {
                try #require(
                    try await owner.ask("mail/messages/\(number)").answer["verdict"] as? [String: Any]
                )
            }
            #expect(try await verdict()["repliesOffered"] as? Bool == false)
            let corrected = try await owner.ask("mail/messages/\(number)/correct", body: #"{"spam":"no"}"#)
            #expect(corrected.code == 200, "\(corrected.answer)")
            #expect(try await verdict()["repliesOffered"] as? Bool == true)
            let key = try #require((corrected.answer["corrections"] as? [[String: String]])?.first)
            let known = try await owner.ask("mail/corrections").answer["corrections"] as? [[String: Any]]
            #expect(known?.first?["key"] as? String == key["key"] && known?.first?["subject"] is String)
            let body = String(decoding: try JSONEncoder().encode(key), as: UTF8.self)
            #expect(try await owner.ask("mail/corrections/undo", body: body).code == 200)
            #expect(try await owner.ask("mail/corrections/undo", body: body).code == 404)
            #expect(try await verdict()["repliesOffered"] as? Bool == false)
            for wrong in [#"{}"#, #"{"category":"junk"}"#, #"{"category":"social","spam":"no"}"#, "[]"] {
                #expect(
                    try await owner.ask("mail/messages/\(number)/correct", body: wrong).code == 400,
                    "\(wrong)"
                )
            }
            let page = try await owner.ask("mail/messages?category=junk")
            #expect(page.code == 400)
            #expect(try await owner.ask("mail/messages/999999/correct", body: #"{"spam":"no"}"#).code == 404)
        }
    }

    @Test func `is nobody else's, and a wrong question is told`() async throws {
        let before = [["mail", "index", BundledMailbox.maildir.path, "--words"]]
        try await RunningHub.run(before: before) { base, _, environment in
            let key = try await RunningHub.app(["chat", "embedding", "models"], environment)
            try await RunningHub.waitFor(key, at: base)
            for path in ["mail", "mail/folders", "mail/messages/1", "mail/search?q=boat", "mail/corrections"]
            {
                let refused = try await Owner.ask(base, path, token: key, body: nil)
                #expect(refused.code == 401 || refused.code == 403, "\(path)")
                #expect(try await Owner.ask(base, path, token: nil, body: nil).code == 401, "\(path)")
            }
            let owner = try await Owner(base, environment)
            for (path, code) in [
                ("mail/search?q=date:nonsense..", 400), ("mail/messages/999999", 404),
                ("mail/threads/x", 404),
                ("mail/messages?limit=0", 400), ("mail/search?q=boat&mode=magic", 400),
            ] {
                let refused = try await owner.ask(path)
                #expect(refused.code == code, "\(path): \(refused.answer)")
                #expect((refused.answer["error"] as? [String: Any])?["message"] is String, "\(path)")
            }
            #expect(try await owner.ask("mail/index", body: #"{"paths":["/nowhere/at/all"]}"#).code == 404)
            #expect(try await owner.ask("mail/index", body: #"{"paths":["Mail"]}"#).code == 400)
        }
    }

    /// - Returns: The status then.
    private static func untilIdle(_ owner: Owner) async throws -> [String: Any] {
        var status: [String: Any] = [:]
        for _ in 0..<1_200 {
            status = try await owner.ask("mail").answer
            let stage = (status["work"] as? [String: Any])?["stage"] as? String
            if stage == "idle", status["messages"] as? Int != 0 { break }
            try await Task.sleep(for: .milliseconds(50))
        }
        return status
    }
}
