import BreezeCore
import COnnxRuntime
import Foundation

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

    private static let opened = OpenedLibraries<OnnxRuntimeLibrary>()

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
        try search.search.first { path throws(RuntimeSearch.Refusal) in
            try opened.open(path, load: load)
        }
    }

    private static func load(_ path: String) throws(RuntimeSearch.Refusal) -> OnnxRuntimeLibrary {
        guard let symbol = dlsym(try openLibrary(path), "OrtGetApiBase") else {
            throw RuntimeSearch.Refusal("\(path): a library, but it offers no OrtGetApiBase")
        }
        return try OnnxRuntimeLibrary(symbol: symbol, name: path)
    }

    /// `symbol` is what the library offers as `OrtGetApiBase`; `name` stands in for its path where the loader
    /// does not know it.
    init(symbol: UnsafeMutableRawPointer, name: String) throws(RuntimeSearch.Refusal) {
        path = ort_library_path(symbol).map { String(cString: $0) } ?? name
        version = String(cString: ort_version(symbol))
        guard let table = ort_get_api(symbol, UInt32(ORT_API_VERSION)) else {
            throw RuntimeSearch.Refusal(
                "\(name): is ONNX Runtime \(version), but 1.\(ORT_API_VERSION) or newer is needed"
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
            throw RuntimeSearch.Refusal("\(name): \(error.summary)")
        }
    }
}
