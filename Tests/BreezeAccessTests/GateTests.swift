#if Hub
import BreezeAccess
import BreezeCore
import BreezeTestSupport
import Foundation
import Testing

@Suite struct GateTests {
    private func owner(_ access: AccessControl) throws -> Credential {
        .ownerToken(try access.gate.sessions.redeem(access.gate.sessions.makeLinkCode()).token)
    }

    @Test func `a grant goes as far as the app may and the request wants`() async throws {
        let fixture = try Fixture()
        let near = try await fixture.app("Near").key
        let far = try await fixture.app("Far", AppScopes([.chat: .networkAllowed])).key
        for (key, wanted, reach) in [
            (near, nil, Locality.onDevice), (near, .onDevice, .onDevice), (far, nil, .network),
            (far, .onDevice, .onDevice),
            (far, .network, .network),
        ] as [(String, Locality?, Locality)] {
            let grant = try fixture.access.ask(key, .inference(.chat, wanted))
            #expect(grant.locality == reach)
            #expect(grant.privacy == (reach == .network ? .userSettings : .onDevice))
        }
        let error = fixture.access.refusal(near, .inference(.chat, .network))
        #expect(error?.code == .scopeDenied)
        #expect(error?.message == "Near is not allowed to use a network service for chat.")
    }

