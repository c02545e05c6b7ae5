import BreezeCore

/// How a chat model stands among the others on a device of this size.
struct ModelStanding: Sendable {
    /// From so many bytes on a device runs a model of the 1.7B class beside everything else.
    private static let largeDevice: Int64 = 6_000_000_000
    /// Between the classes of 0.6B and 1.7B.
    private static let largeModel: Int64 = 1_000_000_000
    /// Beyond the class of 1.7B: answers that a small computer makes one wait for.
    private static let hugeModel: Int64 = 2_500_000_000

    let qualityTier: Int
    let reservation: String?

    init(qualityTier: Int = 5, reservation: String? = nil) {
        self.qualityTier = qualityTier
        self.reservation = reservation
    }

    /// A device of unknown size counts as a large one.
    init(_ model: ModelInfo, deviceMemory: Int64?) {
        guard model.capabilities.contains(.chat), let parameters = model.parameterCount else {
            self.init()
            return
        }
        guard deviceMemory ?? .max >= Self.largeDevice else {
            let isLarge = parameters >= Self.largeModel
            self.init(
                qualityTier: isLarge ? 5 : 7,
                reservation: isLarge ? "it is large for a device with less than 6 GB of memory" : nil
            )
            return
        }
        self.init(qualityTier: parameters >= Self.hugeModel ? 6 : parameters >= Self.largeModel ? 7 : 5)
    }
}
