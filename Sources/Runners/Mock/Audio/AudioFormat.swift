import Foundation

/// A recording's format by its first bytes.
enum AudioFormat: String, Decodable {
    case wav, mp3, flac, ogg

    init?(of data: Data) {
        let head = [UInt8](data.prefix(12))
        if head.starts(with: "RIFF".utf8), head.dropFirst(8).elementsEqual("WAVE".utf8) {
            self = .wav
        } else if head.starts(with: "fLaC".utf8) {
            self = .flac
        } else if head.starts(with: "OggS".utf8) {
            self = .ogg
        } else if head.starts(with: "ID3".utf8) || Self.isLayer3Frame(head) {
            self = .mp3
        } else {
            return nil
        }
    }

    /// Eleven bits of sync, then a version that is not the reserved one, then layer III (ISO 11172-3,
    /// 2.4.1.3).
    private static func isLayer3Frame(_ head: [UInt8]) -> Bool {
        guard head.count > 1 else { return false }
        return head[0] == 0xFF && head[1] & 0xE6 == 0xE2 && head[1] & 0x18 != 0x08
    }
}
