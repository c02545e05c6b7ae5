import BreezeCore
import COnnxRuntime
import Foundation
import Synchronization

/// ONNX Runtime, opened in this process. A file is opened once and stays open until the process ends, since
/// the runtime has threads of its own; so does its one environment, which thereby outlives every session.
// @unchecked: the pointers are set once, name objects that are never released, and are used only in calls
// that ONNX Runtime allows from any thread.
public final class OnnxRuntimeLibrary: @unchecked Sendable {
    /// The file that the loader took, which for a bare library name the caller could not know.
    public let path: String
    /// As the library reports it, for example `1.31.1`.
    public let version: String
    /// The library's own line on its build (commit, flags), for a report.
    public let buildInfo: String

    let api: OnnxAPI
    let environment: OpaquePointer
    /// Describes plain memory of the CPU, the only kind that tensors borrow.
    let memory: OpaquePointer

    private static let opened = Mutex<[String: OnnxRuntimeLibrary]>([:])

    /// Opens the first library that is found: `explicit` if there is one, else the file that `ORT_DYLIB_PATH`
    /// names, else the newest under `runtimes/onnxruntime` in Breeze's cache folder, else one in Python's
    /// site-packages, else what the dynamic loader finds. A file that was named (the first two) is taken or
    /// refused, never replaced by another one.
    ///
    /// Blocks while the library loads (tens of milliseconds, once). Throws `.unavailable` with what was
    /// searched and why each file was refused. A failure is not remembered: the next call searches again.
    public static func locate(
        explicit: String? = nil,
        environment: [String: String]
    ) throws -> OnnxRuntimeLibrary {
        try locate(OnnxRuntimeSearch(explicit: explicit, environment: environment))
    }

    static func locate(_ search: OnnxRuntimeSearch) throws -> OnnxRuntimeLibrary {
        var searched: [String] = []
        for place in search.places {
            var refusals: [String] = []
            for path in place.paths {
                do {
                    return try open(path)
                } catch {
                    refusals.append(error.reason)
                }
            }
            if place.isNamed {
                throw BreezeError(
                    .unavailable,
                    "\(place.name) is no usable ONNX Runtime: \(refusals.joined(separator: "; ")).",
                    remedy: "\(place.remedy) What is searched then comes with: make setup"
                )
            }
            let found = refusals.isEmpty ? "nothing there" : refusals.joined(separator: "; ")
            searched.append("\(place.name) (\(found))")
        }
        throw unavailable("ONNX Runtime was not found. Searched: \(searched.joined(separator: ", ")).")
    }

    private static func unavailable(_ message: String) -> BreezeError {
        BreezeError(.unavailable, message, remedy: "Run `make setup`, or set ORT_DYLIB_PATH to its library.")
    }

    struct Refusal: Error {
        let reason: String
    }

    private static func open(_ path: String) throws(Refusal) -> OnnxRuntimeLibrary {
        let isFile = path.contains("/")
        // Two names of one file are one library.
        let key = isFile ? URL(fileURLWithPath: path).resolvingSymlinksInPath().path : path
        let outcome: Result<OnnxRuntimeLibrary, Refusal> = opened.withLock { opened in
            if let library = opened[key] { return .success(library) }
            do throws(Refusal) {
                let library = try load(path)
                opened[key] = library
                return .success(library)
            } catch {
                return .failure(error)
            }
        }
        return try outcome.get()
    }

    /// A handle is not closed when the file turns out to be of another kind: its initialisers have run by
    /// then.
    private static func load(_ path: String) throws(Refusal) -> OnnxRuntimeLibrary {
        // An empty name would mean this program itself, and the loader stops reading at a NUL.
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw Refusal(reason: "the path is empty or holds a NUL")
        }
        guard let handle = dlopen(path, RTLD_NOW | RTLD_LOCAL) else {
            throw Refusal(reason: dlerror().map { String(cString: $0) } ?? "\(path): cannot be opened")
        }
        guard let symbol = dlsym(handle, "OrtGetApiBase") else {
            throw Refusal(reason: "\(path): a library, but it offers no OrtGetApiBase")
        }
        return try OnnxRuntimeLibrary(symbol: symbol, name: path)
    }

    /// `symbol` is what the library offers as `OrtGetApiBase`; `name` stands in for its path where the loader
    /// does not know it.
    init(symbol: UnsafeMutableRawPointer, name: String) throws(Refusal) {
        path = ort_library_path(symbol).map { String(cString: $0) } ?? name
        version = String(cString: ort_version(symbol))
        guard let table = ort_get_api(symbol, UInt32(ORT_API_VERSION)) else {
            throw Refusal(
                reason: "\(name): is ONNX Runtime \(version), but 1.\(ORT_API_VERSION) or newer is needed"
            )
        }
        api = OnnxAPI(table: table)
        buildInfo = String(cString: ort_build_info(table))
        do throws(OnnxFault) {
            memory = try api.make {
                ort_create_cpu_memory_info(table, Int32(ORT_ARENA_ALLOCATOR), Int32(ORT_MEMORY_DEFAULT), $0)
            }
            // Only fatal messages reach standard error: every other one comes back as a status.
            environment = try api.make { ort_create_env(table, Int32(ORT_LOG_FATAL), "breeze", $0) }
            try api.check(ort_disable_telemetry(table, environment))
        } catch {
            throw Refusal(reason: "\(name): \(error.summary)")
        }
    }
}
