import BreezeCore

/// Describes an encoder to an ``EncoderEmitter``: which operations follow on each other, with which weights.
struct EncoderLayout {
    let configuration: EncoderConfiguration
    let weights: EncoderWeights

    static let embeddingOutput = "sentence_embedding"

    /// - Throws: ``BreezeError`` `.invalidFile` naming a tensor that is missing or does not fit.
    func emit(into emitter: inout some EncoderEmitter) throws {
        try weights.checkLayers(configuration.layers)
        var x = try emitter.norm(try emitter.embed(try tables()), try norm("embeddings.LayerNorm"))
        for layer in 0..<configuration.layers {
            x = try self.layer("encoder.layer.\(layer).", x, into: &emitter)
        }
        var vector = try emitter.pool(x, configuration.pooling)
        if configuration.normalizes { vector = try emitter.normalize(vector) }
        try emitter.output(vector, name: Self.embeddingOutput, width: configuration.width)
    }

    private func tables() throws -> EmbeddingTables {
        func table(_ name: String, rows: Int) throws -> SafetensorsFile.Tensor {
            try weights.tensor("embeddings.\(name)_embeddings.weight", shape: [rows, configuration.width])
        }
        return EmbeddingTables(
            words: try table("word", rows: configuration.vocabularySize),
            positions: try table("position", rows: configuration.positions),
            types: try table("token_type", rows: configuration.tokenTypes)
        )
    }

    private func layer<Emitter: EncoderEmitter>(
        _ path: String,
        _ x: Emitter.Value,
        into emitter: inout Emitter
    ) throws -> Emitter.Value {
        let (width, inner) = (configuration.width, configuration.intermediateWidth)
        let scale = 1 / Float(width / configuration.heads).squareRoot()
        let part = path + "attention.self."
        let inputs = AttentionInputs(
            query: try emitter.linear(x, try linear(part + "query", from: width, to: width, factor: scale)),
            key: try emitter.linear(x, try linear(part + "key", from: width, to: width)),
            value: try emitter.linear(x, try linear(part + "value", from: width, to: width))
        )
        let context = try emitter.attention(inputs, path: part + "attention")
        let out = path + "attention.output."
        var y = try emitter.linear(context, try linear(out + "dense", from: width, to: width))
        let seen = try emitter.norm(
            try emitter.add(y, x, path: out + "residual"),
            try norm(out + "LayerNorm")
        )
        y = try emitter.linear(seen, try linear(path + "intermediate.dense", from: width, to: inner))
        y = try emitter.activate(y, configuration.activation, path: path + "intermediate.activation")
        y = try emitter.linear(y, try linear(path + "output.dense", from: inner, to: width))
        return try emitter.norm(
            try emitter.add(y, seen, path: path + "output.residual"),
            try norm(path + "output.LayerNorm")
        )
    }

    private func linear(_ path: String, from: Int, to: Int, factor: Float = 1) throws -> LinearWeights {
        LinearWeights(
            path: path,
            weight: try weights.tensor(path + ".weight", shape: [to, from]),
            bias: try weights.tensor(path + ".bias", shape: [to]),
            factor: factor
        )
    }

    private func norm(_ path: String) throws -> NormWeights {
        let shape = [configuration.width]
        return NormWeights(
            path: path,
            gain: try weights.tensor(path + ".weight", shape: shape),
            bias: try weights.tensor(path + ".bias", shape: shape),
            epsilon: configuration.normEpsilon
        )
    }
}
