import BreezeEngine

/// A device profile for people.
enum DeviceText {
    static func lines(_ device: DeviceProfile, style: Style) -> [String] {
        let system = [device.operatingSystem.name, device.operatingSystem.version].compactMap(\.self)
        var lines = [style.bold("\(system.joined(separator: " ")), \(device.architecture)")]
        let processor = device.processor
        let simd = processor.simdLevel.map { ", up to \($0.rawValue)" } ?? ""
        let model = processor.model.map { ", \($0)" } ?? ""
        lines.append(
            "        \(Quantity.count(processor.effectiveCores, "core")) to use of "
                + "\(processor.logicalCores)\(simd)\(model)"
        )
        lines.append("        \(memory(device.memory))")
        for gpu in device.gpus {
            let own = gpu.dedicatedMemory.map { ", \(Quantity.bytes($0)) of its own" } ?? ""
            lines.append("        GPU \(gpu.name.printable)\(own)")
        }
        if case .present(let cores) = device.neuralEngine {
            lines.append("        Neural Engine\(cores.map { ", \(Quantity.count($0, "core"))" } ?? "")")
        }
        if let battery = device.battery {
            let charge = battery.percent.map { " \($0) %" } ?? ""
            lines.append("        battery\(charge), \(battery.state.rawValue)")
        }
        if let thermal = device.thermalState, thermal > .nominal {
            lines.append("        \(style.warning("warm: \(thermal.rawValue)"))")
        }
        return lines + [""]
    }

    private static func memory(_ memory: DeviceProfile.Memory) -> String {
        let available = memory.available.map(Quantity.bytes) ?? "an unknown amount"
        let total = memory.total.map { " of \(Quantity.bytes($0))" } ?? ""
        let limit = memory.limit.map { ", limited to \(Quantity.bytes($0.bytes)) by \($0.source)" } ?? ""
        return "\(available)\(total) memory available\(limit)"
    }
}
