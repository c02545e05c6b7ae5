import Synchronization

/// How far a long piece of work is, on standard error: a bar that grows on a terminal, one line a step
/// elsewhere.
final class ProgressLine: Sendable {
    private struct State {
        var step = ""
        var detail = ""
        var percent = -1
        var isOpen = false
    }

    private static let width = 24
    private let state = Mutex(State())
    /// Where a script reads standard error, a failure is to stand there alone.
    private let isSilent: Bool

    init(json: Bool) {
        isSilent = json && !Console.isErrorTerminal
    }

    /// May be called often: it writes only where there is something new to see. A `total` of 0 is unknown; a `detail`
    /// is for a terminal alone, and changes as it goes.
    func show(_ step: String, detail: String = "", completed: Int64, total: Int64) {
        guard !isSilent else { return }
        let percent = total > 0 ? Int(min(100, completed * 100 / total)) : 0
        state.withLock { state in
            guard state.step != step || state.percent != percent || state.detail != detail else { return }
            let isNewStep = state.step != step
            (state.step, state.detail, state.percent) = (step, detail, percent)
            guard Console.isErrorTerminal else {
                if isNewStep { Console.printError(step) }
                return
            }
            if isNewStep, state.isOpen { Console.writeError("\n") }
            state.isOpen = true
            let text = detail.isEmpty ? step : "\(step), \(detail)"
            let filled = percent * Self.width / 100
            let bar =
                String(repeating: "█", count: filled) + String(repeating: "░", count: Self.width - filled)
            Console.writeError(total > 0 ? "\r\(bar) \(percent) % \(text)\u{1B}[K" : "\r\(text)\u{1B}[K")
        }
    }

    /// Takes the bar away: what it told of is over, and the answer is to stand there.
    func clear() {
        state.withLock { state in
            if state.isOpen { Console.writeError("\r\u{1B}[K") }
            state = State()
        }
    }

    func end() {
        state.withLock { state in
            if state.isOpen { Console.writeError("\n") }
            state = State()
        }
    }
}
