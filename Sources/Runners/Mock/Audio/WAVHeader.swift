import BreezeCore
import Foundation

/// What a WAV file says of itself. Layout: "Multimedia Programming Interface and Data Specifications 1.0",
/// RIFF and WAVE chapters; all numbers little-endian.
struct WAVHeader {
    var sampleRate: Int
    /// Bytes of sound.
    var dataSize: Int
    var bytesPerSecond: Int

    /// Seconds.
    var duration: Double { Double(dataSize) / Double(bytesPerSecond) }

    /// Walks the chunks of `file`, which begins with `RIFF…WAVE`.
    /// - Throws: ``BreezeError/Code/invalidRequest`` naming what is damaged.
    init(reading file: Data) throws {
        var reader = LittleEndianReader(file, offset: 12)
        var format: (rate: Int, bytesPerSecond: Int)?
        while let name = reader.name(), let size = reader.integer(bytes: 4) {
            let body = reader.offset
            if name == "fmt " {
                reader.offset += 4
                guard size >= 16, let rate = reader.integer(bytes: 4), let speed = reader.integer(bytes: 4),
                    rate > 0, speed > 0
                else { throw Self.damaged("its fmt chunk is cut short or has a rate of 0") }
                format = (rate, speed)
            } else if name == "data" {
                guard let format else { throw Self.damaged("its fmt chunk does not come before the data") }
                let left = file.count - body
                // Written by programs that did not know the length beforehand: everything to the end.
                let isOpenEnded = size == Int(UInt32.max)
                guard isOpenEnded || size <= left else {
                    throw Self.damaged("its data chunk announces \(size) bytes, and \(left) are there")
                }
                (sampleRate, bytesPerSecond) = format
                dataSize = isOpenEnded ? left : size
                return
            }
            reader.offset = body + size + size % 2
        }
        throw Self.damaged(format == nil ? "it has no fmt chunk" : "it has no data chunk")
    }

    private static func damaged(_ fault: String) -> BreezeError {
        BreezeError(
            .invalidRequest,
            "The WAV file is damaged: \(fault).",
            remedy: "Send the whole file, as the recorder wrote it."
        )
    }

    /// The 44 bytes before mono 16-bit PCM.
    static func bytes(sampleRate: Int, dataSize: Int) -> Data {
        var header = Data("RIFF".utf8)
        func put(_ value: Int, bytes: Int) {
            for place in 0..<bytes { header.append(UInt8(truncatingIfNeeded: value >> (8 * place))) }
        }
        put(36 + dataSize, bytes: 4)
        header += Data("WAVEfmt ".utf8)
        put(16, bytes: 4)  // size of the fmt chunk
        put(1, bytes: 2)  // PCM
        put(1, bytes: 2)  // channels
        put(sampleRate, bytes: 4)
        put(sampleRate * 2, bytes: 4)  // bytes a second
        put(2, bytes: 2)  // bytes a frame
        put(16, bytes: 2)  // bits a sample
        header += Data("data".utf8)
        put(dataSize, bytes: 4)
        return header
    }
}
