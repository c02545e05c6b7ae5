import BreezeCore

/// Sums over the tensors of safetensors files.
struct WeightTotals {
    private(set) var tensors = 0
    private(set) var parameters = 0
    private(set) var bytes = 0
    private var bytesByType: [TensorType: Int] = [:]

    /// `groupSize` is that of MLX's quantisation: a matrix `x.weight` of packed numbers then has its scales,
    /// one for each group, in `x.scales`, and counts as what it stands for.
    init(_ files: [SafetensorsFile], groupSize: Int? = nil) {
        for file in files {
            for tensor in file.tensors.values {
                tensors += 1
                bytes += tensor.byteCount
                bytesByType[tensor.type, default: 0] += tensor.byteCount
                parameters += Self.parameters(of: tensor, in: file, groupSize)
            }
        }
    }

    private static func parameters(
        of tensor: SafetensorsFile.Tensor,
        in file: SafetensorsFile,
        _ groupSize: Int?
    ) -> Int {
        guard let groupSize, let dot = tensor.name.lastIndex(of: ".") else { return tensor.elementCount }
        let layer = tensor.name[..<dot]
        let isQuantised = file.tensors["\(layer).weight"]?.type == .u32
        guard isQuantised, let scales = file.tensors["\(layer).scales"] else { return tensor.elementCount }
        switch tensor.name[dot...] {
        case ".weight": return scales.elementCount.multipliedReportingOverflow(by: groupSize).partialValue
        case ".scales", ".biases": return 0
        default: return tensor.elementCount
        }
    }

    /// The element type that most bytes have; by name where two are equal.
    var mainType: String? {
        bytesByType.max { ($0.value, $1.key.rawValue) < ($1.value, $0.key.rawValue) }?.key.rawValue
    }
}
