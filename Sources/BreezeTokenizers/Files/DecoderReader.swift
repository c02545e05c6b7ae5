import BreezeCore

/// Reads the section `decoder` of a `tokenizer.json`.
struct DecoderReader {
    let file: TokenizerFile

    /// None for a file that has no such section: then tokens have a space between them.
    func steps(_ section: StrictJSON?) throws(BreezeError) -> [DecodingStep] {
        guard let section else { return [] }
        switch section["type"]?.string ?? "none" {
        case "Sequence":
            guard let list = section["decoders"]?.array else { throw file.invalid("its decoder has no list") }
            var steps: [DecodingStep] = []
            for element in list { steps += try self.steps(element) }
            return steps
        case "ByteLevel": return [.byteLevel]
        case "ByteFallback": return [.byteFallback]
        case "Fuse": return [.fuse]
        case "Metaspace":
            let scheme = section["prepend_scheme"]?.string
            let isNever = scheme == "never" || (scheme == nil && section["add_prefix_space"]?.bool == false)
            return [.metaspace(section["replacement"]?.bytes ?? Array("\u{2581}".utf8), dropsFirst: !isNever)]
        case "WordPiece":
            let prefix = section["prefix"]?.bytes ?? Array("##".utf8)
            return [.wordPiece(prefix: prefix, cleansUp: section["cleanup"]?.bool ?? true)]
        case "BPEDecoder": return [.suffix(section["suffix"]?.bytes ?? Array("</w>".utf8))]
        case "Replace":
            guard let old = section["pattern"]?["String"]?.bytes, !old.isEmpty,
                let new = section["content"]?.bytes
            else { throw unsupported("Replace without a plain text") }
            return [.replace(old, with: new)]
        case "Strip":
            guard let content = section["content"]?.bytes else {
                throw file.invalid("its Strip has no content")
            }
            let left = section["start"]?.integer ?? 0
            let right = section["stop"]?.integer ?? 0
            guard (0...1024).contains(left), (0...1024).contains(right) else {
                throw file.invalid("its Strip takes \(left) and \(right)")
            }
            return [.strip(content, left: left, right: right)]
        case let type: throw unsupported("\(type.prefix(40))")
        }
    }

    private func unsupported(_ part: String) -> BreezeError {
        BreezeError(
            .unsupported,
            "\(file.name) decodes with \(part), which is not supported.",
            remedy: "Take another edition of the model."
        )
    }
}
