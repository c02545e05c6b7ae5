import BreezeCore
import COnnxRuntime
public import Foundation

/// One model, loaded. Its memory is given back when the last reference goes, which a run that is under way
/// holds.
///
/// `run` works on a queue that the session owns, one run after the other, and blocks nobody. `runBlocking`
/// works on the caller's thread and may be called from several at once.
// @unchecked: the pointers are set once and released in deinit alone, and ONNX Runtime allows concurrent runs
// of a session.
public final class OnnxSession: @unchecked Sendable {
    public let library: OnnxRuntimeLibrary
    public let modelPath: URL
    public let inputs: [OnnxValueInfo]
    public let outputs: [OnnxValueInfo]

    let handle: OnnxObject
    /// The names of `inputs` and `outputs` as C strings, made once so that a run makes none.
    let inputNames: CStringList
    let outputNames: CStringList
    let queue: DispatchQueue

    /// Loads a model and blocks until that is done (a tenth of a second for a small encoder, seconds for a
    /// large model): on an actor or in a task use ``load(library:modelPath:threads:)``.
    ///
    /// `threads` is how many work on one operator, the caller's included. Several sessions with one thread
    /// each do more than one session with several. Throws `.invalidParameter` for fewer than one,
    /// `.invalidFile` for a file that is no sound model, `.loadFailed` for anything else.
    public convenience init(library: OnnxRuntimeLibrary, modelPath: URL, threads: Int = 1) throws {
        try self.init(library, modelPath, threads, DispatchQueue(label: "breeze.onnx-session"))
    }

    /// As the initialiser, without blocking the caller's actor or thread.
    public static func load(
        library: OnnxRuntimeLibrary,
        modelPath: URL,
        threads: Int = 1
    ) async throws -> OnnxSession {
        let queue = DispatchQueue(label: "breeze.onnx-session")
        return try await withCheckedThrowingContinuation { continuation in
            queue.async {
                continuation.resume(with: Result { try OnnxSession(library, modelPath, threads, queue) })
            }
        }
    }

    private init(_ library: OnnxRuntimeLibrary, _ modelPath: URL, _ threads: Int, _ queue: DispatchQueue)
        throws
    {
        try Self.checkArguments(modelPath, threads)
        let api = library.api
        do throws(OnnxFault) {
            let options = try Self.options(api, threads: threads)
            handle = try OnnxObject(api, release: ort_release_session) {
                ort_create_session(api.table, library.environment, modelPath.path, options.pointer, $0)
            }
            inputs = try handle.describe(
                api,
                count: ort_input_count,
                name: ort_input_name,
                type: ort_input_type
            )
            outputs = try handle.describe(
                api,
                count: ort_output_count,
                name: ort_output_name,
                type: ort_output_type
            )
        } catch {
            throw error.loading(modelPath)
        }
        self.library = library
        self.modelPath = modelPath
        self.queue = queue
        inputNames = CStringList(inputs.map(\.name))
        outputNames = CStringList(outputs.map(\.name))
    }

    private static func checkArguments(_ modelPath: URL, _ threads: Int) throws {
        guard (1...1024).contains(threads) else {
            throw BreezeError(
                .invalidParameter,
                "A session cannot work with \(threads) threads.",
                remedy: "Use a number from 1 to the number of cores."
            )
        }
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: modelPath.path, isDirectory: &isFolder)
        guard modelPath.isFileURL, exists, !isFolder.boolValue else {
            let place = modelPath.isFileURL ? modelPath.path : modelPath.absoluteString
            throw BreezeError(
                .loadFailed,
                "There is no model file at \(place).",
                remedy: "Import the model again, or correct its path."
            )
        }
    }

    /// Threads that wait sleep instead of spinning: on a device that also does other work, spinning doubles
    /// the CPU time of a run.
    private static func options(_ api: OnnxAPI, threads: Int) throws(OnnxFault) -> OnnxObject {
        let table = api.table
        let options = try OnnxObject(api, release: ort_release_session_options) {
            ort_create_session_options(table, $0)
        }
        try api.check(ort_set_intra_threads(table, options.pointer, Int32(threads)))
        try api.check(ort_set_inter_threads(table, options.pointer, 1))
        try api.check(ort_set_optimization(table, options.pointer, Int32(ORT_OPTIMIZE_ALL)))
        try api.check(ort_add_config(table, options.pointer, "session.intra_op.allow_spinning", "0"))
        return options
    }
}

extension OnnxFault {
    fileprivate func loading(_ modelPath: URL) -> BreezeError {
        // ONNX Runtime answers with these for a file that is not, or not wholly, a model, and with "fail" for
        // a graph that contradicts itself or uses an operator that does not exist.
        let damaged = [ORT_FAIL, ORT_INVALID_ARGUMENT, ORT_NO_MODEL, ORT_INVALID_PROTOBUF, ORT_INVALID_GRAPH]
        guard damaged.contains(where: { Int($0) == code }) else {
            return BreezeError(
                .loadFailed,
                "ONNX Runtime could not load \(modelPath.path): \(summary)",
                remedy: "`breeze doctor` shows whether the runtime and the model fit together.",
                underlying: self
            )
        }
        return BreezeError(
            .invalidFile,
            "\(modelPath.path) is not a sound ONNX model: \(summary)",
            remedy: "Import the model again.",
            underlying: self
        )
    }
}
