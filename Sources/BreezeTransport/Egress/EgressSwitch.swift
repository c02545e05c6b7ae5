import BreezeCore

/// The owner's word on whether anything may leave the device, asked before each hop and again and again while one
/// is under way.
public struct EgressSwitch: Sendable {
    private let isForbidden: @Sendable () throws -> Bool
    private let interval: Duration
    private let clock: any Clock<Duration>

    /// Forbids nothing.
    public static let alwaysAllowed = EgressSwitch { false }

    /// What runs ends within `interval` of the switching. `isForbidden` must cost little: it is asked that often for
    /// each connection; where it throws, nothing leaves.
    public init(
        askedEvery interval: Duration = .milliseconds(250),
        clock: any Clock<Duration> = ContinuousClock(),
        isForbidden: @escaping @Sendable () throws -> Bool
    ) {
        self.isForbidden = isForbidden
        self.interval = interval
        self.clock = clock
    }

    /// - Throws: ``BreezeError`` `.egressForbidden`.
    public func check() throws {
        let forbids: Bool
        do { forbids = try isForbidden() } catch {
            let known = error as? BreezeError
            throw BreezeError(
                .egressForbidden,
                "Nothing leaves this device, since nobody can tell whether it may: "
                    + (known?.message ?? "its settings cannot be read."),
                remedy: known?.remedy,
                underlying: error
            )
        }
        if forbids { throw TransportFault.forbidden }
    }

    /// - Throws: ``BreezeError`` `.egressForbidden` as soon as it is; `CancellationError`.
    package func untilForbidden() async throws -> Never {
        while true {
            try await clock.sleep(for: interval)
            try check()
        }
    }
}
