import BreezeCore

extension BreezeError {
    /// Any error as the one public type.
    static func wrapping(_ error: any Error) -> BreezeError {
        switch error {
        case let error as BreezeError: error
        case is CancellationError:
            BreezeError(
                .cancelled,
                "The request was cancelled.",
                remedy: "Send it again where the answer is still wanted.",
                underlying: error
            )
        default: ofRunner(error)
        }
    }

    /// What a runner threw of its own accord. An error of another type may hold anything, a prompt too: it
    /// stays in ``underlying``.
    static func ofRunner(_ error: any Error) -> BreezeError {
        error as? BreezeError
            ?? BreezeError(
                .runFailed,
                "The runner failed with an unforeseen error (\(type(of: error))).",
                remedy: "Try again; breeze doctor shows what is wrong on this device.",
                underlying: error
            )
    }

    /// Whether another runner might do better: not where the request itself is at fault, or is wanted no
    /// more.
    var isRunnersOwn: Bool {
        let callers: Set<Code> = [
            .invalidRequest, .invalidParameter, .cancelled, .timeout, .guardianBlocked,
        ]
        return !callers.contains(code)
    }
}
