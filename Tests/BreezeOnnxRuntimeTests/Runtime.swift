import BreezeOnnxRuntime
import Foundation
import Testing

/// The library of this device, for the suites that need one.
enum Runtime {
    static let environment = ProcessInfo.processInfo.environment

    static var isPresent: Bool { (try? library()) != nil }

    static func library() throws -> OnnxRuntimeLibrary {
        try OnnxRuntimeLibrary.locate(environment: environment)
    }

    /// A session on a model that is written for it.
    static func session(
        _ model: OnnxModel,
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> OnnxSession {
        try await model.withFile { try await OnnxSession.load(library: library(), modelPath: $0) }
    }
}

extension Trait where Self == ConditionTrait {
    static var needsRuntime: Self {
        .enabled(if: Runtime.isPresent, "ONNX Runtime is not installed: run `make setup`")
    }
}
