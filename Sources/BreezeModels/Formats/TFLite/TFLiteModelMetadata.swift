import Foundation

/// TensorFlow Lite's own metadata (`metadata_schema.fbs`): a flatbuffer in one of the model's buffers.
struct TFLiteModelMetadata {
    static let entry = "TFLITE_METADATA"

    let name: String?
    let description: String?
    let version: String?
    let author: String?
    let license: String?
    /// Labels and vocabularies, which lie in a ZIP archive behind the model.
    let associatedFiles: [String]

    init(_ bytes: [UInt8]) throws {
        let root = try FlatBufferReader(PagedFile(bytes), size: bytes.count).root()
        name = try root.text(0)
        description = try root.text(1)
        version = try root.text(2)
        author = try root.text(4)
        license = try root.text(5)
        var files: [String] = []
        try root.vector(6)?.forEachTable { files.append(try $0.text(0) ?? "") }
        associatedFiles = files
    }
}
