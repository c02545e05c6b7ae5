import BreezeCore
import BreezeEncoderRunner
import BreezeEngine
import BreezeGuardianRunner
import BreezeLiteRT
import BreezeMockRunners
import BreezeModels
import BreezeOnnxRuntime
import Foundation

/// Every runner that this program can offer on this device. The one list of concrete runners.
struct InstalledRunners: Sendable {
    let models: ModelStore
    let settings: SettingsStore
    let environment: [String: String]

    func all() throws -> [any Runner] {
        let factories = factories
        let precision = try settings.current().encoderPrecision
        let load = LoadSettings(precision.map { ["precision": .string($0)] } ?? [:])
        let listing = try models.list()
        let bound = try listing.models.map(\.info).flatMap { model in
            try factories.filter { $0.canMakeRunner(for: model) }
                .map { try $0.makeRunner(for: model, settings: load) }
        }
        // The router passes mocks over unless a request asks for them.
        let builtIn: [any Runner] = [RulesGuardianRunner()]
        return bound + builtIn + listing.damaged.map(DamagedModelRunner.init) + MockRunners.all()
    }

    private var factories: [any RunnerFactory] {
        let (settings, environment) = (settings, environment)
        let runtimes = EncoderRuntimes(
            // The paths may be set while the program runs.
            liteRT: {
                let path = try settings.current().liteRTPath
                return try LiteRTLibrary.locate(explicit: path, environment: environment)
            },
            onnxRuntime: {
                let path = try settings.current().onnxRuntimePath
                return try OnnxRuntimeLibrary.locate(explicit: path, environment: environment)
            },
            workers: {
                (try? settings.current().encoderWorkers)
                    ?? HardwareDetectors.forThisDevice().detectCapabilities().processor.effectiveCores
            }
        )
        return [EncoderRunnerFactory(store: models, runtimes: runtimes)]
    }
}
