import Synchronization

/// Counts what comes, and tells of it ten times a second at most.
final class ProgressMeter: Sendable {
    private struct State {
        var progress: DownloadProgress
        var rates: [RateWindow]
        var whole = RateWindow()
        var told: Duration?
    }

    private let state: Mutex<State>
    private let clock: DownloadClock
    private let report: @Sendable (DownloadProgress) -> Void

    init(_ plan: DownloadPlan, clock: DownloadClock, report: @escaping @Sendable (DownloadProgress) -> Void) {
        let files = plan.files.map {
            DownloadProgress.File(
                name: $0.name,
                received: 0,
                total: $0.size,
                bytesPerSecond: 0,
                isDone: false
            )
        }
        let progress = DownloadProgress(id: plan.id, stage: .discovery, files: files, bytesPerSecond: 0)
        state = Mutex(State(progress: progress, rates: files.map { _ in RateWindow() }))
        self.clock = clock
        self.report = report
    }

    func enter(_ stage: DownloadStage) {
        change(isNews: true) { state, _ in state.progress.stage = stage }
    }

    /// What of a file is there, where that is not what just came.
    func set(_ file: Int, received: Int64, total: Int64? = nil, isDone: Bool = false) {
        change(isNews: isDone) { state, _ in
            state.progress.files[file].received = received
            if let total { state.progress.files[file].total = total }
            if isDone { state.progress.files[file].isDone = true }
        }
    }

    /// What another process has fetched: counted as what comes is, so that rate and time left are right.
    func follow(_ file: Int, received: Int64) {
        change { state, now in
            let news = received - state.progress.files[file].received
            guard news > 0 else { return }
            Self.count(news, file, now, &state)
        }
    }

    func add(_ file: Int, _ bytes: Int) {
        change { state, now in Self.count(Int64(bytes), file, now, &state) }
    }

    private static func count(_ bytes: Int64, _ file: Int, _ now: Duration, _ state: inout State) {
        state.progress.files[file].received += bytes
        state.rates[file].add(bytes, at: now)
        state.whole.add(bytes, at: now)
    }

    private func change(isNews: Bool = false, _ body: (inout State, Duration) -> Void) {
        let now = clock.elapsed()
        let news: DownloadProgress? = state.withLock { state in
            body(&state, now)
            if let told = state.told, !isNews, now - told < .milliseconds(100) { return nil }
            state.told = now
            for index in state.rates.indices {
                state.progress.files[index].bytesPerSecond = state.rates[index].rate(at: now)
            }
            state.progress.bytesPerSecond = state.whole.rate(at: now)
            return state.progress
        }
        if let news { report(news) }
    }
}
