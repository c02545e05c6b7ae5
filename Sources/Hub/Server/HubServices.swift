#if Hub
import BreezeAccess
import Foundation
import Logging
import ServiceLifecycle
import Synchronization

/// Writes down what was asked and done, and hears what the owner decides, in this process or another one.
struct AccessKeeping: Service {
    let server: HubServer

    func run() async throws {
        let access = server.parts.access
        await withTaskGroup { group in
            group.addTask {
                for await change in access.changes() { server.heed(change) }
            }
            await cancelWhenGracefulShutdown { await access.run() }
            group.cancelAll()
        }
    }
}

/// Counts the sockets that take requests, and tells when all do.
final class Opened: Sendable {
    private struct State {
        var missing: Int
        var address: URL?
    }

    private let state: Mutex<State>
    private let done: @Sendable (URL) -> Void

    init(count: Int, done: @escaping @Sendable (URL) -> Void) {
        state = Mutex(State(missing: count))
        self.done = done
    }

    func opened(_ address: URL?) {
        let found = state.withLock { state -> URL? in
            state.missing -= 1
            state.address = address ?? state.address
            return state.missing == 0 ? state.address : nil
        }
        if let found { done(found) }
    }
}

/// Takes up models that other programs brought here or removed.
struct StoreWatch: Service {
    let parts: HubParts
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var seen = parts.models.changed
            while (try? await Task.sleep(for: .seconds(2))) != nil {
                let changed = parts.models.changed
                guard changed != seen else { continue }
                seen = changed
                do { try await parts.refresh() } catch {
                    logger.error("The models could not be looked through again: \(error)")
                }
            }
        }
    }
}

/// Ends answers that nobody takes, and requests that do not come whole: one timer for all of them.
struct StalledWatch: Service {
    let connections: Connections
    let limits: HubLimits

    func run() async throws {
        let pause = min(limits.reading, limits.writing, .seconds(8)) / 4
        await cancelWhenGracefulShutdown {
            while (try? await Task.sleep(for: pause)) != nil {
                connections.closeStalled(since: .now - limits.writing)
                connections.endLateReading(at: .now)
            }
        }
    }
}

/// Tells the service manager that the hub is alive, as often as it wants to hear it.
struct Watchdog: Service {
    let notice: ServiceNotice

    func run() async throws {
        await cancelWhenGracefulShutdown {
            guard let pause = notice.watchdog else {
                try? await Task.sleep(for: .seconds(1 << 30))
                return
            }
            while !Task.isCancelled {
                notice.alive()
                try? await Task.sleep(for: pause)
            }
        }
    }
}
#endif
