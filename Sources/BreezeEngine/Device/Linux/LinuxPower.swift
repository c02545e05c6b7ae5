/// Battery, temperature and power mode of a Linux machine.
struct LinuxPower: Sendable {
    let files: LinuxFiles

    func battery() -> DeviceProfile.Battery? {
        let supplies = files.entries("/sys/class/power_supply").map { "/sys/class/power_supply/" + $0 }
        // The scope "Device" is that of mice and headsets: their charge is not this machine's.
        let batteries = supplies.filter {
            files.value($0 + "/type") == "Battery" && files.value($0 + "/scope") != "Device"
                && files.integer($0 + "/present") != 0
        }
        guard !batteries.isEmpty else { return nil }
        let states = batteries.map { state(files.value($0 + "/status")) }
        let charges = batteries.compactMap { files.integer($0 + "/capacity") }.filter { 0...100 ~= $0 }
        return DeviceProfile.Battery(
            state: Self.combined(states),
            percent: weightedPercent(of: batteries)
                ?? (charges.isEmpty ? nil : Int(charges.reduce(0, +)) / charges.count)
        )
    }

    /// Several batteries can differ in size; `nil` where one of them does not tell its size, or there is one
    /// only.
    private func weightedPercent(of batteries: [String]) -> Int? {
        guard batteries.count > 1 else { return nil }
        for unit in ["energy", "charge"] {
            let now = batteries.compactMap { files.integer("\($0)/\(unit)_now") }.filter { $0 >= 0 }
            let full = batteries.compactMap { files.integer("\($0)/\(unit)_full") }.filter { $0 > 0 }
            guard now.count == batteries.count, full.count == batteries.count else { continue }
            let share = now.map(Double.init).reduce(0, +) / full.map(Double.init).reduce(0, +)
            return Int((min(share, 1) * 100).rounded())
        }
        return nil
    }

    private func state(_ status: String?) -> DeviceProfile.Battery.State {
        switch status {
        case "Charging": .charging
        case "Discharging": .discharging
        case "Full": .full
        case "Not charging": .notCharging
        default: .unknown
        }
    }

    /// One that moves says what happens to the device: a laptop drains its batteries one after the other.
    private static func combined(_ states: [DeviceProfile.Battery.State]) -> DeviceProfile.Battery.State {
        [.discharging, .charging, .notCharging, .unknown].first { states.contains($0) } ?? .full
    }

    /// The hottest zone, measured by its own trip points; `nil` where no zone has both.
    func thermalState() -> DeviceProfile.ThermalState? {
        files.entries("/sys/class/thermal")
            .filter { $0.hasPrefix("thermal_zone") }
            .compactMap { state(ofZone: "/sys/class/thermal/" + $0) }
            .max()
    }

    private func state(ofZone zone: String) -> DeviceProfile.ThermalState? {
        guard files.value(zone + "/mode") != "disabled", let temperature = files.integer(zone + "/temp")
        else {
            return nil
        }
        let points = files.entries(zone).filter { $0.hasPrefix("trip_point_") && $0.hasSuffix("_type") }
        let states = points.compactMap { point -> DeviceProfile.ThermalState? in
            // Firmware marks a trip point that is not in use with zero or a temperature below freezing.
            guard let trip = files.integer("\(zone)/\(point.dropLast(5))_temp"), trip > 0 else { return nil }
            let meaning: DeviceProfile.ThermalState
            switch files.value("\(zone)/\(point)") {
            case "active": meaning = .fair
            case "passive": meaning = .serious
            case "hot", "critical": meaning = .critical
            default: return nil
            }
            return temperature >= trip ? meaning : .nominal
        }
        return states.max()
    }

    /// From the firmware's platform profile, which the desktop's power setting drives.
    func isLowPowerModeEnabled() -> Bool? {
        files.value("/sys/firmware/acpi/platform_profile").map { $0 == "low-power" }
    }
}
