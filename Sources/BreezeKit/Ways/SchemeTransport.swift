public import BreezeCore
public import Foundation

/// Asks the hub by opening its URL scheme, and gets the answer through the app's own: the one way on systems
/// that keep no hub in the background.
public protocol SchemeTransport: Sendable {
    /// What is known of the hub without opening anything.
    func look() async -> HubFinding

    /// Cancelling the task gives the answer up.
    /// - Throws: ``NothingSent`` where nothing was opened, so that the fallback may answer.
    func run(_ request: InferenceRequest) async throws -> InferenceResult

    /// Takes a URL that the system handed to the app. Does not wait.
    /// - Returns: Whether it is an answer of the hub; one that is not stays the app's own.
    func handle(_ url: URL) -> Bool
}
