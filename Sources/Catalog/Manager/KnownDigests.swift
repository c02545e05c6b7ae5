import BreezeCore
import BreezeModels
import Foundation

/// The first digest that was seen of each file whose source states none: a later change is an error.
struct KnownDigests: Sendable {
    private let file: URL

    init(file: URL) {
        self.file = file
    }

    subscript(_ key: String) -> String? { all[key] }

    private var all: [String: String] {
        guard let data = try? Data(contentsOf: file) else { return [:] }
        return (try? JSONDecoder().decode([String: String].self, from: data)) ?? [:]
    }

    func remember(_ digests: [String: String]) throws {
        guard !digests.isEmpty else { return }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        do {
            let data = try encoder.encode(all.merging(digests) { _, new in new })
            try data.write(to: file, options: .atomic)
            chmod(file.path, 0o600)
        } catch {
            throw BreezeError(.inputOutput, "\(file.path) cannot be written.", underlying: error)
        }
    }

    static func key(_ plan: PullPlan, _ name: String) -> String { "\(plan.source)#\(name)" }
}
