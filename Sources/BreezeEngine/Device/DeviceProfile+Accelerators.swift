extension DeviceProfile {
    /// A graphics processor that the system has a driver for. Whether a runtime can use it is the runner's to
    /// say.
    public struct GPU: Codable, Equatable, Sendable {
        /// The driver's own name for it, or one made of its vendor and device ids.
        public var name: String
        /// PCI ids; `nil` for the GPUs of systems on a chip.
        public var vendorID: UInt16?
        public var deviceID: UInt16?
        /// Such as `0000:65:00.0`; `nil` where it is not on such a bus.
        public var pciAddress: String?
        public var driver: String?
        /// The device file for rendering and computing, such as `/dev/dri/renderD128`; without one the driver
        /// only shows pictures, or has an interface of its own.
        public var renderNode: String?
        /// Bytes of its own memory; `nil` where it shares the processor's or the driver does not tell.
        public var dedicatedMemory: Int64?

        public init(
            name: String,
            vendorID: UInt16? = nil,
            deviceID: UInt16? = nil,
            pciAddress: String? = nil,
            driver: String? = nil,
            renderNode: String? = nil,
            dedicatedMemory: Int64? = nil
        ) {
            self.name = name
            self.vendorID = vendorID
            self.deviceID = deviceID
            self.pciAddress = pciAddress
            self.driver = driver
            self.renderNode = renderNode
            self.dedicatedMemory = dedicatedMemory
        }
    }

    /// Whether programs can reach Apple's Neural Engine here: asked of the system, never concluded from the
    /// model of the device. In JSON `{"state": "absent", "reason": "…"}`.
    public enum NeuralEngine: Equatable, Sendable {
        /// The number of cores where the system tells it.
        case present(cores: Int?)
        case absent(reason: String)
        case unknown(reason: String)
    }
}

extension DeviceProfile.NeuralEngine: Codable {
    private enum State: String, Codable {
        case present, absent, unknown
    }

    private enum CodingKeys: CodingKey {
        case state, cores, reason
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let reason = try container.decodeIfPresent(String.self, forKey: .reason) ?? ""
        switch try container.decode(State.self, forKey: .state) {
        case .present: self = .present(cores: try container.decodeIfPresent(Int.self, forKey: .cores))
        case .absent: self = .absent(reason: reason)
        case .unknown: self = .unknown(reason: reason)
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .present(let cores):
            try container.encode(State.present, forKey: .state)
            try container.encodeIfPresent(cores, forKey: .cores)
        case .absent(let reason):
            try container.encode(State.absent, forKey: .state)
            try container.encode(reason, forKey: .reason)
        case .unknown(let reason):
            try container.encode(State.unknown, forKey: .state)
            try container.encode(reason, forKey: .reason)
        }
    }
}
