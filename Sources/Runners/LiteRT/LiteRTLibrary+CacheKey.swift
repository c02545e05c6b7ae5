import Foundation

extension LiteRTLibrary {
    /// Tells weight caches apart that do not fit each other, for use in a file name: the release, and the
    /// processor, since kernels are chosen by its vector extensions and want the weights laid out their way.
    public var cacheKey: String { "\(version)-\(Self.processor)" }

    /// Eight hexadecimal digits of what the system says of the processor's kind: FNV-1a, which is the same in
    /// every process.
    private static let processor: String = {
        let hash = description.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }()

    private static var description: String {
        #if canImport(Darwin)
        var size = 0
        sysctlbyname("machdep.cpu.brand_string", nil, &size, nil, 0)
        var name = [UInt8](repeating: 0, count: size)
        sysctlbyname("machdep.cpu.brand_string", &name, &size, nil, 0)
        return String(decoding: name, as: UTF8.self)
        #else
        // x86 lists its extensions as "flags", ARM as "Features"; every core has the same ones.
        let text = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("flags") || $0.hasPrefix("Features") }
        return line.map(String.init) ?? ""
        #endif
    }
}
