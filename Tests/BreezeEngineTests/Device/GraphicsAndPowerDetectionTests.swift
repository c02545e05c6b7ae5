import BreezeEngine
import Testing

@Suite struct `graphics of a Linux device` {
    @Test func `two cards, the server's second one known to its own driver too`() throws {
        let tree = try DeviceTree(
            DeviceTree.machine,
            [
                "sys/class/drm/card0/device/vendor": "0x1002\n",
                "sys/class/drm/card0/device/device": "0x744c\n",
                "sys/class/drm/card0/device/uevent": "DRIVER=amdgpu\nPCI_SLOT_NAME=0000:03:00.0\n",
                "sys/class/drm/card0/device/mem_info_vram_total": "25753026560\n",
                "sys/class/drm/card0-HDMI-A-1/status": "connected\n",
                "sys/class/drm/card1/device/vendor": "0x10de\n",
                "sys/class/drm/card1/device/device": "0x2330\n",
                "sys/class/drm/card1/device/uevent": "DRIVER=nvidia\nPCI_SLOT_NAME=0000:62:00.0\n",
                "sys/class/drm/renderD128/device/vendor": "0x1002\n",
                "sys/class/drm/renderD128/device/uevent": "DRIVER=amdgpu\nPCI_SLOT_NAME=0000:03:00.0\n",
                "sys/class/drm/version": "drm 1.1.0 20060810\n",
                "proc/driver/nvidia/gpus/0000:62:00.0/information":
                    "Model: \t\t NVIDIA H100 80GB HBM3\nIRQ:   \t\t 10\nBus Location: \t 0000:62:00.0\n",
            ]
        )
        let amd = DeviceProfile.GPU(
            name: "AMD GPU 0x744c",
            vendorID: 0x1002,
            deviceID: 0x744c,
            pciAddress: "0000:03:00.0",
            driver: "amdgpu",
            renderNode: "/dev/dri/renderD128",
            dedicatedMemory: 25_753_026_560
        )
        let nvidia = DeviceProfile.GPU(
            name: "NVIDIA H100 80GB HBM3",
            vendorID: 0x10de,
            deviceID: 0x2330,
            pciAddress: "0000:62:00.0",
            driver: "nvidia"
        )
        #expect(tree.profile.gpus == [amd, nvidia])
    }

    @Test func `NVIDIA without the rendering manager`() throws {
        let tree = try DeviceTree([
            "proc/driver/nvidia/gpus/0000:01:00.0/information": "Model: \t\t NVIDIA H200\n",
            "sys/bus/pci/devices/0000:01:00.0/vendor": "0x10de\n",
            "sys/bus/pci/devices/0000:01:00.0/device": "0x2335\n",
        ])
        #expect(
            tree.profile.gpus == [
                .init(
                    name: "NVIDIA H200",
                    vendorID: 0x10de,
                    deviceID: 0x2335,
                    pciAddress: "0000:01:00.0",
                    driver: "nvidia"
                )
            ]
        )
    }

    @Test func `on a chip the part that renders counts and the display controller does not`() throws {
        let tree = try DeviceTree([
            "sys/class/drm/card0/device/uevent": "DRIVER=v3d\n",
            "sys/class/drm/renderD128/device/uevent": "DRIVER=v3d\n",
            "sys/class/drm/card1/device/uevent": "DRIVER=vc4-drm\n",
            "sys/class/drm/card2/device/uevent": "DRIVER=faux_driver\n",
        ])
        #expect(
            tree.profile.gpus == [.init(name: "v3d GPU", driver: "v3d", renderNode: "/dev/dri/renderD128")]
        )
    }

    @Test func `a machine without a card has none`() throws {
        #expect(try DeviceTree(DeviceTree.machine).profile.gpus.isEmpty)
    }
}

@Suite struct `power of a Linux device` {
    @Test func `a desktop has no battery, and no state that nobody measures`() throws {
        let profile = try DeviceTree(DeviceTree.machine, ["sys/class/power_supply/AC/type": "Mains\n"])
            .profile
        #expect(profile.battery == nil)
        #expect(profile.thermalState == nil)
        #expect(profile.isLowPowerModeEnabled == nil)
    }

