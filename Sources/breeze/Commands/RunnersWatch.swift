import BreezeCore
import BreezeEngine
import Foundation

/// `breeze runners --watch`: shows the runners until somebody has seen enough.
struct RunnersWatch: Sendable {
    /// A runner as the watch tells of it.
    private struct Row: Encodable, Equatable {
        let id: String
        let state: String
        /// Why it is unavailable.
        let reason: String?
        let running: Int
        let waiting: Int
        let isPinned: Bool
        let isMock: Bool
        let memoryEstimate: Int64?
    }

    private struct Change: Encodable {
        var runner: Row?
        var removed: String?
    }

    /// Long enough to cost nothing, short enough to seem at once.
    private static let pause = Duration.seconds(1)

    private let composition: Composition
    private let id: String?
    private let json: Bool

    init(_ composition: Composition, id: String?, json: Bool) {
        self.composition = composition
        self.id = id
        self.json = json
    }

    /// Ends well with Ctrl-C, which is how one leaves it.
    func run() async throws {
        let work = Task { try await self.watch() }
        Signals.shared.onInterrupt { work.cancel() }
        defer { Signals.shared.onInterrupt(nil) }
        do {
            try await withTaskCancellationHandler {
                try await work.value
            } onCancel: {
                work.cancel()
            }
        } catch is CancellationError {
            try Task.checkCancellation()
        }
    }

    private func watch() async throws {
        if let id { _ = try RunnersCommand.find(id, in: await composition.engine.runners()) }
        var shown: [Row]?
        let table = json || !Console.isOutputTerminal ? nil : try LiveText()
        defer { table?.end() }
        while true {
            let rows = try await rows()
            if rows != shown {
                if let table {
                    try table.show(Self.lines(rows))
                } else {
                    try Self.tell(rows, since: shown ?? [])
                }
                shown = rows
            }
            try await Task.sleep(for: Self.pause)
            try await composition.refresh()
        }
    }

    private func rows() async throws -> [Row] {
        let pinned = Set(try composition.settings.current().pins)
        return await composition.engine.runners().filter { id == nil || $0.id == id }.map { runner in
            var reason: String?
            if case .unavailable(let why, _) = runner.availability { reason = why }
            return Row(
                id: runner.id,
                state: reason != nil ? "unavailable" : runner.isLoaded ? "loaded" : "ready",
                reason: reason,
                running: runner.running,
                waiting: runner.waiting,
                isPinned: !pinned.isDisjoint(with: runner.names),
                isMock: runner.isMock,
                memoryEstimate: runner.memoryEstimate
            )
        }
    }

    private static func lines(_ rows: [Row]) -> [String] {
        var table = Table("RUNNER", "STATE", "RUNNING", "WAITING", "MEMORY", "")
        for row in rows {
            table.add(
                row.id,
                row.state,
                row.running == 0 ? "-" : "\(row.running)",
                row.waiting == 0 ? "-" : "\(row.waiting)",
                row.memoryEstimate.map(Quantity.bytes) ?? "-",
                row.isPinned ? "pinned" : row.isMock ? "mock" : ""
            )
        }
        return table.lines
    }

    private static func tell(_ rows: [Row], since shown: [Row]) throws {
        for row in rows where !shown.contains(row) { try Console.print(JSONText.line(Change(runner: row))) }
        for row in shown where !rows.contains(where: { $0.id == row.id }) {
            try Console.print(JSONText.line(Change(removed: row.id)))
        }
    }
}
