#if Hub
package import BreezeSchemeStore

/// Asks the owner: a window, a terminal, or ``BoardQuestions``.
package protocol OwnerQuestions: Sendable {
    /// Waits for an answer. What is closed, fails or cannot be shown is ``OwnerAnswer/refuse``; so is what the calling
    /// task is cancelled for, which takes the question off the screen at once.
    func answer(to question: OwnerQuestion) async -> OwnerAnswer
}
#endif
