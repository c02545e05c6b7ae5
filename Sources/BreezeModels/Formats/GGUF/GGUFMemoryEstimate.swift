import BreezeCore

/// Bytes that llama.cpp takes to run a model, part by part.
public struct GGUFMemoryEstimate: Codable, Hashable, Sendable {
    /// The tensors as the file has them. Mapped, they are pages of the file, which the system may drop and
    /// read again; what the processor back end packs anew for speed (Q4_0 and K kinds) is not counted.
    public var weights: Int64
    public var keyValueCache: Int64
    /// Intermediate results of one micro-batch.
    public var compute: Int64

    public var total: Int64 { weights + keyValueCache + compute }
}

extension GGUFModelFacts {
    /// - Throws: ``BreezeError`` `.insufficientMemory` where a context of so many tokens passes `limit` bytes, the
    ///   weights counted.
    public func checkContext(_ tokens: Int, limit: Int64) throws {
        let needed = memory(context: tokens).total
        guard needed > limit else { return }
        throw BreezeError(
            .insufficientMemory,
            "A context of \(tokens) tokens needs about \(needed >> 20) MiB of memory with the model; this device has "
                + "\(limit >> 20) MiB.",
            remedy: "Ask for a smaller contextSize."
        )
    }

    /// An estimate, upwards where the file leaves it open:
    ///
    /// - `weights`: the sum of the tensors' bytes.
    /// - `keyValueCache`: `context × (keyElements + valueElements)` in `cacheType`, where the elements of a
    ///   token are Σ over the layers of heads for keys and values × their length. Layers with a sliding
    ///   window count as if they kept everything; a recurrent layer's state, which does not grow, is left
    ///   out.
    /// - `compute`: per token of a micro-batch, 4 bytes × (logits + 4 × embedding + 3 × feed-forward) and 2
    ///   bytes × context for the mask. The scores of attention are not there: flash attention never holds
    ///   them. Without it, add `4 × heads × context` a token.
    ///
    /// For Qwen3-0.6B at 4,096 tokens in F16: 28 × 8 × 128 × 2 elements × 2 bytes × 4,096 = 448 MiB of cache.
    /// - Parameters:
    ///   - context: tokens; at most ``contextLength`` are counted.
    ///   - cacheType: of keys and values.
    ///   - microBatch: tokens that are computed at once, `n_ubatch` of llama.cpp.
    /// - Returns: bytes, part by part.
    public func memory(
        context: Int,
        cacheType: GGMLType = .f16,
        microBatch: Int = 512
    ) -> GGUFMemoryEstimate {
        let context = max(0, min(context, contextLength))
        let tokens = max(0, min(microBatch, max(context, 1)))
        // Within range: the fields were checked to be far from the end of `Int`, but for a damaged manifest.
        let elements = Double(context) * (Double(keyElements) + Double(valueElements))
        let cache = elements * Double(cacheType.blockByteCount) / Double(cacheType.blockSize)
        let logits = isCausal ? vocabularySize : 0
        let values = Double(logits) + 4 * Double(embeddingLength) + 3 * Double(feedForwardLength)
        return GGUFMemoryEstimate(
            weights: weightBytes,
            keyValueCache: Int64(min(cache, 1e18)),
            compute: Int64(min(Double(tokens) * (4 * values + 2 * Double(context)), 1e18))
        )
    }
}
