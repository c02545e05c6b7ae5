/// Lists the files in Outlook's winmail.dat ([MS-OXTNEF]): names and sizes, not the mail properties beside them.
public enum TNEFReader {
    private static let signature: UInt32 = 0x223E_9F78
    private static let attachBegins: UInt32 = 0x0006_9002
    private static let attachTitle: UInt32 = 0x0001_8010
    private static let attachData: UInt32 = 0x0006_800F
    /// More than this is no mail.
    private static let mostFiles = 1_000

    /// What can be read; nothing where `bytes` are no TNEF.
    public static func files(_ bytes: [UInt8]) -> [EmbeddedFile] {
        guard bytes.count >= 6, number(bytes, 0) == signature else { return [] }
        var files: [EmbeddedFile] = []
        var at = 6
        // An attribute: level, tag, length, data, checksum of two bytes.
        while at + 9 <= bytes.count, files.count < mostFiles {
            let tag = number(bytes, at + 1)
            let length = Int(number(bytes, at + 5))
            let start = at + 9
            guard length <= bytes.count - start else { break }
            switch tag {
            case attachBegins: files.append(EmbeddedFile(name: "", size: 0))
            case attachTitle where !files.isEmpty:
                let name = bytes[start..<start + length].prefix { $0 != 0 }
                files[files.count - 1].name = String(decoding: name, as: UTF8.self)
            case attachData where !files.isEmpty: files[files.count - 1].size = length
            default: break
            }
            at = start + length + 2
        }
        return files
    }

    private static func number(_ bytes: [UInt8], _ at: Int) -> UInt32 {
        (0..<4).reduce(0) { $0 | UInt32(bytes[at + $1]) << (8 * $1) }
    }
}