    @Test func `a laptop that runs from its battery, with a mouse beside it`() throws {
        let profile = try DeviceTree(
            DeviceTree.machine,
            [
                "sys/class/power_supply/BAT0/type": "Battery\n",
                "sys/class/power_supply/BAT0/present": "1\n",
                "sys/class/power_supply/BAT0/status": "Discharging\n",
                "sys/class/power_supply/BAT0/capacity": "41\n",
                "sys/class/power_supply/hidpp_battery_0/type": "Battery\n",
                "sys/class/power_supply/hidpp_battery_0/scope": "Device\n",
                "sys/class/power_supply/hidpp_battery_0/status": "Charging\n",
                "sys/class/power_supply/hidpp_battery_0/capacity": "90\n",
                "sys/firmware/acpi/platform_profile": "low-power\n",
            ]
        ).profile
        #expect(profile.battery == .init(state: .discharging, percent: 41))
        #expect(profile.isLowPowerModeEnabled == true)
    }

    @Test func `two batteries weigh by their size`() throws {
        let profile = try DeviceTree([
            "sys/class/power_supply/BAT0/type": "Battery\n",
            "sys/class/power_supply/BAT0/status": "Not charging\n",
            "sys/class/power_supply/BAT0/capacity": "100\n",
            "sys/class/power_supply/BAT0/energy_now": "20000000\n",
            "sys/class/power_supply/BAT0/energy_full": "20000000\n",
            "sys/class/power_supply/BAT1/type": "Battery\n",
            "sys/class/power_supply/BAT1/status": "Charging\n",
            "sys/class/power_supply/BAT1/capacity": "10\n",
            "sys/class/power_supply/BAT1/energy_now": "6000000\n",
            "sys/class/power_supply/BAT1/energy_full": "60000000\n",
        ]).profile
        // (20 + 6) Wh of (20 + 60) Wh are 32.5 %, rounded up from the half.
        #expect(profile.battery == .init(state: .charging, percent: 33))
    }

    @Test(
        arguments: [
            ("Full", "100", .full, 100),
            ("Unknown", "100", .unknown, 100),
            ("Sleeping", "101", .unknown, nil),
            ("Charging", "-1", .charging, nil),
            ("", "", .unknown, nil),
        ] as [(String, String, DeviceProfile.Battery.State, Int?)]
    )
    func `battery states`(status: String, charge: String, state: DeviceProfile.Battery.State, percent: Int?)
        throws
    {
        let profile = try DeviceTree([
            "sys/class/power_supply/BAT0/type": "Battery\n",
            "sys/class/power_supply/BAT0/status": status + "\n",
            "sys/class/power_supply/BAT0/capacity": charge + "\n",
        ]).profile
        #expect(profile.battery == .init(state: state, percent: percent))
    }

    @Test(
        arguments: [
            ("45000", .nominal), ("60000", .fair), ("95000", .serious), ("105000", .critical), ("warm", nil),
        ] as [(String, DeviceProfile.ThermalState?)]
    )
    func `the hottest zone against its trip points`(temperature: String, state: DeviceProfile.ThermalState?)
        throws
    {
        let profile = try DeviceTree([
            "sys/class/thermal/thermal_zone0/temp": temperature,
            "sys/class/thermal/thermal_zone0/trip_point_0_type": "critical\n",
            "sys/class/thermal/thermal_zone0/trip_point_0_temp": "105000\n",
            "sys/class/thermal/thermal_zone0/trip_point_1_type": "passive\n",
            "sys/class/thermal/thermal_zone0/trip_point_1_temp": "95000\n",
            "sys/class/thermal/thermal_zone0/trip_point_2_type": "active\n",
            "sys/class/thermal/thermal_zone0/trip_point_2_temp": "60000\n",
            // Not in use: neither the point nor the zone after it counts.
            "sys/class/thermal/thermal_zone0/trip_point_3_type": "critical\n",
            "sys/class/thermal/thermal_zone0/trip_point_3_temp": "-274000\n",
            "sys/class/thermal/thermal_zone1/mode": "disabled\n",
            "sys/class/thermal/thermal_zone1/temp": "99000\n",
            "sys/class/thermal/thermal_zone1/trip_point_0_type": "critical\n",
            "sys/class/thermal/thermal_zone1/trip_point_0_temp": "90000\n",
            "sys/class/thermal/cooling_device0/type": "Processor\n",
        ]).profile
        #expect(profile.thermalState == state)
    }
}
