#if Hub
import BreezeAccess
import BreezeCore
import BreezeTestSupport
import Foundation
import Synchronization

/// The time that a test says it is.
final class Watch: Sendable {
    private let time: Mutex<Date>

    init(_ time: Date) { self.time = Mutex(time) }

    var now: Date { time.withLock { $0 } }
    func set(_ new: Date) { time.withLock { $0 = new } }
    func advance(by seconds: TimeInterval) { time.withLock { $0 += seconds } }
}

extension Date {
    /// `2026-03-02T10:00:00Z`
    init(utc text: String) throws { try self.init(text, strategy: .iso8601) }
}

/// A file of its own, a Monday morning, and a time zone that is not the machine's.
struct Fixture {
    let scratch: ScratchFolder
    let file: URL
    let watch: Watch
    let clock = ManualClock()
    let access: AccessControl

    init(
        zone: String = "Europe/Vienna",
        in scratch: ScratchFolder? = nil,
        at time: String = "2026-03-02T10:00:00Z",
        _ configure: (inout AccessSettings) -> Void = { _ in }
    ) throws {
        self.scratch = try scratch ?? ScratchFolder()
        file = self.scratch.url.appending(path: "access/access.sqlite")
        watch = Watch(try Date(utc: time))
        var settings = AccessSettings()
        configure(&settings)
        access = try Self.open(file, watch, clock, zone, settings)
    }

    /// Another process with the same file, or the same one after a restart.
    func again(zone: String = "Europe/Vienna", _ settings: AccessSettings = AccessSettings()) throws
        -> AccessControl
    {
        try Self.open(file, watch, clock, zone, settings)
    }

    private static func open(
        _ file: URL,
        _ watch: Watch,
        _ clock: ManualClock,
        _ zone: String,
        _ settings: AccessSettings
    ) throws -> AccessControl {
        try AccessControl(
            file,
            settings: settings,
            calendar: {
                var calendar = Calendar(identifier: .gregorian)
                calendar.timeZone = TimeZone(identifier: zone) ?? .gmt
                return calendar
            },
            clock: clock,
            now: { watch.now }
        )
    }

    /// An approved app and its key.
    func app(
        _ name: String = "Mail",
        _ scopes: AppScopes = AppScopes([.chat: .onDevice]),
        quota: Quota = .unlimited,
        expires: Date? = nil
    ) async throws -> (app: App, key: String) {
        let (app, key) = try await access.register(
            AppRequest(name: name, asked: scopes),
            approval: AppApproval(scopes, quota: quota, expires: expires)
        )
        return (app, key.reveal())
    }
}

extension AccessControl {
    func ask(
        _ key: String?,
        _ need: AccessNeed = .inference(.chat),
        from caller: Caller = .loopback,
        request: String = "r",
        expecting tokens: Int = 0
    ) throws(BreezeError) -> AccessGrant {
        let credential = key.map(Credential.bearer) ?? .none
        return try gate.authorise(
            credential,
            for: need,
            from: caller,
            request: request,
            expectedTokens: tokens
        )
    }

    /// The code that it is refused with; `nil` where it is let in.
    func refusal(_ key: String?, _ need: AccessNeed = .inference(.chat), from caller: Caller = .loopback)
        -> BreezeError?
    {
        do throws(BreezeError) {
            try ask(key, need, from: caller).settle(RequestOutcome("stop"))
            return nil
        } catch {
            return error
        }
    }
}
#endif
