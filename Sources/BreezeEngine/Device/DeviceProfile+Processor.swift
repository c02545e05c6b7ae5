extension DeviceProfile {
    public struct Processor: Codable, Equatable, Sendable {
        public var model: String?
        /// Hardware threads of the machine that are switched on.
        public var logicalCores: Int
        /// Those of them that are of the fast kind; `nil` where the system does not tell kinds apart.
        public var performanceCores: Int?
        /// Those that this process may be scheduled on (its affinity mask).
        public var allowedCores: Int
        /// The processor time that a control group grants, in cores; `nil` without such a quota.
        public var coreQuota: Double?
        /// Weakest first. A set counts only where the operating system lets programs use it.
        public var instructionSets: [InstructionSet]

        public init(
            model: String? = nil,
            logicalCores: Int,
            performanceCores: Int? = nil,
            allowedCores: Int? = nil,
            coreQuota: Double? = nil,
            instructionSets: [InstructionSet] = []
        ) {
            self.model = model
            self.logicalCores = logicalCores
            self.performanceCores = performanceCores
            self.allowedCores = allowedCores ?? logicalCores
            self.coreQuota = coreQuota
            self.instructionSets = instructionSets
        }

        /// How many threads can compute at once without being throttled: the allowed cores within the quota,
        /// a fraction of a core not counted, and never less than one.
        public var effectiveCores: Int {
            guard let coreQuota, coreQuota < Double(allowedCores) else { return max(1, allowedCores) }
            return max(1, Int(coreQuota))
        }

        /// The strongest instruction set; `nil` when none is known.
        public var simdLevel: InstructionSet? { instructionSets.last }
    }

    /// A vector extension that decides which kernels of a runtime can run.
    public struct InstructionSet: RawRepresentable, Codable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        public static let sse42 = Self(rawValue: "sse4.2")
        public static let avx2 = Self(rawValue: "avx2")
        /// The five parts (F, BW, CD, DQ, VL) that the x86-64-v4 level asks for together.
        public static let avx512 = Self(rawValue: "avx512")
        public static let avx512VNNI = Self(rawValue: "avx512-vnni")
        /// The tile unit with its int8 products.
        public static let amx = Self(rawValue: "amx")
        public static let neon = Self(rawValue: "neon")
        public static let dotProduct = Self(rawValue: "dotprod")
        public static let int8MatrixMultiply = Self(rawValue: "i8mm")
        public static let sve = Self(rawValue: "sve")
    }
}
