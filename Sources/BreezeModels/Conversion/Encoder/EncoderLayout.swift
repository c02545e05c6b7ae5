import BreezeCore

/// Describes an encoder to an ``EncoderEmitter``: which operations follow on each other, with which weights.
struct EncoderLayout {
    let configuration: EncoderConfiguration
    let weights: EncoderWeights

    static let embeddingOutput = "sentence_embedding"
    static let logitsOutput = "logits"

    private var parts: EncoderArchitecture { configuration.architecture.parts }

    /// - Throws: ``BreezeError`` `.invalidFile` naming a tensor that is missing or does not fit.
    func emit(into emitter: inout some EncoderEmitter) throws {
        try weights.checkLayers(parts.layers, count: configuration.layers)
        var x = try emitter.norm(try emitter.embed(try tables()), try norm("embeddings.LayerNorm"))
        let bias = try relativeBias().map { try emitter.relativeBias($0) }
        for number in 0..<configuration.layers {
            x = try layer(parts.layers + "\(number).", x, bias, into: &emitter)
        }
        if let head = configuration.head {
            return try classify(x, labels: head.labels.count, into: &emitter)
        }
        var vector = try emitter.pool(x, configuration.pooling)
        if configuration.normalizes { vector = try emitter.normalize(vector) }
        try emitter.output(vector, name: Self.embeddingOutput, width: configuration.width)
    }

    private func classify<Emitter: EncoderEmitter>(
        _ x: Emitter.Value,
        labels: Int,
        into emitter: inout Emitter
    ) throws {
        let (head, width) = (parts.head, configuration.width)
        let output = try weights.classifier(head.output, labels: labels, from: width)
        let first = try emitter.pool(x, .cls)
        var y = try emitter.linear(first, try linear(head.dense, from: width, to: width))
        let path = head.dense + ".activation"
        switch head.activation {
        case .tanh: y = try emitter.tanh(y, path: path)
        case .relu: y = try emitter.activate(y, .relu, path: path)
        }
        try emitter.output(try emitter.linear(y, output), name: Self.logitsOutput, width: labels)
    }

    private func tables() throws -> EmbeddingTables {
        func table(_ name: String, rows: Int) throws -> SafetensorsFile.Tensor {
            try weights.tensor("embeddings.\(name)_embeddings.weight", shape: [rows, configuration.width])
        }
        return EmbeddingTables(
            words: try table("word", rows: configuration.vocabularySize),
            positions: try table("position", rows: configuration.positions),
            firstPosition: parts.firstPosition,
            types: parts.hasTokenTypes ? try table("token_type", rows: configuration.tokenTypes) : nil
        )
    }

    private func relativeBias() throws -> RelativeBias? {
        guard let name = parts.relativeBias else { return nil }
        return RelativeBias(
            table: try weights.tensor(name, shape: [RelativePositions.bucketCount, configuration.heads]),
            longest: configuration.longestSequence
        )
    }

    private func layer<Emitter: EncoderEmitter>(
        _ path: String,
        _ x: Emitter.Value,
        _ bias: Emitter.Value?,
        into emitter: inout Emitter
    ) throws -> Emitter.Value {
        let (names, width, inner) = (parts.layer, configuration.width, configuration.intermediateWidth)
        let scale = 1 / Float(width / configuration.heads).squareRoot()
        func square(_ name: String, factor: Float = 1) throws -> LinearWeights {
            try linear(path + name, from: width, to: width, factor: factor)
        }
        let inputs = AttentionInputs(
            query: try emitter.linear(x, try square(names.query, factor: scale)),
            key: try emitter.linear(x, try square(names.key)),
            value: try emitter.linear(x, try square(names.value)),
            bias: bias
        )
        func beside(_ name: String, _ own: String) -> String { path + Self.sibling(of: name, own) }
        let context = try emitter.attention(inputs, path: beside(names.query, "attention"))
        var y = try emitter.linear(context, try square(names.attentionOutput))
        y = try emitter.add(y, x, path: beside(names.attentionNorm, "residual"))
        let seen = try emitter.norm(y, try norm(path + names.attentionNorm))
        y = try emitter.linear(seen, try linear(path + names.inner, from: width, to: inner))
        y = try emitter.activate(y, configuration.activation, path: beside(names.inner, "activation"))
        y = try emitter.linear(y, try linear(path + names.outer, from: inner, to: width))
        y = try emitter.add(y, seen, path: beside(names.norm, "residual"))
        return try emitter.norm(y, try norm(path + names.norm))
    }

    /// Names what has no weights: `own` in place of the last part of `path`, or after its only one.
    private static func sibling(of path: String, _ own: String) -> String {
        guard let dot = path.lastIndex(of: ".") else { return "\(path).\(own)" }
        return path[...dot] + own
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
