#if Hub
import BreezeAccess
import BreezeCore
import BreezeTestSupport
import Foundation
import Testing

/// One transparent pixel.
private let pngPixel =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

@Suite struct AppTests {
    let fixture: Fixture
    var access: AccessControl { fixture.access }
    private let chat = AppScopes([.chat: .onDevice])

    init() throws { fixture = try Fixture() }

    @Test func `an app waits, with a key that opens nothing yet`() async throws {
        let (app, key) = try await access.register(AppRequest(name: "  Mail  ", asked: chat))
        #expect(app.name == "Mail")
        #expect(app.state == .waiting)
        #expect(app.granted == .none)
        let error = access.refusal(key.reveal())
        #expect(error?.code == .appWaiting)
        #expect(error?.remedy?.contains("breeze apps approve \(app.id)") == true)
        try await access.approve(app.id, AppApproval(chat))
        #expect(access.refusal(key.reveal()) == nil)
    }

    @Test(arguments: [
        ("", "empty"), ("   ", "empty"), (String(repeating: "a", count: 65), "longer"),
        ("Mail\u{0}", "U+0"), ("Mail\nOwner approved", "U+A"), ("Mail\u{1B}[2J", "U+1B"),
        ("Ma\u{202E}lia", "U+202E"),
        ("Mail\u{200B}", "U+200B"), ("Ma\u{2066}il", "U+2066"), ("\u{FEFF}Mail", "U+FEFF"),
        ("Mail\u{2028}", "U+2028"),
        ("Mail\u{3164}", "U+3164"), ("Mail\u{E000}", "U+E000"), ("Mail\u{E0041}", "U+E0041"),
        ("Ma\u{00A0}il", "U+A0"),
        ("M" + String(repeating: "\u{0301}", count: 5), "accents"),
    ])
    func `a name that could mislead its reader is refused`(name: String, reason: String) async {
        let error = await #expect(throws: BreezeError.self) {
            try await access.register(AppRequest(name: name, asked: chat))
        }
        #expect(error?.code == .invalidRequest)
        #expect(error?.message.contains(reason) == true)
        #expect(access.apps().isEmpty)
    }

    @Test(arguments: ["Mail", "Почта", "メール", "Café Ångström", "Photos ❤\u{FE0F}", "a/b <i>c</i>"])
    func `names of every language are taken`(name: String) async throws {
        #expect(try await access.register(AppRequest(name: name, asked: chat)).app.name == name)
    }

    @Test func `a small picture is taken as it is`() async throws {
        let icon = "data:image/png;base64,\(pngPixel)"
        let app = try await access.register(AppRequest(name: "Mail", icon: icon, asked: chat)).app
        #expect(app.icon == icon)
    }

    @Test(arguments: [
        "https://example.org/icon.png", "data:image/svg+xml;base64,PHN2Zy8+", "data:text/html;base64,PGI+",
        "data:image/png;base64,PHN2Zy8+", "data:image/jpeg;base64,\(pngPixel)", "data:image/png;base64,%%%",
        "data:image/png,\(pngPixel)", "data:image/png;base64,\(pngPixel)\" onload=\"x",
        "data:image/png;base64," + String(repeating: "A", count: 64 << 10), "javascript:alert(1)", "",
    ])
    func `any other icon is refused`(icon: String) async {
        let error = await #expect(throws: BreezeError.self) {
            try await access.register(AppRequest(name: "Mail", icon: icon, asked: chat))
        }
        #expect(error?.code == .invalidRequest)
    }

    @Test(arguments: ["", "Chat", "chat\n", "../chat", String(repeating: "a", count: 41)])
    func `a capability that is no name is refused`(name: String) async {
        await #expect(throws: BreezeError.self) {
            try await access.register(
                AppRequest(name: "Mail", asked: AppScopes([AICapability(rawValue: name): .onDevice]))
            )
        }
    }

    @Test func `no more than a few wait at once`() async throws {
        let fixture = try Fixture { $0.waitingLimit = 2 }
        let request = AppRequest(name: "Mail", asked: chat)
        let first = try await fixture.access.register(request).app
        _ = try await fixture.access.register(request)
        let error = await #expect(throws: BreezeError.self) { try await fixture.access.register(request) }
        #expect(error?.code == .busy)
        try await fixture.access.refuse(first.id)
        _ = try await fixture.access.register(request)
    }

    @Test func `the owner narrows, refuses, revokes and takes back`() async throws {
        let wide = AppScopes([.chat: .networkAllowed, .embedding: .onDevice], special: [.models])
        let (app, key) = try await fixture.app("Mail", wide)
        #expect(access.refusal(key, .inference(.chat, .network)) == nil)
        #expect(access.refusal(key, .models) == nil)
        try await access.narrow(app.id, to: chat)
        #expect(access.refusal(key, .inference(.chat, .network))?.code == .scopeDenied)
        #expect(access.refusal(key, .inference(.embedding))?.code == .scopeDenied)
        #expect(access.refusal(key, .models)?.code == .scopeDenied)
        #expect(access.refusal(key) == nil)
        await #expect(throws: BreezeError.self) { try await access.narrow(app.id, to: wide) }
        await #expect(throws: BreezeError.self) { try await access.refuse(app.id) }
        try await access.revoke(app.id)
        #expect(access.refusal(key)?.code == .appRevoked)
        try await access.approve(app.id, AppApproval(chat))
        #expect(access.refusal(key) == nil)
        try await access.remove(app.id)
        #expect(access.refusal(key)?.code == .invalidKey)
        #expect(throws: BreezeError.self) { try access.app(app.id) }
    }

    @Test func `what was allowed for a time ends with it`() async throws {
        let end = fixture.watch.now.addingTimeInterval(3600)
        let (app, key) = try await fixture.app(expires: end)
        fixture.watch.set(end.addingTimeInterval(-0.001))
        #expect(access.refusal(key) == nil)
        fixture.watch.set(end)
        #expect(access.refusal(key)?.code == .appExpired)
        #expect(try access.app(app.id).state == .expired)
        await #expect(throws: BreezeError.self) {
            try await access.approve(app.id, AppApproval(AppScopes([.chat: .onDevice]), expires: end))
        }
    }

    @Test func `everything is there after a restart`() async throws {
        let scopes = AppScopes([.chat: .networkAllowed, .vlm: .onDevice], special: [.models])
        let end = fixture.watch.now.addingTimeInterval(86_400)
        let quota = Quota(requests: 5, tokens: 100, computeMinutes: 1.5)
        let (app, key) = try await fixture.app("Mail", scopes, quota: quota, expires: end)
        let known = try access.app(app.id)
        try await access.close()
        let again = try fixture.again()
        #expect(again.apps() == [known])
        #expect(again.refusal(key) == nil)
        #expect(again.notices.isEmpty)
    }

    @Test func `scopes have a JSON form that people can write`() throws {
        let text = #"{"capabilities":{"chat":"networkAllowed","vision":"onDevice"},"special":["models"]}"#
        let scopes = try JSONDecoder().decode(AppScopes.self, from: Data(text.utf8))
        #expect(scopes == AppScopes([.chat: .networkAllowed, .vlm: .onDevice], special: [.models]))
        let back = String(decoding: try AccessJSON.encoder.encode(scopes), as: UTF8.self)
        #expect(back == text.replacing("vision", with: "vlm"))
    }
}
#endif
