package import BreezeCore
package import Foundation

/// `GET /v1/models` and `GET /v1/models/{id}`
package enum OpenAIModels {
    package struct Entry: Sendable {
        package var id: String
        package var created: Date
        /// What is known of it; its members stand in `breeze`.
        package var info: ModelInfo?
        /// What its runners answer.
        package var capabilities: [AICapability]
        /// Its answers are made up.
        package var isMock: Bool

        package init(
            id: String,
            created: Date,
            info: ModelInfo? = nil,
            capabilities: [AICapability]? = nil,
            isMock: Bool = false
        ) {
            self.id = id
            self.created = created
            self.info = info
            self.capabilities = capabilities ?? info?.capabilities ?? []
            self.isMock = isMock
        }
    }

    package static func list(_ entries: [Entry]) -> [UInt8] {
        JSONWriter.object { writer in
            writer.field("object", "list")
            writer.array("data") { writer in
                for entry in entries { writer.object { members(of: entry, to: &$0) } }
            }
        }
    }

    package static func one(_ entry: Entry) -> [UInt8] {
        JSONWriter.object { members(of: entry, to: &$0) }
    }

    private static func members(of entry: Entry, to writer: inout JSONWriter) {
        writer.field("id", entry.id)
        writer.field("object", "model")
        writer.field("created", WireTime.seconds(entry.created))
        writer.field("owned_by", "breeze")
        writer.object("breeze") { writer in
            writer.field("mock", entry.isMock)
            writer.field("capabilities", entry.capabilities.map(\.rawValue))
            guard let info = entry.info else { return }
            writer.field("name", info.name)
            writer.field("format", info.format.name)
            writer.field("architecture", ifPresent: info.architecture)
            writer.field("size", info.size)
            writer.field("context_length", ifPresent: info.contextLength)
            writer.field("quantization", ifPresent: info.quantization)
            writer.field("license", ifPresent: info.license)
        }
    }
}
