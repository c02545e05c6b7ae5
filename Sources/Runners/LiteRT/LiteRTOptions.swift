import BreezeCore
import CLiteRt
import Foundation

/// How a model is compiled, in the two texts that LiteRT reads: lines of `key = value`, called TOML by
/// LiteRT.
struct LiteRTOptions {
    private let cpu: String
    /// Faults are kept for `error_messages` instead of being written to standard error.
    private let runtime = "error_reporter_mode = 2\n"

    init(threads: Int, weightCache: URL?) throws {
        guard (1...1024).contains(threads) else {
            throw BreezeError(
                .invalidParameter,
                "A model cannot work with \(threads) threads.",
                remedy: "Use a number from 1 to the number of cores."
            )
        }
        var text = "num_threads = \(threads)\n"
        if let weightCache {
            let path = weightCache.path
            // LiteRT takes what stands between the first quote and the line's last one as it is, whatever
            // TOML says: it knows no escapes, and a line break would begin another key.
            guard weightCache.isFileURL, !path.utf8.contains(where: { [0, 10, 13].contains($0) }) else {
                throw BreezeError(
                    .invalidParameter,
                    "A weight cache cannot lie at \(weightCache.absoluteString).",
                    remedy: "Use the path of a file, without a line break."
                )
            }
            text += "weight_cache_file_path = \"\(path)\"\n"
        }
        cpu = text
    }

    /// Options for the CPU alone.
    func make(_ api: LiteRTAPI) throws(LiteRTFault) -> LiteRTObject {
        let table = api.table
        let options = try LiteRTObject(api, "make options", release: table.destroy_options) {
            table.create_options($0)
        }
        let action = "set the options"
        try api.check(table.set_accelerators(options.pointer, Int32(LITERT_CPU)), action)
        for (identifier, text) in [("xnnpack", cpu), ("runtime_options_string", runtime)] {
            let opaque = try api.pointer(action) { out in
                guard let copy = strdup(text) else { return Int32(LITERT_INVALID_ARGUMENT) }
                let status = table.create_opaque_options(identifier, copy, { free($0) }, out)
                if status != Int32(LITERT_OK) { free(copy) }
                return status
            }
            let status = table.add_opaque_options(options.pointer, opaque)
            if status != Int32(LITERT_OK) { table.destroy_opaque_options(opaque) }
            try api.check(status, action)
        }
        return options
    }
}
