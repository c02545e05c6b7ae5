import BreezeCore
import Foundation

/// Where ONNX Runtime may lie on this device, in the order in which it is tried. Looks at folders only: opens
/// nothing and starts no process.
struct OnnxRuntimeSearch {
    struct Place: Equatable {
        /// How an error names the place.
        let name: String
        /// Files to try, best first; empty where the place holds none.
        let paths: [String]
        /// Whether someone named this very file: when it fails the search ends, since taking another one
        /// silently would not be what they asked for.
        let isNamed: Bool

        /// How to take the name back.
        var remedy: String {
            name == "ORT_DYLIB_PATH"
                ? "Unset ORT_DYLIB_PATH or let it name the library."
                : "Correct the setting runtimes.onnxruntime."
        }
    }

    let explicit: String?
    let environment: [String: String]
    /// Folders that may hold `python3*/{site,dist}-packages`.
    var pythonRoots = ["/usr/local/lib", "/usr/lib"]
    /// What the dynamic loader is asked for, without a folder.
    var loaderNames = Self.loaderNames

    #if canImport(Darwin)
    static let loaderNames = ["libonnxruntime.dylib"]
    #else
    static let loaderNames = ["libonnxruntime.so.1", "libonnxruntime.so"]
    #endif

    /// The place that names a file, alone, or else everywhere that one may lie.
    var places: [Place] {
        if let explicit, !explicit.isEmpty {
            return [Place(name: "the configured path", paths: [explicit], isNamed: true)]
        }
        if let path = environment["ORT_DYLIB_PATH"], !path.isEmpty {
            return [Place(name: "ORT_DYLIB_PATH", paths: [path], isNamed: true)]
        }
        var places: [Place] = []
        if let cache = folders.cache {
            let folder = "\(cache)/runtimes/onnxruntime"
            places.append(Place(name: folder, paths: versions(in: folder), isNamed: false))
        }
        places.append(Place(name: "Python's site-packages", paths: pythonPackages, isNamed: false))
        places.append(Place(name: "the loader's path", paths: loaderNames, isNamed: false))
        return places
    }

    private var folders: EnvironmentFolders { EnvironmentFolders(environment) }

    /// Libraries in `folder/<version>/`, the newest version first.
    private func versions(in folder: String) -> [String] {
        let versions = list(folder).compactMap { name in Version(name).map { (name: name, version: $0) } }
        return versions.sorted { $1.version < $0.version }.flatMap { libraries(in: "\(folder)/\($0.name)") }
    }

    private var pythonPackages: [String] {
        let roots = [
            folders.cache.map { "\($0)/python/lib" },
            folders["VIRTUAL_ENV"].map { "\($0)/lib" },
            folders["HOME"].map { "\($0)/.local/lib" },
        ]
        return (roots.compactMap(\.self) + pythonRoots).flatMap { root in
            list(root).filter { $0.hasPrefix("python3") }.sorted().flatMap { python in
                ["site-packages", "dist-packages"].flatMap {
                    libraries(in: "\(root)/\(python)/\($0)/onnxruntime/capi")
                }
            }
        }
    }

    private func libraries(in folder: String) -> [String] {
        list(folder).filter(Self.isLibrary).sorted().map { "\(folder)/\($0)" }
    }

    /// `libonnxruntime.so`, `libonnxruntime.so.1.31.1`; on Apple `libonnxruntime.dylib`,
    /// `libonnxruntime.1.31.1.dylib`. Not `libonnxruntime_providers_shared.so`.
    private static func isLibrary(_ name: String) -> Bool {
        #if canImport(Darwin)
        name.hasPrefix("libonnxruntime.") && name.hasSuffix(".dylib")
        #else
        name.hasPrefix("libonnxruntime.so")
        #endif
    }

    private func list(_ folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }
}

/// `1.9.0` comes before `1.31.1`, which the order of the names would turn round.
private struct Version: Comparable {
    let parts: [Int]

    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.allSatisfy({ $0 != nil }) else { return nil }
        self.parts = parts.compactMap(\.self)
    }

    static func < (left: Version, right: Version) -> Bool {
        left.parts.lexicographicallyPrecedes(right.parts)
    }
}
