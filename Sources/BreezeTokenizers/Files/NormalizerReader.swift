import BreezeCore

/// Reads the section `normalizer` of a `tokenizer.json`.
struct NormalizerReader {
    let file: TokenizerFile

    func normalizer(_ section: StrictJSON?) throws(BreezeError) -> Normalizer {
        guard let section else { return Normalizer() }
        return Normalizer(steps: try steps(section))
    }

    private func steps(_ section: StrictJSON) throws(BreezeError) -> [Normalizer.Step] {
        switch section["type"]?.string ?? "none" {
        case "Sequence":
            guard let list = section["normalizers"]?.array else {
                throw file.invalid("its normalizer has no list")
            }
            var steps: [Normalizer.Step] = []
            for element in list { steps += try self.steps(element) }
            return steps
        case "NFC": return [.compose(compatibility: false)]
        case "NFKC": return [.compose(compatibility: true)]
        case "NFD": return [.decompose(compatibility: false)]
        case "NFKD": return [.decompose(compatibility: true)]
        case "Lowercase": return [.lowercase]
        case "StripAccents": return [.stripAccents]
        case "Nmt": return [.removeControls]
        case "Strip":
            return [
                .strip(left: section["strip_left"]?.bool ?? true, right: section["strip_right"]?.bool ?? true)
            ]
        case "Prepend":
            guard let text = section["prepend"]?.bytes else { throw file.invalid("its Prepend has no text") }
            return [.prepend(text)]
        case "Replace":
            guard let new = section["content"]?.bytes else {
                throw file.invalid("its Replace has no content")
            }
            return [.replace(try PreTokenizerReader(file: file).delimiter(section["pattern"]), with: new)]
        case "Precompiled": return try precompiled(section["precompiled_charsmap"])
        case let type:
            throw BreezeError(
                .unsupported,
                "\(file.name) normalises with \(type.prefix(40)), which is not supported.",
                remedy: "Take another edition of the model."
            )
        }
    }

    private func precompiled(_ value: StrictJSON?) throws(BreezeError) -> [Normalizer.Step] {
        guard let value else { return [] }
        guard let text = value.bytes, let blob = Self.decodedBase64(text) else {
            throw file.invalid("its precompiled_charsmap is no Base64")
        }
        guard !blob.isEmpty else { return [] }
        let fault: PatternFault
        do throws(PatternFault) { return [.precompiled(try CharacterMap(blob))] } catch { fault = error }
        throw file.invalid(fault.reason)
    }

    private static func decodedBase64(_ text: [UInt8]) -> [UInt8]? {
        var output: [UInt8] = []
        var bits: UInt32 = 0
        var count = 0
        for byte in text {
            let value: UInt8
            switch byte {
            case 0x41...0x5A: value = byte - 0x41
            case 0x61...0x7A: value = byte - 0x61 + 26
            case 0x30...0x39: value = byte - 0x30 + 52
            case 0x2B: value = 62
            case 0x2F: value = 63
            case 0x3D: continue
            default: return nil
            }
            bits = bits << 6 | UInt32(value)
            count += 6
            if count >= 8 {
                count -= 8
                output.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        return output
    }
}
