import ArgumentParser
import BreezeCore
import BreezeEngine
import Foundation

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Say what is installed, what is missing, and what mends it.",
        discussion: """
            Findings are no failure: the exit code is 0 with and without them.

            Examples:
              breeze doctor
              breeze doctor --json
            """
    )

    @OptionGroup var options: EngineOptions

    private struct Report: Encodable {
        let version = BreezeVersion.current
        let device: DeviceProfile
        let checks: [HealthCheck]
    }

    func run() async throws {
        let examination = Examination(
            environment: ProcessInfo.processInfo.environment,
            flags: options.settings
        )
        let device = HardwareDetectors.forThisDevice().detectCapabilities()
        let report = Report(device: device, checks: examination.checks())
        if options.json { return try JSONText.print(report) }
        let style = Style.output
        for line in DeviceText.lines(device, style: style) { try Console.print(line) }
        for check in report.checks {
            for line in check.lines(style) { try Console.print(line) }
        }
        let findings = report.checks.filter { $0.status != .ok }.count
        try Console.print(
            findings == 0
                ? style.good("\nEverything is in place.")
                : style.warning(
                    "\n\(Quantity.count(findings, "finding")); each line above says what mends it."
                )
        )
    }
}
