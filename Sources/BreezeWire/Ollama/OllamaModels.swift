package import BreezeCore
package import Foundation

/// `GET /api/tags`, `GET /api/ps`, `POST /api/show`
package enum OllamaModels {
    /// A model that is installed.
    package struct Entry: Sendable {
        package var info: ModelInfo
        package var modifiedAt: Date
        /// Of Ollama's words, beyond what ``ModelInfo/capabilities`` tell: `tools`, `thinking`.
        package var abilities: [String]

        package init(info: ModelInfo, modifiedAt: Date, abilities: [String] = []) {
            self.info = info
            self.modifiedAt = modifiedAt
            self.abilities = abilities
        }
    }

    /// A model that is loaded.
    package struct Running: Sendable {
        package var info: ModelInfo
        /// When it will be unloaded; `nil` for never.
        package var expiresAt: Date?
        /// Bytes in use.
        package var memory: Int64
        /// Of those, the ones on an accelerator.
        package var acceleratorMemory: Int64
        package var contextLength: Int?

        package init(
            info: ModelInfo,
            expiresAt: Date?,
            memory: Int64,
            acceleratorMemory: Int64 = 0,
            contextLength: Int? = nil
        ) {
            self.info = info
            self.expiresAt = expiresAt
            self.memory = memory
            self.acceleratorMemory = acceleratorMemory
            self.contextLength = contextLength
        }
    }

    package static func tags(_ entries: [Entry]) -> [UInt8] {
        list(entries) { entry, writer in
            name(entry.info, to: &writer)
            writer.field("modified_at", WireTime.rfc3339(entry.modifiedAt))
            writer.field("size", entry.info.size)
            details(entry.info, to: &writer)
        }
    }

    package static func running(_ models: [Running]) -> [UInt8] {
        list(models) { model, writer in
            name(model.info, to: &writer)
            writer.field("size", model.memory)
            details(model.info, to: &writer)
            // What Ollama's own server writes for a model that stays: a time that no one lives to see.
            let expiry = model.expiresAt.map(WireTime.rfc3339)
            writer.field("expires_at", expiry ?? "2318-01-01T00:00:00.000000Z")
            writer.field("size_vram", model.acceleratorMemory)
            writer.field("context_length", ifPresent: model.contextLength)
        }
    }

    package static func show(_ entry: Entry) -> [UInt8] {
        let info = entry.info
        return JSONWriter.object { writer in
            writer.field("license", ifPresent: info.license)
            for empty: StaticString in ["modelfile", "parameters", "template"] { writer.field(empty, "") }
            details(info, to: &writer)
            writer.object("model_info") { writer in
                let architecture = info.architecture ?? "unknown"
                writer.field("general.architecture", architecture)
                writer.field("general.parameter_count", ifPresent: info.parameterCount)
                guard let length = info.contextLength else { return }
                writer.key(escaping: "\(architecture).context_length")
                writer.value(length)
            }
            writer.field("capabilities", capabilities(entry))
            writer.field("modified_at", WireTime.rfc3339(entry.modifiedAt))
        }
    }

    private static func list<Element>(
        _ elements: [Element],
        _ members: (Element, inout JSONWriter) -> Void
    ) -> [UInt8] {
        JSONWriter.object { writer in
            writer.array("models") { writer in
                for element in elements { writer.object { members(element, &$0) } }
            }
        }
    }

    private static func name(_ info: ModelInfo, to writer: inout JSONWriter) {
        writer.field("name", info.id)
        writer.field("model", info.id)
        writer.field("digest", info.digest ?? "")
    }

    private static func details(_ info: ModelInfo, to writer: inout JSONWriter) {
        let family = info.architecture ?? ""
        writer.object("details") { writer in
            writer.field("parent_model", "")
            writer.field("format", info.format.name)
            writer.field("family", family)
            writer.field("families", family.isEmpty ? [] : [family])
            writer.field("parameter_size", info.parameterCount.map(shortCount) ?? "")
            writer.field("quantization_level", info.quantization ?? "")
        }
    }

    private static func capabilities(_ entry: Entry) -> [String] {
        let words: [(AICapability, String)] = [
            (.chat, "completion"), (.vlm, "vision"), (.embedding, "embedding"),
        ]
        let own = words.filter { entry.info.capabilities.contains($0.0) }.map(\.1)
        return own + entry.abilities.filter { !own.contains($0) }
    }

    /// `596.05M`, `8.2B`, `7B`: Ollama's `format.HumanNumber`.
    static func shortCount(_ count: Int64) -> String {
        func digits(_ value: Double, _ places: Int) -> String {
            let isWhole = value == value.rounded(.down)
            return String(format: "%.\(isWhole ? 0 : places)f", locale: nil, value)
        }
        let value = Double(count)
        return switch count {
        case 1_000_000_000...: digits(value / 1e9, 1) + "B"
        case 1_000_000...: digits(value / 1e6, 2) + "M"
        case 1_000...: String(format: "%.0fK", locale: nil, value / 1e3)
        default: String(count)
        }
    }
}
