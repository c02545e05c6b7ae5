import BreezeCore
import CLiteRt
public import Foundation

/// One model, loaded, and the buffers of its last run. Its memory is given back when the last reference goes.
///
/// Not Sendable: a model keeps state from run to run, so whoever makes it keeps it on one thread or behind
/// one lock. Models are independent of each other: as many threads may each have their own over the same file
/// and the same weight cache, whose mapped pages they share.
public final class LiteRTModel {
    public let library: LiteRTLibrary
    public let file: URL
    /// Of the model's first signature, in the order of its graph.
    public let inputs: [LiteRTTensorInfo]
    public let outputs: [LiteRTTensorInfo]

    let environment: LiteRTObject
    let compiled: LiteRTObject
    /// Of the shapes that the last run had.
    var buffers: LiteRTBuffers?

    /// Loads a model and blocks until that is done (milliseconds with a weight cache, some tenths of a second
    /// without); one model of a library loads at a time.
    ///
    /// `weightCache` names a file for the weights as the CPU's kernels want them. LiteRT maps it where it
    /// exists and fits the runtime, else writes it anew. It does not notice a cache that was made from
    /// another model's weights or that has changed bytes, and computes nonsense from it: name the file after
    /// the model's digest, and put it under that name only when it is whole.
    ///
    /// `threads` is how many work on one operator, the caller's included. Several models with one thread each
    /// do more than one model with several.
    ///
    /// Throws `.invalidParameter` for fewer than one thread or a cache path that LiteRT cannot be told,
    /// `.invalidFile` for a file that is no sound model, `.loadFailed` for anything else.
    public init(library: LiteRTLibrary, file: URL, weightCache: URL? = nil, threads: Int = 1) throws {
        let options = try LiteRTOptions(threads: threads, weightCache: weightCache)
        let contents = try LiteRTFile(file)
        library.loading.lock()
        defer { library.loading.unlock() }
        let api = library.api
        do throws(LiteRTFault) {
            environment = try Self.environment(api)
            let model = try Self.model(api, file, environment)
            let signature = try Self.signature(api, model)
            inputs = try signature.inputs(contents.inputs)
            outputs = try signature.outputs(contents.outputs)
            compiled = try Self.compile(api, environment, model, options)
        } catch {
            throw error.loading(file)
        }
        self.library = library
        self.file = file
    }

    /// One for each model, so that nothing is shared between threads: making one costs microseconds. It asks
    /// for the CPU alone, where LiteRT would look for libraries of GPUs and NPUs to open.
    private static func environment(_ api: LiteRTAPI) throws(LiteRTFault) -> LiteRTObject {
        func option(_ tag: Int, _ value: Int) -> litert_env_option {
            var option = litert_env_option()
            option.tag = Int32(tag)
            option.any.type = Int32(LITERT_ANY_INT)
            option.any.value = Int64(value)
            return option
        }
        let options = [
            option(LITERT_OPTION_ACCELERATORS, LITERT_CPU),
            option(LITERT_OPTION_LOG_SEVERITY, LITERT_LOG_SILENT),
        ]
        return try LiteRTObject(api, "make an environment", release: api.table.destroy_environment) {
            api.table.create_environment(Int32(options.count), options, $0)
        }
    }

    private static func model(
        _ api: LiteRTAPI,
        _ file: URL,
        _ environment: LiteRTObject
    ) throws(LiteRTFault) -> LiteRTObject {
        try capturingNotes { () throws(LiteRTFault) in
            try LiteRTObject(
                api,
                LiteRTFault.reading,
                keeping: [environment],
                release: api.table.destroy_model
            ) {
                api.table.create_model_from_file(environment.pointer, file.path, $0)
            }
        }
    }

    private static func signature(_ api: LiteRTAPI, _ model: LiteRTObject) throws(LiteRTFault)
        -> LiteRTSignature
    {
        let pointer = try api.pointer(LiteRTFault.reading) { api.table.signature(model.pointer, 0, $0) }
        return LiteRTSignature(api: api, pointer: pointer)
    }

    private static func compile(
        _ api: LiteRTAPI,
        _ environment: LiteRTObject,
        _ model: LiteRTObject,
        _ options: LiteRTOptions
    ) throws(LiteRTFault) -> LiteRTObject {
        let options = try options.make(api)
        return try capturingNotes { () throws(LiteRTFault) in
            try LiteRTObject(
                api,
                "compile it",
                keeping: [model, environment],
                release: api.table.destroy_compiled_model
            ) {
                api.table.create_compiled_model(environment.pointer, model.pointer, options.pointer, $0)
            }
        }
    }
}

extension LiteRTFault {
    fileprivate static let reading = "read it"

    fileprivate func loading(_ file: URL) -> BreezeError {
        guard action == Self.reading else {
            return BreezeError(
                .loadFailed,
                "LiteRT could not load \(file.path): \(summary)",
                remedy: "`breeze doctor` shows whether the runtime and the model fit together.",
                underlying: self
            )
        }
        return .unsoundModel(file, summary, underlying: self)
    }
}

extension BreezeError {
    static func unsoundModel(_ file: URL, _ reason: String, underlying: (any Error)? = nil) -> BreezeError {
        BreezeError(
            .invalidFile,
            "\(file.path) is not a sound LiteRT model: \(reason)",
            remedy: "Import the model again.",
            underlying: underlying
        )
    }
}
