import BreezeCore
import BreezeTokenizers

/// Tells ONNX and Core ML models apart, which have no signature: both are protobuf, and differ in the numbers
/// of their fields.
enum ProtobufModel {
    private static let onnxFields: Set<Int> = [1, 2, 3, 4, 5, 6, 7, 8, 14, 20, 25, 26]

    /// - Returns: `nil` for what is neither. A file that was cut short is still told by what is there of it.
    static func format(of file: PagedFile) -> ModelFormat? {
        var reader = ProtobufReader(file, 0..<file.size)
        var (varints, lengths) = (Set<Int>(), Set<Int>())
        while true {
            // Both writers put the format's version first.
            do {
                guard let field = try reader.next() else { break }
                if varints.isEmpty, field.number != 1 { return nil }
                switch field.value {
                case .varint: varints.insert(field.number)
                // As a SentencePiece vocabulary begins.
                case .bytes where field.number == 1: return nil
                case .bytes: lengths.insert(field.number)
                default: return nil
                }
            } catch {
                if let number = reader.unfinished { lengths.insert(number) }
                break
            }
        }
        guard varints.contains(1) else { return nil }
        if lengths.contains(7), varints.isSubset(of: [1, 5]), lengths.isSubset(of: onnxFields) {
            return .onnx
        }
        let kinds = lengths.subtracting([2])
        let isCoreML =
            lengths.contains(2) && varints.isSubset(of: [1, 10]) && kinds.count == 1
            && kinds.isSubset(of: CoreMLFile.kinds.keys)
        return isCoreML ? .coreML : nil
    }
}
