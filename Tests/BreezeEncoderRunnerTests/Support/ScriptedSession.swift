import BreezeCore
import BreezeTokenizers
import Foundation
import Synchronization

@testable import BreezeEncoderRunner

/// Sessions that note what they are asked and wait where they are told to.
final class SessionScript: Sendable {
    private struct State {
        var lengths: [Int] = []
        var opened = 0
        var running = 0
        var mostRunning = 0
    }

    private let state = Mutex(State())
    /// What a session waits for before each answer; `nil` lets it run.
    let gate: DispatchSemaphore?
    /// Given when a session has begun a text.
    let begun = Signals()
    /// The number of the session that cannot be opened.
    let failing: Int?

    init(gate: DispatchSemaphore? = nil, failing: Int? = nil) {
        self.gate = gate
        self.failing = failing
    }

    /// Token counts of the texts in the order in which they were begun.
    var lengths: [Int] { state.withLock { $0.lengths } }
    var opened: Int { state.withLock { $0.opened } }
    var mostRunning: Int { state.withLock { $0.mostRunning } }

    var backend: EncoderBackend {
        EncoderBackend(name: "scripted", precision: .fp32) { [self] in
            let number = state.withLock { state in
                state.opened += 1
                return state.opened
            }
            if number == failing { throw BreezeError(.loadFailed, "session \(number) does not open") }
            return Session(script: self, thread: Thread.current)
        }
    }

    private struct Session: EncoderSession {
        let script: SessionScript
        let thread: Thread

        /// One number: how many tokens the text has. A text of -1 fails.
        func run(_ text: TokenizedText) throws -> [Float] {
            precondition(Thread.current === thread, "a session is confined to the thread that made it")
            script.state.withLock { state in
                state.lengths.append(text.ids.count)
                state.running += 1
                state.mostRunning = max(state.mostRunning, state.running)
            }
            defer { script.state.withLock { $0.running -= 1 } }
            script.begun.give()
            script.gate?.wait()
            if text.ids.first == -1 { throw BreezeError(.runFailed, "it fails") }
            return [Float(text.ids.count)]
        }
    }
}

/// Signals from anywhere to one task, which holds no thread while it waits for the next.
final class Signals: Sendable {
    private let given = AsyncStream<Void>.makeStream()

    func give() { given.continuation.yield() }

    func next() async {
        for await _ in given.stream { return }
    }
}

extension TokenizedText {
    /// A text of so many tokens.
    static func long(_ count: Int) -> TokenizedText { TokenizedText(ids: Array(repeating: 7, count: count)) }
}
