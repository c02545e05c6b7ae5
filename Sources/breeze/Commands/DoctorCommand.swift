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

    /// What the engine itself tells. Where the settings or the models cannot be read, another check says so.
    private func engineChecks() async -> [HealthCheck] {
        guard let composition = try? await Composition(options),
            let settings = try? composition.settings.current()
        else { return [] }
        return await [guardian(of: composition.engine)].compactMap(\.self)
            + strayNames(in: settings, of: composition)
    }

    private func guardian(of engine: Engine) async -> HealthCheck? {
        guard let guarding = try? await engine.guarding() else { return nil }
        return HealthCheck(
            name: "guardian",
            kind: .system,
            status: guarding.reason == nil ? .ok : .broken,
            enables: "checking requests, answers and tools' results",
            remedy: guarding.reason == nil ? nil : "breeze config show guardian",
            detail: guarding.summary
        )
    }

    /// Settings that name what is not there.
    private func strayNames(in settings: EngineSettings, of composition: Composition) async -> [HealthCheck] {
        composition.engine.strayNames(in: settings).map { note in
            HealthCheck(
                name: "settings",
                kind: .settings,
                status: .broken,
                path: composition.settings.file.path,
                enables: "a preference",
                remedy: "breeze config set, or breeze config unset",
                detail: note
            )
        }
    }

    func run() async throws {
        let examination = Examination(
            environment: ProcessInfo.processInfo.environment,
            flags: options.settings
        )
        let device = HardwareDetectors.forThisDevice().detectCapabilities()
        let checks = await examination.checks() + [examination.secretStore()] + engineChecks()
        let report = Report(device: device, checks: checks)
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
