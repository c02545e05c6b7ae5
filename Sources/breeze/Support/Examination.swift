import BreezeCore
import BreezeEngine
import BreezeLiteRT
import BreezeLlamaRunner
import BreezeModels
import BreezeOnnxRuntime
import Foundation

/// Looks at everything that `breeze doctor` reports. Nothing here fails: what is wrong is a finding.
struct Examination {
    let environment: [String: String]
    let paths: BreezePaths
    private let store: SettingsStore

    init(environment: [String: String], flags: [String]) {
        self.environment = environment
        paths = BreezePaths(environment: environment)
        store = SettingsStore(file: paths.settings, environment: environment, flags: flags)
    }

    func checks() -> [HealthCheck] {
        [checkSettings(), liteRT(), onnxRuntime(), llama()] + models() + libraries() + [tool(), pressure()]
    }

    /// Those in force; `nil` where they cannot be read, which is a finding of its own.
    private var settings: EngineSettings? { try? store.current() }

    private func checkSettings() -> HealthCheck {
        let enables = "your own defaults, consents and preferences"
        let isThere = FileManager.default.fileExists(atPath: paths.settings.path)
        do {
            _ = try store.current()
            return HealthCheck(
                name: "settings",
                kind: .settings,
                status: .ok,
                path: isThere ? paths.settings.path : nil,
                enables: enables,
                detail: isThere ? nil : "nothing is set, the defaults hold"
            )
        } catch {
            let failure = error as? BreezeError
            return HealthCheck(
                name: "settings",
                kind: .settings,
                status: .broken,
                path: isThere ? paths.settings.path : nil,
                enables: enables,
                remedy: failure?.remedy,
                detail: failure?.message ?? "\(error)"
            )
        }
    }

    /// It is built in, or it is not.
    private func llama() -> HealthCheck {
        let availability = LlamaRunner.availability
        var (reason, remedy): (String?, String?) = (nil, nil)
        if case .unavailable(let words, let mending) = availability { (reason, remedy) = (words, mending) }
        return HealthCheck(
            name: "llama.cpp",
            kind: .runtime,
            status: availability == .available ? .ok : .missing,
            enables: "chat and embeddings with GGUF models",
            remedy: remedy,
            detail: reason
        )
    }

    private func liteRT() -> HealthCheck {
        runtime("LiteRT", enables: "the fast path of embed, similar and classify") {
            let library = try LiteRTLibrary.locate(explicit: settings?.liteRTPath, environment: environment)
            return (library.version, library.path)
        }
    }

    private func onnxRuntime() -> HealthCheck {
        runtime("ONNX Runtime", enables: "the portable path of embed, similar and classify") {
            let path = settings?.onnxRuntimePath
            let library = try OnnxRuntimeLibrary.locate(explicit: path, environment: environment)
            return (library.version, library.path)
        }
    }

    private func runtime(
        _ name: String,
        enables: String,
        locate: () throws -> (version: String, path: String)
    ) -> HealthCheck {
        do {
            let library = try locate()
            return HealthCheck(
                name: name,
                kind: .runtime,
                status: .ok,
                version: library.version,
                path: library.path,
                enables: enables
            )
        } catch {
            let failure = error as? BreezeError
            return HealthCheck(
                name: name,
                kind: .runtime,
                status: .missing,
                enables: enables,
                remedy: failure?.remedy ?? "make setup",
                detail: failure?.message ?? "\(error)"
            )
        }
    }

    private func models() -> [HealthCheck] {
        let listing: ModelListing
        do { listing = try ModelStore(home: paths.data).list() } catch {
            let failure = error as? BreezeError
            return [
                HealthCheck(
                    name: "models",
                    kind: .model,
                    status: .broken,
                    path: paths.data.path,
                    enables: "every request that a model answers",
                    remedy: failure?.remedy ?? "Check the folder's permissions.",
                    detail: failure?.message ?? "\(error)"
                )
            ]
        }
        var checks = listing.models.map(\.info).map { model in
            HealthCheck(
                name: model.id,
                kind: .model,
                status: .ok,
                version: model.digest.map { "sha256:\($0.prefix(12))" },
                path: paths.data.path,
                enables: model.capabilities.map(\.rawValue).joined(separator: ", ")
            )
        }
        checks += listing.damaged.map { damage in
            HealthCheck(
                name: damage.id,
                kind: .model,
                status: .broken,
                path: paths.data.path,
                enables: "what this model did",
                remedy: damage.remedy,
                detail: damage.reason
            )
        }
        if !listing.models.contains(where: { $0.info.capabilities.contains(.embedding) }) {
            checks.append(
                HealthCheck(
                    name: "text encoder",
                    kind: .model,
                    status: .missing,
                    enables: "embed, similar and classify",
                    remedy: Remedies.encoderModel
                )
            )
        }
        return checks
    }

    /// System libraries that a runtime links and does not bring along.
    private func libraries() -> [HealthCheck] {
        #if os(Linux)
        return [library("libstdc++.so.6", remedy: "sudo apt-get install libstdc++6")]
        #else
        return []
        #endif
    }

    private func library(_ name: String, remedy: String) -> HealthCheck {
        let enables = "LiteRT and ONNX Runtime, which are written in C++"
        guard let handle = dlopen(name, RTLD_LAZY | RTLD_LOCAL) else {
            return HealthCheck(
                name: name,
                kind: .library,
                status: .missing,
                enables: enables,
                remedy: remedy,
                detail: dlerror().map { String(cString: $0) }
            )
        }
        defer { dlclose(handle) }
        return HealthCheck(
            name: name,
            kind: .library,
            status: .ok,
            path: Self.path(ofLibrary: name),
            enables: enables
        )
    }

    /// Where the loader found a library that is open now.
    private static func path(ofLibrary name: String) -> String? {
        guard let maps = try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8) else { return nil }
        let line = maps.split(separator: "\n").first { $0.contains("/\(name)") }
        return line.flatMap { line in line.firstIndex(of: "/").map { String(line[$0...]) } }
    }

    private func pressure() -> HealthCheck {
        HealthCheck(
            name: "memory pressure",
            kind: .system,
            status: .ok,
            enables: "unloading models before the device swaps",
            detail: "told by \(MemoryPressureSources.forThisDevice().summary)"
        )
    }

    private func tool() -> HealthCheck {
        let folders = (environment["PATH"] ?? "").split(separator: ":")
        let path = folders.map { "\($0)/python3" }.first(where: FileManager.default.isExecutableFile(atPath:))
        return HealthCheck(
            name: "python3",
            kind: .tool,
            status: path == nil ? .missing : .ok,
            path: path,
            enables: "make setup, which unpacks runtimes and fetches the encoder (nothing at run time)",
            remedy: path == nil ? "sudo apt-get install python3 python3-pip python3-venv" : nil
        )
    }
}
