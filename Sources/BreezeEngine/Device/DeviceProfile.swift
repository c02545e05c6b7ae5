/// What one device has, and the state it was in when a ``HardwareDetector`` looked. An optional that is `nil`
/// means that the device has no such thing or does not tell; nothing here is guessed.
public struct DeviceProfile: Codable, Equatable, Sendable {
    public var operatingSystem: OperatingSystem
    /// The architecture that this program runs as, such as `x86_64` or `arm64`; under translation (Rosetta)
    /// the translated one, since that decides which runtimes can be loaded.
    public var architecture: String
    public var processor: Processor
    public var memory: Memory
    public var gpus: [GPU]
    public var neuralEngine: NeuralEngine
    public var battery: Battery?
    public var thermalState: ThermalState?
    /// Whether the user asked the system to save power; `nil` where the system has no such mode.
    public var isLowPowerModeEnabled: Bool?

    public init(
        operatingSystem: OperatingSystem,
        architecture: String,
        processor: Processor,
        memory: Memory,
        gpus: [GPU] = [],
        neuralEngine: NeuralEngine = .unknown(reason: "nobody asked for it"),
        battery: Battery? = nil,
        thermalState: ThermalState? = nil,
        isLowPowerModeEnabled: Bool? = nil
    ) {
        self.operatingSystem = operatingSystem
        self.architecture = architecture
        self.processor = processor
        self.memory = memory
        self.gpus = gpus
        self.neuralEngine = neuralEngine
        self.battery = battery
        self.thermalState = thermalState
        self.isLowPowerModeEnabled = isLowPowerModeEnabled
    }
}

extension DeviceProfile {
    public struct OperatingSystem: Codable, Equatable, Sendable {
        /// `Debian GNU/Linux`, `macOS`.
        public var name: String
        /// `nil` for rolling releases, which have none.
        public var version: String?
        public var kernelVersion: String?

        public init(name: String, version: String? = nil, kernelVersion: String? = nil) {
            self.name = name
            self.version = version
            self.kernelVersion = kernelVersion
        }
    }

    public struct Memory: Codable, Equatable, Sendable {
        /// Bytes of the machine, less what its kernel keeps for itself; `nil` when the system does not tell.
        public var total: Int64?
        /// Bytes that this process could take now without swapping or passing ``limit``: what is free and
        /// what the system would give back on demand. It says nothing of what the process holds already.
        public var available: Int64?
        /// The strictest limit below ``total`` that this process lives under.
        public var limit: Limit?

        public init(total: Int64?, available: Int64?, limit: Limit? = nil) {
            self.total = total
            self.available = available
            self.limit = limit
        }

        public struct Limit: Codable, Equatable, Sendable {
            public var bytes: Int64
            /// What set it: the path of the control group's file, or the system's name for the rule.
            public var source: String

            public init(bytes: Int64, source: String) {
                self.bytes = bytes
                self.source = source
            }
        }
    }

    /// As Apple names them; elsewhere derived from the trip points of the thermal zones.
    public enum ThermalState: String, Codable, Comparable, Sendable {
        case nominal
        /// Cooling has begun.
        case fair
        /// The processor is slowed down to cool it.
        case serious
        /// The system is about to protect itself by shutting down.
        case critical

        private var rank: Int {
            switch self {
            case .nominal: 0
            case .fair: 1
            case .serious: 2
            case .critical: 3
            }
        }

        public static func < (left: Self, right: Self) -> Bool {
            left.rank < right.rank
        }
    }

    /// All batteries that power the device, taken together.
    public struct Battery: Codable, Equatable, Sendable {
        public enum State: String, Codable, Sendable {
            case charging, discharging, full
            /// On external power, and held at its charge.
            case notCharging
            case unknown
        }

        public var state: State
        /// 0 to 100.
        public var percent: Int?

        public init(state: State, percent: Int?) {
            self.state = state
            self.percent = percent
        }
    }
}
