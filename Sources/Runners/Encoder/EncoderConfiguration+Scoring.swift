import BreezeCore
import BreezeModels
import Foundation

extension EncoderConfiguration.Head {
    /// The model's own labels with what its logits say of them.
    func classify(_ logits: [Float]) -> Classification {
        Classification(
            scores: zip(labels, scores(logits)).map { Classification.Score(label: $0, score: $1) }
        )
    }

    /// A cross-encoder's one score: of a pair, and comparable within one query.
    func relevance(_ logits: [Float]) -> Double {
        scores(logits).first ?? 0
    }

    private func scores(_ logits: [Float]) -> [Double] {
        let values = logits.map(Double.init)
        switch scoring {
        case .identity: return values
        case .sigmoid: return values.map { 1 / (1 + exp(-$0)) }
        case .softmax:
            let top = values.max() ?? 0
            let powers = values.map { exp($0 - top) }
            let total = powers.reduce(0, +)
            return powers.map { $0 / total }
        }
    }
}
