import BreezeCore
import BreezeTestSupport
import Foundation
import Testing

@testable import BreezeModels

/// Formats are told by their bytes, so that every file here bears a wrong name.
struct FormatDetectorTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private static func numbers(_ values: [UInt32]) -> [UInt8] {
        values.flatMap { withUnsafeBytes(of: $0.littleEndian, Array.init) }
    }

    /// The dimensions of whisper.cpp's ggml-tiny.en.bin, and of a LLaMA 7B of early 2023.
    private static let whisper =
        Array("lmgg".utf8)
        + numbers([51_864, 1500, 384, 6, 4, 448, 384, 6, 4, 80, 1])
    private static let llama =
        Array("lmgg".utf8) + numbers([32_000, 4096, 256, 32, 32, 128, 2])
        + Array(repeating: 7, count: 64)

    private static let header = "{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}"

    /// ir_version 8 and an empty graph with an opset; specification 4, a description and an identity.
    private static let onnx: [UInt8] = [0x08, 8, 0x3A, 0, 0x42, 2, 0x10, 17]
    private static let coreML: [UInt8] = [0x08, 4, 0x12, 0, 0xA2, 0x38, 0]

    @Test(
        arguments: [
            (Array("GGUF".utf8) + numbers([3, 0, 0, 0, 0]), .gguf),
            ([0x1C, 0, 0, 0] + Array("TFL3".utf8), .tflite),
            ([0x1C, 0, 0, 0] + Array("ET12".utf8), .executorch), (whisper, .whisperGGML),
            (SafetensorsBuilder.file(header: header, data: [0, 0, 0, 0]), .safetensors), (onnx, .onnx),
            (coreML, .coreML),
        ] as [([UInt8], ModelFormat)]
    )
    func `a file is told by its bytes`(bytes: [UInt8], format: ModelFormat) throws {
        for name in ["model.gguf", "model.pllm", "README.md", "model"] {
            let found = try FormatDetector.detect(try folder.write(name, bytes))
            #expect(found.format == format)
            #expect(found.layout == .file && found.evidence == .content)
        }
    }

    /// A header of 640 bytes begins as a pickle does, and one of 0x3030 as a text.
    @Test(arguments: [640, 0x3030]) func `safetensors are told though they begin as another`(
        length: Int
    ) throws {
        let header = Self.header + String(repeating: " ", count: length - Self.header.utf8.count)
        let bytes = SafetensorsBuilder.file(header: header, data: [0, 0, 0, 0])
        #expect(try FormatDetector.detect(try folder.write("x", bytes)).format == .safetensors)
    }

    @Test(
        arguments: [
            (llama, "GGML"), (Array("fmgg".utf8) + numbers([1, 32_000]), "GGMF"),
            (Array("tjgg".utf8) + numbers([3, 32_000]), "GGJT"),
        ] as [([UInt8], String)]
    )
    func `an old language model is refused with the conversion to do`(bytes: [UInt8], name: String) throws {
        for file in ["old.bin", "old.gguf", "old.pllm"] {
            let url = try folder.write(file, bytes)
            let error = #expect(throws: BreezeError.self) { try FormatDetector.detect(url) }
            #expect(error?.code == .unsupported)
            #expect(error?.message.contains(name) == true, "\(error?.message ?? "")")
            #expect(error?.remedy?.contains("convert_llama_ggml_to_gguf.py") == true)
        }
    }

    @Test(
        arguments: [
            (Array("%PDF-1.7".utf8), "a PDF"), (Array("<!DOCTYPE html>".utf8), "a web page"),
            (Array("PK\u{3}\u{4}....".utf8), "a ZIP archive"), ([], "empty"),
            (Array("{\"a\": 1}".utf8), "a JSON text"), (Array("just words".utf8), "6a 75 73 74"),
            (Array("version https://git-lfs.github.com".utf8), "Git LFS"),
            ([0x80, 2, 0x63, 0x5F, 0x5F, 0x6D, 0x61, 0x69, 0x6E], "pickle"),
        ] as [([UInt8], String)]
    )
    func `what is no model is named`(bytes: [UInt8], words: String) throws {
        let url = try folder.write("model.gguf", bytes)
        let error = #expect(throws: BreezeError.self) { try FormatDetector.detect(url) }
        #expect(error?.code == .invalidFile)
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
        #expect(error?.remedy != nil)
    }

    @Test func `an unknown file is taken for picoLLM's by its name alone, and the result says so`() throws {
        let url = try folder.write("phi2.pllm", Array("anything at all".utf8))
        let found = try FormatDetector.detect(url)
        #expect(found.format == .picoLLM)
        #expect(found.evidence == .fileName)
        let metadata = try MetadataRegistry().metadata(of: url)
        #expect(metadata.extra["evidence"] == "fileName")
        #expect(metadata.size == 15)
        #expect(metadata.architecture == nil && metadata.capabilities.isEmpty)
        #expect(throws: BreezeError.self) { try FormatDetector.detect(try folder.write("e.pllm", [])) }
    }

    @Test func `a file that is not there is a matter of reading`() throws {
        let url = folder.url.appending(path: "nothing")
        #expect(#expect(throws: BreezeError.self) { try FormatDetector.detect(url) }?.code == .inputOutput)
    }

    private func weights(_ metadata: String) -> [UInt8] {
        let header = "{\"__metadata__\":{\(metadata)},\(Self.header.dropFirst())"
        return SafetensorsBuilder.file(header: header, data: [0, 0, 0, 0])
    }

    @Test(
        arguments: [
            ("{}", "\"format\":\"pt\"", ModelFormat.safetensors), ("{}", "\"format\":\"mlx\"", .mlx),
            ("{\"quantization\":{\"group_size\":64,\"bits\":4}}", "", .mlx),
            ("{\"quantization_config\":{\"quant_method\":\"awq\",\"bits\":4}}", "", .safetensors),
        ]
    )
    func `MLX folders are told from others by their weights or their configuration`(
        configuration: String,
        metadata: String,
        format: ModelFormat
    ) throws {
        try folder.write("m/config.json", configuration)
        try folder.write("m/model.safetensors", weights(metadata))
        let found = try FormatDetector.detect(folder.url.appending(path: "m"))
        #expect(found.format == format)
        #expect(found.layout == .folder)
        let read = try MetadataRegistry().metadata(of: folder.url.appending(path: "m"))
        #expect(read.format == format)
        #expect(read.quantization == (configuration == "{}" ? "F32" : format == .mlx ? "4-bit" : "awq 4-bit"))
    }

    @Test func `a folder around one file is that file, around two an error`() throws {
        try folder.write("m/README.md", "# words")
        try folder.write("m/weights", Self.onnx)
        let found = try FormatDetector.detect(folder.url.appending(path: "m"))
        #expect(found.format == .onnx)
        #expect(found.url.lastPathComponent == "weights")
        try folder.write("m/other", Self.coreML)
        let error = #expect(throws: BreezeError.self) {
            try FormatDetector.detect(folder.url.appending(path: "m"))
        }
        #expect(error?.message.contains("other, weights") == true)
        try folder.write("n/README.md", "# words")
        let none = #expect(throws: BreezeError.self) {
            try FormatDetector.detect(folder.url.appending(path: "n"))
        }
        #expect(none?.message.contains("holds no model") == true)
        try folder.write("o/old.bin", Self.llama)
        let old = #expect(throws: BreezeError.self) {
            try FormatDetector.detect(folder.url.appending(path: "o"))
        }
        #expect(old?.code == .unsupported)
    }
}
