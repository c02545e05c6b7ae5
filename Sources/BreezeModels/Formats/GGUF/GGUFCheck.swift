import BreezeCore
public import Foundation

/// What is held against a GGUF file before any of llama.cpp's code sees it. Its loader ends the whole process
/// where some of these do not hold (an assertion, not an error), and computes nonsense without a word where
/// others do not.
///
/// Written against llama.cpp 0.5.0-dev, commit 0c1e57098. It knows no architecture's own rules, so a file of
/// a stranger still belongs into a process of its own.
public struct GGUFCheck {
    let fields: GGUFFields

    /// LLAMA_MAX_LAYERS, LLAMA_MAX_EXPERTS in llama-hparams.h.
    private static let largestLayers = 512
    private static let largestExperts = 1024
    private static let largestWidth = 1 << 20
    private static let largestContext = 1 << 24
    /// What has no attention, and states 0 heads.
    private static let withoutAttention = ["mamba", "mamba2", "rwkv6", "rwkv6qwen2", "rwkv7", "arwkv7"]

    /// Opens the file and checks it.
    /// - Returns: the file, as ``GGUFFile/init(url:)`` gives it.
    /// - Throws: ``BreezeError``: what opening it throws; `.invalidFile` naming the field and the fault;
    ///   `.unsupported` naming what llama.cpp cannot run.
    @discardableResult
    public static func open(_ url: URL) throws -> GGUFFile {
        let file = try GGUFFile(url: url)
        try check(file)
        return file
    }

    /// - Throws: as ``open(_:)`` does.
    public static func check(_ file: GGUFFile) throws {
        let check = GGUFCheck(fields: try GGUFFields(file))
        try check.checkKind()
        try check.checkNumbers()
        let layers = try check.checkShape()
        try check.checkExperts(layers: layers)
        try check.checkRope()
        try check.checkTensors()
        try check.checkTokenizer()
    }

    private func unsupported(_ what: String, remedy: String) -> BreezeError {
        BreezeError(.unsupported, "\(fields.file.url.path) \(what).", remedy: remedy)
    }

    /// Files that are no whole model.
    private func checkKind() throws {
        let kind = try fields.text("general.type") ?? "model"
        guard kind == "model", fields.architecture != "clip" else {
            let name = kind == "model" ? "projector" : kind.excerpt
            throw unsupported("holds a \(name) and no model", remedy: "Take the model's own .gguf file.")
        }
        if let pieces = fields.file.metadata["split.count"]?.intValue, pieces > 1 {
            throw unsupported(
                "is one of \(pieces) pieces of a model",
                remedy: "Join them with llama-gguf-split --merge, or take an edition in one file."
            )
        }
    }

    /// Whatever is not a number spreads through every layer, or ends the process.
    private func checkNumbers() throws {
        for (key, value) in fields.file.metadata where key.hasPrefix(fields.key("")) {
            if let number = value.doubleValue, !number.isFinite {
                throw fields.fault("\(key.excerpt) is \(number)")
            }
            guard let array = value.arrayValue, [.float32, .float64].contains(array.kind) else { continue }
            guard array.doubles?.allSatisfy(\.isFinite) == true else {
                throw fields.fault("\(key.excerpt) holds something that is no number")
            }
        }
        for norm in ["layer_norm_epsilon", "layer_norm_rms_epsilon", "group_norm_epsilon"] {
            _ = try fields.number(fields.key("attention.\(norm)"), 0...1)
        }
    }

    /// - Returns: the number of layers.
    private func checkShape() throws -> Int {
        let layers = try fields.required(fields.key("block_count"), 1...Self.largestLayers)
        _ = try fields.required(fields.key("context_length"), 1...Self.largestContext)
        let width = try fields.required(fields.key("embedding_length"), 1...Self.largestWidth)
        let hasAttention = !Self.withoutAttention.contains(fields.architecture)
        let feed = fields.key("feed_forward_length")
        _ = try fields.integers(feed, 0...Self.largestWidth * 16, layers: layers)
        _ = try fields.integer(fields.key("pooling_type"), 0...4)
        _ = try fields.integer(fields.key("nextn_predict_layers"), 0...layers)
        guard hasAttention else { return layers }
        try checkHeads(layers: layers, width: width)
        return layers
    }

    private func checkHeads(layers: Int, width: Int) throws {
        let key = fields.key("attention.head_count")
        guard let heads = try fields.integers(key, 1...65_536, layers: layers) else {
            throw fields.fault("\(key) is missing")
        }
        guard let most = heads.max(), most > 0 else { throw fields.fault("\(key) has no head") }
        // A layer without attention has 0 of them in a list; one number for all is never 0.
        let keyValue = try fields.integers("\(key)_kv", 1...65_536, layers: layers) ?? heads
        for (count, shared) in zip(heads, keyValue) where shared > 0 && count % shared != 0 {
            throw fields.fault("\(key) is \(count), no multiple of \(shared) heads for keys and values")
        }
        let length = try fields.integer(fields.key("attention.key_length"), 1...65_536)
        _ = try fields.integer(fields.key("attention.value_length"), 1...65_536)
        if length == nil, let first = heads.first, first > 0, width % first != 0 {
            throw fields.fault("\(fields.key("embedding_length")) is \(width), no multiple of \(first) heads")
        }
        let rotated = fields.key("rope.dimension_count")
        let size = length ?? heads.first.map { $0 > 0 ? width / $0 : 0 } ?? 0
        if let count = try fields.integer(rotated, 0...max(size, 0)), count % 2 != 0 {
            throw fields.fault("\(rotated) is \(count), and must be even")
        }
    }

    /// The assertions in `llama_model_base::load_hparams`.
    private func checkExperts(layers: Int) throws {
        let experts = try fields.integer(fields.key("expert_count"), 0...Self.largestExperts) ?? 0
        let used = fields.key("expert_used_count")
        let most = try fields.integers(used, 0...experts, layers: layers)?.max() ?? 0
        guard experts == 0 || most > 0 else { throw fields.fault("\(used) is 0 for \(experts) experts") }
        let groupKey = fields.key("expert_group_count")
        let groups = try fields.integer(groupKey, 0...max(0, experts - 1)) ?? 0
        guard groups > 1 else { return }
        guard experts % groups == 0 else {
            throw fields.fault("\(groupKey) is \(groups), which does not divide \(experts) experts")
        }
        _ = try fields.required(fields.key("expert_group_used_count"), 1...groups - 1)
    }

    private func checkRope() throws {
        for name in ["rope.freq_base", "rope.freq_base_swa"] {
            // 0 would divide by it; no model's is near the upper end.
            _ = try fields.number(fields.key(name), 1e-3...1e12)
        }
        for name in ["rope.scaling.factor", "rope.scale_linear"] {
            _ = try fields.number(fields.key(name), 0...1e6)
        }
        let kinds = ["none", "linear", "yarn", "longrope"]
        let key = fields.key("rope.scaling.type")
        guard let kind = try fields.text(key) else { return }
        guard kinds.contains(kind) else {
            throw unsupported(
                "asks for \(key) \"\(kind.excerpt)\"; supported: \(kinds.joined(separator: ", "))",
                remedy: "Choose a model of a supported kind."
            )
        }
    }
}
