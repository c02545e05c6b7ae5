import BreezeCore
import BreezeModels
import BreezeTestSupport
import Foundation

/// Models of random weights: as fast and as large as real ones, and nothing to download.
enum GeneratedModel {
    static func write(_ name: String, to file: URL) throws {
        switch name {
        case "tiny": try TinyQwen3().write(to: file)
        case "tiny-embedding":
            var model = TinyQwen3()
            model.name = "random-qwen3-tiny-embedding"
            // The last token's row.
            model.edit = { $0.set("qwen3.pooling_type", .uint32(3)) }
            try model.write(to: file)
        case "qwen3-0.6b": try TinyQwen3.large().write(to: file)
        default:
            throw BreezeError(
                .invalidRequest,
                "There is no generated model \(name).",
                remedy: "Use tiny, tiny-embedding or qwen3-0.6b."
            )
        }
    }
}
