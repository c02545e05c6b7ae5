import Foundation

/// The unit of a user's systemd.
enum SystemdUnit {
    static let name = "breeze.service"

    static func text(_ program: ServiceProgram) -> String {
        let executable = program.executable.path(percentEncoded: false)
        // `:` keeps systemd from putting variables into the words.
        let words = [":" + executable] + program.arguments
        let environment = program.environment.sorted { $0.key < $1.key }
            .map { "Environment=\(quoted("\($0)=\($1)"))\n" }.joined()
        return """
            # \(ServiceFile.marker)
            [Unit]
            Description=Breeze, the AI of this device
            # Five tries in a minute; then it stays down until somebody looks: journalctl --user -u \(name)
            StartLimitIntervalSec=60
            StartLimitBurst=5

            [Service]
            # Up is when it answers, and a hub that says nothing for a minute is started anew.
            Type=notify
            NotifyAccess=main
            WatchdogSec=60
            ExecStart=\(words.map(quoted).joined(separator: " "))
            ExecReload=kill -HUP $MAINPID
            \(environment)Restart=on-failure
            RestartSec=2
            # Wrong options do not get better.
            RestartPreventExitStatus=64
            # How it ends when it is asked to: answers that run get their three seconds, workers are ended by
            # the hub.
            SuccessExitStatus=143
            KillMode=mixed
            TimeoutStopSec=20
            UMask=0077
            \(hardening)
            [Install]
            WantedBy=default.target

            """
    }

    /// What a manager without root can apply, for the hub and for the workers that it starts.
    private static let hardening = """

        NoNewPrivileges=yes
        LockPersonality=yes
        RestrictRealtime=yes
        RestrictSUIDSGID=yes
        RestrictNamespaces=yes
        # Netlink is how names and network interfaces are looked up.
        RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
        SystemCallArchitectures=native
        SystemCallFilter=~@clock @cpu-emulation @module @mount @obsolete @raw-io @reboot @swap
        SystemCallErrorNumber=EPERM
        # Left out on purpose. MemoryDenyWriteExecute: runtimes and graphics drivers make machine code as they
        # run. ProtectClock, ProtectKernelTunables, ProtectSystem, PrivateTmp, PrivateDevices,
        # CapabilityBoundingSet and their like: a user's manager may not set them up, and the service would
        # not start, or run without them. A limit of memory: the hub keeps its own budget, of what the device
        # has.

        """

    /// A word as systemd reads it back (systemd.syntax(7), systemd.unit(5) on specifiers).
    static func quoted(_ word: String) -> String {
        var text = "\""
        for scalar in word.unicodeScalars {
            switch scalar {
            case "\"", "\\": text += "\\\(scalar)"
            case "%": text += "%%"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }
}
