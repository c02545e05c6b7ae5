import BreezeTestSupport
import Foundation

/// Model folders of JSON files, as their makers' programs write them.
enum MetadataSamples {
    /// As `coremlcompiler` describes an ML program; numbers are texts there.
    static func writeCompiled(to folder: ScratchFolder) throws {
        let description = """
            [{"metadataOutputVersion": "3.0", "storagePrecision": "Float16", "author": "Somebody",
              "shortDescription": "Hears", "version": "2", "license": "mit", "specificationVersion": 7,
              "outputSchema": [{"hasShapeFlexibility": "0", "isOptional": "0", "dataType": "Float32",
                "formattedType": "MultiArray (Float32)", "shortDescription": "", "shape": "[]",
                "name": "logits", "type": "MultiArray"}],
              "inputSchema": [{"hasShapeFlexibility": "0", "isOptional": "0", "dataType": "Float16",
                "formattedType": "MultiArray (Float16 1 × 80 × 3000)", "shortDescription": "",
                "shape": "[1, 80, 3000]", "name": "mel", "type": "MultiArray"},
                {"hasShapeFlexibility": "1", "shapeFlexibility": "1 × 1...128", "isOptional": "0",
                "shapeRange": "[[1, 1], [1, 128]]", "dataType": "Int32", "shape": "[1, 1]",
                "formattedType": "MultiArray (Int32 1 × 1)", "name": "tokens", "type": "MultiArray"},
                {"height": "224", "width": "160", "colorspace": "RGB", "isColor": "1",
                "formattedType": "Image (Color 160 × 224)", "name": "image", "type": "Image"}],
              "computePrecision": "Mixed (Float16, Int32)", "isUpdatable": "0",
              "modelType": {"name": "MLModelType_mlProgram"}, "userDefinedMetadata": {"key": "value"},
              "generatedClassName": "Hearer", "method": "predict"}]
            """
        try folder.write("model.mlmodelc/metadata.json", description)
        try folder.write("model.mlmodelc/coremldata.bin", Array(repeating: 1, count: 100))
        try folder.write("model.mlmodelc/weights/weight.bin", Array(repeating: 2, count: 400))
    }

    /// As `mlc_llm gen_config` and `convert_weight` write them.
    static func writeMLC(to folder: ScratchFolder) throws {
        let chat = """
            {"version": "0.1.0", "model_type": "qwen2", "quantization": "q4f16_1",
             "model_config": {"hidden_size": 64, "context_window_size": 32768, "vocab_size": 300},
             "vocab_size": 300, "context_window_size": 32768, "sliding_window_size": -1,
             "prefill_chunk_size": 2048, "tokenizer_files": ["tokenizer.json"],
             "conv_template": {"name": "chatml", "system_template": "x"}, "temperature": 1.0}
            """
        let list = """
            {"metadata": {"ParamSize": 3, "ParamBytes": 144.0, "BitsPerParam": 4.5},
             "records": [
              {"dataPath": "params_shard_0.bin", "format": "raw-shard", "nbytes": 96, "records": [
               {"name": "a.q_weight", "shape": [4, 4], "dtype": "uint32", "nbytes": 64, "byteOffset": 0},
               {"name": "a.q_scale", "shape": [4, 4], "dtype": "float16", "nbytes": 32, "byteOffset": 64}]},
              {"dataPath": "params_shard_1.bin", "format": "raw-shard", "nbytes": 48, "records": [
               {"name": "b", "shape": [24], "dtype": "float16", "nbytes": 48, "byteOffset": 0}]}]}
            """
        try folder.write("mlc/mlc-chat-config.json", chat)
        try folder.write("mlc/ndarray-cache.json", list)
        try folder.write("mlc/tokenizer.json", "{}")
        try folder.write("mlc/params_shard_0.bin", Array(repeating: 0, count: 96))
        try folder.write("mlc/params_shard_1.bin", Array(repeating: 0, count: 48))
    }
}
