/// The figures of an engine at one moment. Counters and histograms count from the engine's making on.
public struct EngineMetrics: Codable, Hashable, Sendable {
    public var families: [Family]

    /// All samples of one name, which differ in their labels.
    public struct Family: Codable, Hashable, Sendable {
        public enum Kind: String, Codable, Sendable {
            /// Only grows.
            case counter
            case gauge
            case histogram
        }

        /// As Prometheus writes it, unit and `_total` included.
        public var name: String
        /// A sentence for a person.
        public var help: String
        public var kind: Kind
        public var samples: [Sample]
    }

    public struct Sample: Codable, Hashable, Sendable {
        public var labels: [String: String]
        /// `nil` for a histogram.
        public var value: Double?
        /// `nil` for the other kinds.
        public var distribution: Distribution?
    }

    public struct Distribution: Codable, Hashable, Sendable {
        public struct Bucket: Codable, Hashable, Sendable {
            public var upTo: Double
            /// Observations that are no larger, those of the buckets below included.
            public var count: Int
        }

        public var buckets: [Bucket]
        /// All observations, those beyond the last bucket included.
        public var count: Int
        public var sum: Double
    }

    public subscript(name: String) -> Family? { families.first { $0.name == name } }
}

extension EngineMetrics.Family {
    /// A gauge of one sample, for what stands on the engine.
    package init(gauge name: String, help: String, _ value: Double) {
        self.init(
            name: name,
            help: help,
            kind: .gauge,
            samples: [EngineMetrics.Sample(labels: [:], value: value, distribution: nil)]
        )
    }

    /// The value with these labels and no others; `nil` where there is none.
    public func value(_ labels: [String: String] = [:]) -> Double? {
        samples.first { $0.labels == labels }?.value
    }
}
