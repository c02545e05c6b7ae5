import BreezeLiteRT
import Foundation
import Testing

/// The library of this device, for the suites that need one.
enum Runtime {
    static let environment = ProcessInfo.processInfo.environment

    static var isPresent: Bool { (try? library()) != nil }

    static func library() throws -> LiteRTLibrary {
        try LiteRTLibrary.locate(environment: environment)
    }

    /// A model over a file that is written for it.
    static func model(_ model: TinyModel) throws -> LiteRTModel {
        try model.withFile { try LiteRTModel(library: library(), file: $0) }
    }
}

extension Trait where Self == ConditionTrait {
    static var needsRuntime: Self {
        .enabled(if: Runtime.isPresent, "LiteRT is not installed: run `make setup`")
    }
}
