/// Whether a model can run on a device.
public enum ModelFit: Hashable, Sendable {
    case fits
    /// When what is loaded now makes room.
    case fitsIfOthersLeave
    /// Bytes that it needs, and that the device has for models at most.
    case doesNotFit(needs: Int64, has: Int64)
    /// Nobody knows how much it needs.
    case unknown

    /// - Parameters:
    ///   - needed: the model's memory in bytes.
    ///   - free: bytes that nothing uses now.
    ///   - budget: bytes that models may take in all.
    public init(needed: Int64?, free: Int64, budget: Int64) {
        guard let needed else {
            self = .unknown
            return
        }
        if needed > budget {
            self = .doesNotFit(needs: needed, has: budget)
        } else {
            self = needed <= free ? .fits : .fitsIfOthersLeave
        }
    }

    public var canRun: Bool {
        if case .doesNotFit = self { false } else { true }
    }
}
