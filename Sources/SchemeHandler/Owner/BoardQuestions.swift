#if Hub
import BreezeCore
package import BreezeScheme
package import BreezeSchemeStore

/// Puts questions where the hub's panel and `breeze apps` find them, and looks for the answer there: whoever handles a
/// URL has no screen.
package struct BoardQuestions: OwnerQuestions {
    private static let interval = Duration.milliseconds(250)

    private let store: SchemeStore
    private let clock: any Clock<Duration>
    private let moment: @Sendable () -> SchemeMoment

    package init(
        _ store: SchemeStore,
        clock: any Clock<Duration> = ContinuousClock(),
        moment: @escaping @Sendable () -> SchemeMoment = SchemeMoment.now
    ) {
        self.store = store
        self.clock = clock
        self.moment = moment
    }

    package func answer(to question: OwnerQuestion) async -> OwnerAnswer {
        let id = InferenceRequest.newID()
        let now = moment().wall
        do {
            try await store.perform { try $0.post(question, as: id, at: now) }
        } catch {
            return .refuse
        }
        let answer = try? await wait(for: id)
        _ = try? await store.perform { try $0.withdraw(id) }
        return answer ?? .refuse
    }

    private func wait(for id: String) async throws -> OwnerAnswer {
        while true {
            if let answer = try await store.perform({ try $0.ownersAnswer(to: id) }) { return answer }
            try await clock.sleep(for: Self.interval)
        }
    }
}
#endif
