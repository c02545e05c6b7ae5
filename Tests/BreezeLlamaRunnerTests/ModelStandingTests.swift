import BreezeCore
import Foundation
import Testing

@testable import BreezeLlamaRunner

@Suite struct ModelStandingTests {
    private static func standing(_ parameters: Int64, _ memory: Int64?) -> ModelStanding {
        let model = ModelInfo(id: "m", format: .gguf, capabilities: [.chat], parameterCount: parameters)
        return ModelStanding(model, deviceMemory: memory)
    }

    @Test(arguments: [6_000_000_000, 64_000_000_000, nil] as [Int64?])
    func `a large device prefers the 1.7B class to smaller and to larger ones`(memory: Int64?) {
        let (small, middle, large) = (
            Self.standing(600_000_000, memory), Self.standing(1_700_000_000, memory),
            Self.standing(8_000_000_000, memory)
        )
        #expect(middle.qualityTier > large.qualityTier && large.qualityTier > small.qualityTier)
        #expect(small.reservation == nil && middle.reservation == nil)
    }

    @Test func `a small device prefers the 0.6B class, and keeps the large one for who names it`() {
        let (small, large) = (
            Self.standing(600_000_000, 5_999_999_999), Self.standing(1_700_000_000, 5_999_999_999)
        )
        #expect(small.qualityTier > large.qualityTier)
        #expect(small.reservation == nil && large.reservation != nil)
    }

    @Test func `a factory's runners carry it`() throws {
        let factory = LlamaRunnerFactory(deviceMemory: 4_000_000_000) { _ in .init(filePath: "/nowhere.gguf")
        }
        let model = ModelInfo(id: "m", format: .gguf, capabilities: [.chat], parameterCount: 1_700_000_000)
        #expect(factory.canMakeRunner(for: model))
        #expect(try factory.makeRunner(for: model, settings: LoadSettings()).reservation != nil)
        #expect(!factory.canMakeRunner(for: ModelInfo(id: "m", format: .safetensors, capabilities: [.chat])))
    }
}
