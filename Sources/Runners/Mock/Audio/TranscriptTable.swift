import BreezeCore
import Foundation

/// What the mock hears in which recording: the first entry that fits.
struct TranscriptTable: Decodable, Sendable {
    static let embedded = Fixture<TranscriptTable>(
        PackageResources.transcripts_json,
        named: "transcripts.json"
    )

    struct Entry: Decodable, Sendable {
        /// `nil` fits every format, an unknown one too.
        let format: AudioFormat?
        /// `nil` fits every size.
        let maxBytes: Int?
        /// BCP 47.
        let language: String
        let text: String
    }

    let entries: [Entry]

    func entry(for audio: Data, format: AudioFormat?) throws -> Entry {
        let entry = entries.first { entry in
            (entry.format == nil || entry.format == format) && audio.count <= entry.maxBytes ?? .max
        }
        guard let entry else {
            throw BreezeError(.internalError, "The mock's transcripts have none for \(audio.count) bytes.")
        }
        return entry
    }
}