    @Test func `an app never does what is the owner's`() async throws {
        let fixture = try Fixture()
        let all = AppScopes(
            Dictionary(uniqueKeysWithValues: AICapability.standard.map { ($0, .networkAllowed) }),
            special: [.models]
        )
        let key = try await fixture.app("Mail", all).key
        #expect(fixture.access.refusal(key, .owner)?.code == .scopeDenied)
        // Its key is no owner's token either.
        #expect(throws: BreezeError.self) {
            try fixture.access.gate.authorise(.ownerToken(key), for: .owner, from: .loopback, request: "r")
        }
    }

    @Test func `the owner may do everything, without a quota`() throws {
        let fixture = try Fixture()
        let owner = try owner(fixture.access)
        for need in [AccessNeed.owner, .models, .listing, .inference(.chat, .network), .inference(.asr)] {
            let grant = try fixture.access.gate.authorise(owner, for: need, from: .loopback, request: "r")
            #expect(grant.subject == .owner)
        }
    }

    @Test(
        arguments: [
            (AccessNeed.inference(.chat), nil), (.inference(.chat, .onDevice), nil), (.listing, nil),
            (.inference(.chat, .network), "scope_denied"), (.models, "scope_denied"),
            (.owner, "scope_denied"),
        ] as [(AccessNeed, String?)]
    )
    func `an open hub lets anybody on the device ask models on the device`(need: AccessNeed, code: String?)
        throws
    {
        let access = try Fixture { $0.isOpen = true }.access
        for caller in [Caller.loopback, .unixSocket(uid: 1000)] {
            // The common clients send some key in any case.
            for key in [nil, "ollama", "sk-no-key-required"] {
                #expect(access.refusal(key, need, from: caller)?.code.rawValue == code)
            }
        }
        #expect(access.refusal(nil, need, from: .network)?.code == .invalidKey)
        #expect(access.refusal("brz_wrong", need)?.code == .invalidKey)
        if code == nil { #expect(try access.ask(nil, need).locality == .onDevice) }
    }

    @Test func `a closed hub lets nobody in without a key, whoever the socket says it is`() throws {
        let access = try Fixture().access
        for caller in [Caller.loopback, .unixSocket(uid: 0), .network] {
            #expect(access.refusal(nil, from: caller)?.code == .invalidKey)
            #expect(access.refusal("ollama", .listing, from: caller)?.code == .invalidKey)
        }
    }

    @Test func `every refusal says what to do about it`() async throws {
        let fixture = try Fixture()
        let access = fixture.access
        let key = try await fixture.app(quota: Quota(requests: 0)).key
        let errors = [
            access.refusal(nil), access.refusal("x"), access.refusal(key), access.refusal(key, .models),
            access.refusal(key, .owner), access.refusal(key, .inference(.asr)),
        ].compactMap(\.self)
        #expect(errors.count == 6)
        #expect(errors.allSatisfy { $0.remedy != nil })
    }

    // MARK: - What ends requests

    @Test func `revocation reaches whoever runs a request`() async throws {
        let fixture = try Fixture()
        let access = fixture.access
        let (app, key) = try await fixture.app("Mail", AppScopes([.chat: .networkAllowed, .asr: .onDevice]))
        let other = try await fixture.app("Other").key
        let (near, far) = (
            try access.ask(key, .inference(.chat, .onDevice)), try access.ask(key, .inference(.chat))
        )
        let (heard, bystander) = (try access.ask(key, .inference(.asr)), try access.ask(other))
        let all = [near, far, heard, bystander]
        var changes = access.changes().makeAsyncIterator()
        try await access.narrow(app.id, to: AppScopes([.chat: .onDevice]))
        let narrowed = try #require(await changes.next())
        #expect(all.map(narrowed.ends) == [false, true, true, false])
        try await access.setQuota(app.id, Quota(requests: 100))
        let quota = try #require(await changes.next())
        #expect(all.map(quota.ends) == [false, true, true, false])
        try await access.revoke(app.id)
        let revoked = try #require(await changes.next())
        #expect(all.map(revoked.ends) == [true, true, true, false])
    }

    @Test func `a withdrawn key ends what came with it alone`() async throws {
        let fixture = try Fixture()
        let (app, first) = try await fixture.app()
        let second = try await fixture.access.makeKey(for: app.id, label: "second")
        let (one, two) = (try fixture.access.ask(first), try fixture.access.ask(second.reveal()))
        var changes = fixture.access.changes().makeAsyncIterator()
        try await fixture.access.revokeKey(second.key.id)
        let change = try #require(await changes.next())
        #expect([one, two].map(change.ends) == [false, true])
    }

    @Test func `what another process decides holds here a second later`() async throws {
        // So that within a second nobody wakes but who looks for decisions.
        let fixture = try Fixture { $0.writeDelay = .seconds(10) }
        let hub = fixture.access
        let (app, key) = try await hub.register(
            AppRequest(name: "Mail", asked: AppScopes([.chat: .onDevice]))
        )
        let command = try fixture.again()
        var changes = hub.changes().makeAsyncIterator()
        let running = Task { await hub.run() }
        await fixture.clock.sleeper(within: .seconds(1))
        try await command.approve(app.id, AppApproval(AppScopes([.chat: .onDevice])))
        fixture.clock.advance(by: .seconds(1))
        guard case .app(let approved) = await changes.next() else {
            Issue.record("no change came")
            return
        }
        #expect(approved.state == .approved)
        let grant = try hub.ask(key.reveal())
        try await command.revoke(app.id)
        await fixture.clock.sleeper(within: .seconds(1))
        fixture.clock.advance(by: .seconds(1))
        let revoked = try #require(await changes.next())
        #expect(revoked.ends(grant))
        #expect(hub.refusal(key.reveal())?.code == .appRevoked)
        running.cancel()
        await running.value
    }

    @Test func `a key that another process made is known as soon as it is asked with`() async throws {
        let hub = try Fixture()
        let key = try await Fixture(in: hub.scratch).app().key
        #expect(hub.access.refusal(key) != nil)
        await hub.access.look(for: .bearer(key))
        #expect(hub.access.refusal(key) == nil)
    }

    @Test func `an app whose time is over is told of once`() async throws {
        let fixture = try Fixture()
        let (_, key) = try await fixture.app(expires: fixture.watch.now.addingTimeInterval(10))
        let grant = try fixture.access.ask(key)
        var changes = fixture.access.changes().makeAsyncIterator()
        try await fixture.access.poll()
        fixture.watch.advance(by: 10)
        try await fixture.access.poll()
        try await fixture.access.poll()
        try await fixture.access.close()
        let change = try #require(await changes.next())
        #expect(change.ends(grant))
        #expect(await changes.next() == nil)
    }

    @Test func `a decision is made on what the file says, not on what was known`() async throws {
        let fixture = try Fixture()
        let app = try await fixture.app().app
        let other = try fixture.again()
        try await other.approve(app.id, AppApproval(AppScopes([.asr: .onDevice])))
        let changed = try await fixture.access.setQuota(app.id, Quota(requests: 3))
        #expect(changed.granted == AppScopes([.asr: .onDevice]))
    }
}
#endif
