import Foundation

/// How many children may run at once. Without a limit all the cases of all the tables would start theirs at the
/// same moment, and each would get too little of a processor to be done by its deadline.
package actor ChildPlaces {
    private static let all = ChildPlaces(max(2, ProcessInfo.processInfo.activeProcessorCount))
    /// A child that is run while another one is watched shares its place: two tests that each held one and waited
    /// for a second would wait forever.
    @TaskLocal private static var holdsOne = false

    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    private init(_ count: Int) {
        free = count
    }

    /// Whatever children `body` runs take one place together: these may run at the same time.
    package static func withOne<Result: Sendable>(
        _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        if holdsOne { return try await body() }
        await all.take()
        do {
            let result = try await $holdsOne.withValue(true) { try await body() }
            await all.giveBack()
            return result
        } catch {
            await all.giveBack()
            throw error
        }
    }

    private func take() async {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    private func giveBack() {
        if waiting.isEmpty {
            free += 1
        } else {
            waiting.removeFirst().resume()
        }
    }
}
