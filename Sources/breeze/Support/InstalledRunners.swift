import BreezeCore
import BreezeEncoderRunner
import BreezeEngine
import BreezeGuardianRunner
import BreezeLiteRT
import BreezeLlamaRunner
import BreezeMockRunners
import BreezeModels
import BreezeOnnxRuntime
import BreezeWorker
import Foundation

/// Every runner that this program can offer on this device. The one list of concrete runners.
struct InstalledRunners: Sendable {
    let models: ModelStore
    let settings: SettingsStore
    let environment: [String: String]
    private let device = HardwareDetectors.forThisDevice().detectCapabilities()

    func all() async throws -> [any Runner] {
        let factories = factories
        let load = try loadSettings
        var listing = try models.list()
        for model in listing.models {
            // What somebody wrote to is hashed before anybody runs it.
            guard let report = try? await models.verifyChanged(model), !report.isIntact else {
                continue
            }
            let names = report.faults.map(\.file).joined(separator: ", ")
            listing.damaged.append(
                ModelListing.Damage(
                    id: model.info.id,
                    reason:
                        "The installed model \(model.info.id) was changed since it was installed: \(names)."
                )
            )
        }
        let damaged = Set(listing.damaged.map(\.id))
        let bound = try listing.models.map(\.info).filter { !damaged.contains($0.id) }.flatMap { model in
            try factories.filter { $0.canMakeRunner(for: model) }
                .map { try $0.makeRunner(for: model, settings: load) }
        }
        // The router passes mocks over unless a request asks for them.
        let builtIn: [any Runner] = [RulesGuardianRunner()]
        let services = try ConfiguredServices(settings: settings, environment: environment).runners()
        return bound + builtIn + services + listing.damaged.map(DamagedModelRunner.init) + MockRunners.all()
    }

    private var loadSettings: LoadSettings {
        get throws {
            let current = try settings.current()
            var values: [String: JSONValue] = [:]
            values["precision"] = current.encoderPrecision.map { .string($0) }
            values["threads"] = .integer(current.llamaThreads ?? device.processor.effectiveCores)
            return LoadSettings(values)
        }
    }

    /// Each model in a process of its own: a damaged file ends that one alone, and unloading gives all of its memory
    /// back.
    private var llama: WorkerRunnerFactory {
        let locate: @Sendable (ModelInfo) throws -> URL = { [models] model in
            guard let file = try models.files(for: model.id).gguf else {
                throw BreezeError(.invalidFile, "\(model.id) has no GGUF file.", remedy: "Import it again.")
            }
            return file
        }
        let factory = LlamaRunnerFactory(deviceMemory: device.memory.total, locate: locate)
        return WorkerRunnerFactory(hosting: factory, launch: WorkerKinds.launch) { model, settings in
            WorkerDescriptor(
                kind: WorkerKinds.llama,
                model: model,
                path: try locate(model).path,
                settings: settings
            )
        }
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
        return [EncoderRunnerFactory(store: models, runtimes: runtimes), llama]
    }
}
