import BreezeCore

/// Where ONNX Runtime may lie on this device.
struct OnnxRuntimeSearch {
    let explicit: String?
    let environment: [String: String]
    /// Folders that may hold `python3*/{site,dist}-packages`.
    var pythonRoots = RuntimeSearch.pythonRoots
    /// What the dynamic loader is asked for, without a folder.
    var loaderNames = Self.loaderNames

    #if canImport(Darwin)
    static let loaderNames = ["libonnxruntime.dylib"]
    #else
    static let loaderNames = ["libonnxruntime.so.1", "libonnxruntime.so"]
    #endif

    private static let runtime = RuntimeSearch.Runtime(
        title: "ONNX Runtime",
        name: "onnxruntime",
        variable: "ORT_DYLIB_PATH",
        pythonFolder: "onnxruntime/capi",
        library: "libonnxruntime"
    )

    var search: RuntimeSearch {
        RuntimeSearch(
            Self.runtime,
            explicit: explicit,
            environment: environment,
            pythonRoots: pythonRoots,
            loaderNames: loaderNames
        )
    }

    var places: [RuntimeSearch.Place] { search.places }
}
