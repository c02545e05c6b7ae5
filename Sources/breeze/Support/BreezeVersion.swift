/// What this build is.
enum BreezeVersion {
    static let current = "0.1.0"

    #if os(Linux)
    static let system = "linux"
    #elseif os(macOS)
    static let system = "macos"
    #else
    static let system = "other"
    #endif

    #if arch(x86_64)
    static let architecture = "x86_64"
    #elseif arch(arm64)
    static let architecture = "arm64"
    #else
    static let architecture = "other"
    #endif
}
