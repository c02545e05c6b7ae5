import Foundation

/// Where the library of a native runtime may lie on this device, in the order in which it is tried. Looks at
/// folders only: opens nothing and starts no process.
package struct RuntimeSearch {
    package struct Place: Equatable {
        /// How an error names the place.
        package let name: String
        /// Files to try, best first; empty where the place holds none.
        package let paths: [String]
        /// How to take the name back, where someone named this very file: when it fails the search ends,
        /// since taking another one silently would not be what they asked for.
        package let remedy: String?

        package var isNamed: Bool { remedy != nil }
    }

    /// What tells one runtime's search from another's.
    package struct Runtime: Sendable {
        /// For a person.
        package let title: String
        /// Its folder under `runtimes` in the cache, and its setting's name.
        package let name: String
        /// The environment's variable that names a library.
        package let variable: String
        /// Its folder in Python's site-packages.
        package let pythonFolder: String
        /// The first part of its file's name, up to where a version may stand.
        package let library: String

        package init(title: String, name: String, variable: String, pythonFolder: String, library: String) {
            self.title = title
            self.name = name
            self.variable = variable
            self.pythonFolder = pythonFolder
            self.library = library
        }

        /// `libx.so`, `libx.so.1.31.1`; on Apple `libx.dylib`, `libx.1.31.1.dylib`. Not `libx_other.so`.
        fileprivate func owns(_ file: String) -> Bool {
            #if canImport(Darwin)
            file.hasPrefix("\(library).") && file.hasSuffix(".dylib")
            #else
            file.hasPrefix("\(library).so")
            #endif
        }
    }

    private let runtime: Runtime
    private let explicit: String?
    private let environment: [String: String]
    private let pythonRoots: [String]
    private let loaderNames: [String]

    /// `explicit` is the path in the settings. `pythonRoots` are folders that may hold
    /// `python3*/{site,dist}-packages`; `loaderNames` what the dynamic loader is asked for, without a folder.
    package init(
        _ runtime: Runtime,
        explicit: String?,
        environment: [String: String],
        pythonRoots: [String],
        loaderNames: [String]
    ) {
        self.runtime = runtime
        self.explicit = explicit
        self.environment = environment
        self.pythonRoots = pythonRoots
        self.loaderNames = loaderNames
    }

    package static let pythonRoots = ["/usr/local/lib", "/usr/lib"]

    /// The place that names a file, alone, or else everywhere that one may lie.
    package var places: [Place] {
        if let explicit, !explicit.isEmpty {
            let remedy = "Correct the setting runtimes.\(runtime.name)."
            return [Place(name: "the configured path", paths: [explicit], remedy: remedy)]
        }
        if let path = environment[runtime.variable], !path.isEmpty {
            let remedy = "Unset \(runtime.variable) or let it name the library."
            return [Place(name: runtime.variable, paths: [path], remedy: remedy)]
        }
        var places: [Place] = []
        if let cache = folders.cache {
            let folder = "\(cache)/runtimes/\(runtime.name)"
            places.append(Place(name: folder, paths: versions(in: folder), remedy: nil))
        }
        places.append(Place(name: "Python's site-packages", paths: pythonPackages, remedy: nil))
        places.append(Place(name: "the loader's path", paths: loaderNames, remedy: nil))
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
                    libraries(in: "\(root)/\(python)/\($0)/\(runtime.pythonFolder)")
                }
            }
        }
    }

    private func libraries(in folder: String) -> [String] {
        list(folder).filter(runtime.owns).sorted().map { "\(folder)/\($0)" }
    }

    private func list(_ folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }
}

extension RuntimeSearch {
    /// Why a file is not taken.
    package struct Refusal: Error {
        package let reason: String

        package init(_ reason: String) {
            self.reason = reason
        }
    }

    /// The first library that `open` takes. Throws `.unavailable` with what was searched and why each file
    /// was refused. A file that somebody named is taken or refused, never replaced by another one.
    package func first<Library>(_ open: (String) throws(Refusal) -> Library) throws -> Library {
        var searched: [String] = []
        for place in places {
            var refusals: [String] = []
            for path in place.paths {
                do {
                    return try open(path)
                } catch {
                    refusals.append(error.reason)
                }
            }
            let refused = refusals.joined(separator: "; ")
            if let remedy = place.remedy {
                throw BreezeError(
                    .unavailable,
                    "\(place.name) is no usable \(runtime.title): \(refused).",
                    remedy: "\(remedy) What is searched then comes with: make setup"
                )
            }
            searched.append("\(place.name) (\(refusals.isEmpty ? "nothing there" : refused))")
        }
        throw BreezeError(
            .unavailable,
            "\(runtime.title) was not found. Searched: \(searched.joined(separator: ", ")).",
            remedy: "Run `make setup`, or set \(runtime.variable) to its library."
        )
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
