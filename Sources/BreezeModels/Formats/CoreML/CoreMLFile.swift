import BreezeCore
import BreezeTokenizers

/// What a Core ML model states of itself, from its protobuf: in a `.mlmodel` the file itself, in a
/// `.mlpackage` one of its files.
struct CoreMLFile {
    private(set) var specificationVersion = 0
    /// `mlProgram`, `neuralNetwork`, and the other fields of `Model.proto`'s `Type`.
    private(set) var kind = ""
    private(set) var isUpdatable = false
    private(set) var inputs: [TensorDescription] = []
    private(set) var outputs: [TensorDescription] = []
    private(set) var states: [TensorDescription] = []
    private(set) var functions: [String] = []
    private(set) var predictedFeature = ""
    private(set) var description = ""
    private(set) var version = ""
    private(set) var author = ""
    private(set) var license = ""
    private(set) var userDefined: [String: String] = [:]
    /// Files with an ML program's weights, as the program names them: `@model_path/weights/weight.bin`.
    private(set) var weightFiles: Set<String> = []
    /// Values that lie in those files, and their elements.
    private(set) var weightCount = 0
    private(set) var parameterCount = 0

    private let file: PagedFile

    init(_ file: PagedFile) throws {
        self.file = file
        var hasDescription = false
        try ProtobufReader.forEachField(of: 0..<file.size, in: file) { field in
            switch (field.number, field.value) {
            case (1, .varint(let number)): specificationVersion = Int(truncatingIfNeeded: number)
            case (2, .bytes(let range)):
                hasDescription = true
                try readDescription(range)
            case (10, .varint(let flag)): isUpdatable = flag != 0
            case (let number, .bytes(let range)):
                guard let name = Self.kinds[number] else { return }
                kind = name
                guard name == "mlProgram" else { return }
                var program = MILProgram(file)
                try program.read(range)
                (weightFiles, weightCount) = (program.weightFiles, program.weightCount)
                parameterCount = program.parameterCount
            default: break
            }
        }
        guard hasDescription, !kind.isEmpty else { throw FormatFault("it has no description, or no model") }
    }

    private mutating func readDescription(_ range: Range<Int>) throws {
        let features = CoreMLFeatures(file)
        try ProtobufReader.forEachField(of: range, in: file) { field in
            guard case .bytes(let content) = field.value else { return }
            switch field.number {
            case 1: inputs.append(try features.port(content))
            case 10: outputs.append(try features.port(content))
            case 11: predictedFeature = try file.text(content)
            case 13: states.append(try features.port(content))
            case 20: try readFunction(content, features)
            case 100: try readMetadata(content)
            default: break
            }
        }
    }

    /// A model of several functions describes its inputs in each; the first stands for the model.
    private mutating func readFunction(_ range: Range<Int>, _ features: CoreMLFeatures) throws {
        let isFirst = functions.isEmpty
        var name = ""
        try ProtobufReader.forEachField(of: range, in: file) { field in
            guard case .bytes(let content) = field.value else { return }
            switch field.number {
            case 1: name = try file.text(content)
            case 2 where isFirst: inputs.append(try features.port(content))
            case 3 where isFirst: outputs.append(try features.port(content))
            case 6 where isFirst: states.append(try features.port(content))
            default: break
            }
        }
        functions.append(name)
    }

    private mutating func readMetadata(_ range: Range<Int>) throws {
        try ProtobufReader.forEachField(of: range, in: file) { field in
            guard case .bytes(let content) = field.value else { return }
            switch field.number {
            case 1: description = try file.text(content)
            case 2: version = try file.text(content)
            case 3: author = try file.text(content)
            case 4: license = try file.text(content)
            case 100:
                let (key, value) = try ProtobufReader.pair(content, in: file)
                userDefined[key] = value
            default: break
            }
        }
    }

    /// The fields of the `oneof Type` in Model.proto.
    static let kinds: [Int: String] = [
        200: "pipelineClassifier", 201: "pipelineRegressor", 202: "pipeline", 300: "glmRegressor",
        301: "supportVectorRegressor", 302: "treeEnsembleRegressor", 303: "neuralNetworkRegressor",
        304: "bayesianProbitRegressor", 400: "glmClassifier", 401: "supportVectorClassifier",
        402: "treeEnsembleClassifier", 403: "neuralNetworkClassifier", 404: "kNearestNeighborsClassifier",
        500: "neuralNetwork", 501: "itemSimilarityRecommender", 502: "mlProgram", 555: "customModel",
        556: "linkedModel", 560: "classConfidenceThresholding", 600: "oneHotEncoder", 601: "imputer",
        602: "featureVectorizer", 603: "dictVectorizer", 604: "scaler", 606: "categoricalMapping",
        607: "normalizer", 609: "arrayFeatureExtractor", 610: "nonMaximumSuppression", 900: "identity",
        2000: "textClassifier", 2001: "wordTagger", 2002: "visionFeaturePrint",
        2003: "soundAnalysisPreprocessing", 2004: "gazetteer", 2005: "wordEmbedding",
        2006: "audioFeaturePrint", 3000: "serializedModel",
    ]
}
