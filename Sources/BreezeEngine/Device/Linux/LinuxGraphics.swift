/// The GPUs that a Linux kernel has a driver for: those of the direct rendering manager, and NVIDIA's, whose
/// driver works without it on servers.
struct LinuxGraphics: Sendable {
    let files: LinuxFiles

    func read() -> [DeviceProfile.GPU] {
        var gpus: [DeviceProfile.GPU] = []
        let nodes = files.entries("/sys/class/drm")
        // Render nodes stand last in the order of names, so that each finds its card.
        for node in nodes {
            guard let gpu = describe(node) else { continue }
            if let known = gpus.firstIndex(where: { isSameDevice($0, gpu) }) {
                gpus[known].renderNode = gpus[known].renderNode ?? gpu.renderNode
            } else {
                gpus.append(gpu)
            }
        }
        // On a chip the display controller is a device of its own, which renders nothing.
        gpus.removeAll { $0.vendorID == nil && $0.renderNode == nil }
        for address in files.entries("/proc/driver/nvidia/gpus") {
            addNVIDIA(address, to: &gpus)
        }
        return gpus
    }

    /// `nil` for what is no GPU: connectors, and virtual drivers made for tests, which have no device behind them.
    private func describe(_ node: String) -> DeviceProfile.GPU? {
        let isRenderNode = Self.isNumbered(node, after: "renderD")
        guard isRenderNode || Self.isNumbered(node, after: "card") else { return nil }
        let device = "/sys/class/drm/\(node)/device"
        let event = files.text(device + "/uevent") ?? ""
        let vendor = hexadecimal(device + "/vendor")
        let model = hexadecimal(device + "/device")
        let driver = LinuxFiles.field("DRIVER", in: event).map(String.init)
        guard vendor != nil || driver != nil, driver != "faux_driver" else { return nil }
        return DeviceProfile.GPU(
            name: Self.name(vendor: vendor, device: model, driver: driver),
            vendorID: vendor,
            deviceID: model,
            pciAddress: LinuxFiles.field("PCI_SLOT_NAME", in: event).map(String.init),
            driver: driver,
            renderNode: isRenderNode ? "/dev/dri/" + node : nil,
            dedicatedMemory: files.integer(device + "/mem_info_vram_total").flatMap { $0 > 0 ? $0 : nil }
        )
    }

    private func addNVIDIA(_ address: String, to gpus: inout [DeviceProfile.GPU]) {
        let text = files.text("/proc/driver/nvidia/gpus/\(address)/information") ?? ""
        let model = LinuxFiles.field("Model", in: text).map(String.init)
        if let known = gpus.firstIndex(where: { $0.pciAddress?.lowercased() == address.lowercased() }) {
            gpus[known].name = model ?? gpus[known].name
            return
        }
        let bus = "/sys/bus/pci/devices/\(address)"
        gpus.append(
            DeviceProfile.GPU(
                name: model ?? "NVIDIA GPU",
                vendorID: hexadecimal(bus + "/vendor") ?? 0x10de,
                deviceID: hexadecimal(bus + "/device"),
                pciAddress: address,
                driver: "nvidia"
            )
        )
    }

    private func isSameDevice(_ left: DeviceProfile.GPU, _ right: DeviceProfile.GPU) -> Bool {
        // A card and its render node differ in the node alone. GPUs without a bus address are parts of a
        // chip, which has one of each driver.
        left.pciAddress == right.pciAddress && left.driver == right.driver
    }

    private func hexadecimal(_ path: String) -> UInt16? {
        files.value(path).flatMap { UInt16($0.hasPrefix("0x") ? $0.dropFirst(2) : $0[...], radix: 16) }
    }

    /// `card0` and `renderD128`, but not the connectors of a card such as `card0-HDMI-A-1`.
    private static func isNumbered(_ node: String, after prefix: String) -> Bool {
        node.hasPrefix(prefix) && Int(node.dropFirst(prefix.count)) != nil
    }

    private static func name(vendor: UInt16?, device: UInt16?, driver: String?) -> String {
        // Ids from the PCI ID repository, the vendors whose hardware computes or is common in virtual
        // machines.
        let vendors: [UInt16: String] = [
            0x1002: "AMD", 0x10de: "NVIDIA", 0x8086: "Intel", 0x106b: "Apple", 0x1af4: "virtio",
            0x15ad: "VMware", 0x1a03: "ASPEED",
        ]
        guard let vendor else { return "\(driver ?? "unknown") GPU" }
        let maker = vendors[vendor] ?? "vendor 0x" + String(vendor, radix: 16)
        return "\(maker) GPU" + (device.map { " 0x" + String($0, radix: 16) } ?? "")
    }
}
