extension DeviceProfile {
    /// The architecture that this program was compiled for as Swift spells it, so the same on every system.
    static var programArchitecture: String {
        #if arch(x86_64)
        "x86_64"
        #elseif arch(arm64)
        "arm64"
        #elseif arch(arm)
        "arm"
        #elseif arch(i386)
        "i386"
        #elseif arch(riscv64)
        "riscv64"
        #else
        "unknown"
        #endif
    }
}
