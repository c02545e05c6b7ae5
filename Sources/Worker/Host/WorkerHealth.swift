import BreezeCore
import Foundation
import Synchronization

/// Questions to a worker whether it lives, and their answers.
struct WorkerHealth: Sendable {
    private(set) var asked: UInt64 = 0
    private var heard: UInt64 = 0
    private var missed = 0

    enum Verdict: Equatable {
        /// To be asked, with this number.
        case ask(UInt64)
        case waiting
        case dead
    }

    mutating func answered(_ number: UInt64) {
        if number <= asked { heard = max(heard, number) }
    }

    mutating func check(allowing limit: Int) -> Verdict {
        if heard < asked {
            missed += 1
            return missed > limit ? .dead : .waiting
        }
        missed = 0
        asked += 1
        return .ask(asked)
    }
}

extension WorkerConnection {
    /// Watches for as long as the worker has something to do.
    func beginWatch() {
        state.withLock { state in
            guard state.watch == nil, !state.hasEnded else { return }
            state.watch = Task { [self] in
                repeat {
                    guard (try? await clock.sleep(options.checkInterval)) != nil else { return }
                } while check()
            }
        }
    }

    /// - Returns: Whether to go on watching.
    private func check() -> Bool {
        let (verdict, process) = state.withLock { state -> (WorkerHealth.Verdict?, WorkerProcess?) in
            guard !state.hasEnded, state.isLoading || !state.calls.isEmpty else {
                state.watch = nil
                return (nil, nil)
            }
            return (state.health.check(allowing: options.missedChecks), state.process)
        }
        guard let verdict else { return false }
        if let memoryLimit, let used = process?.residentMemory, used > memoryLimit {
            doom(exceeded(memoryLimit, using: used), isFault: true)
        }
        switch verdict {
        case .ask(let number): try? transmit(.ping(number))
        case .waiting: break
        case .dead: doom(unresponsive, isFault: true)
        }
        return true
    }

    private var unresponsive: BreezeError {
        BreezeError(
            .runnerCrashed,
            "\(name): its worker process did not respond any more, and was ended.",
            remedy: "Ask again: a new one is started."
        )
    }

    private func exceeded(_ limit: Int64, using used: Int64) -> BreezeError {
        let style = ByteCountFormatStyle(style: .memory)
        return BreezeError(
            .insufficientMemory,
            "\(name): its worker process used \(used.formatted(style)) of memory and was ended; "
                + "\(limit.formatted(style)) are allowed.",
            remedy: "Ask for less at once (a shorter text, a smaller context), or use a smaller model."
        )
    }
}
