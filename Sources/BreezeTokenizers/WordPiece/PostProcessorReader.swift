import BreezeCore

/// Reads from a `tokenizer.json` what frames one text, and what frames two.
struct PostProcessorReader {
    let file: TokenizerFile
    let section: StrictJSON

    /// `pair` is `nil` where the section leaves it empty.
    func templates() throws(BreezeError) -> (single: SequenceTemplate, pair: SequenceTemplate?) {
        switch section["type"]?.string ?? "none" {
        case "TemplateProcessing":
            return (try singleTemplate(), try pairTemplate())
        case "BertProcessing":
            let (cls, sep) = (try tokenID("cls"), try tokenID("sep"))
            return (.single(cls: cls, sep: sep), .bertPair(cls: cls, sep: sep))
        case "RobertaProcessing":
            let (cls, sep) = (try tokenID("cls"), try tokenID("sep"))
            return (.single(cls: cls, sep: sep), .robertaPair(cls: cls, sep: sep))
        case let type:
            throw file.invalid("its post_processor is \(type.prefix(40)), not TemplateProcessing")
        }
    }

    private func singleTemplate() throws(BreezeError) -> SequenceTemplate {
        let parts = try parts("single")
        let places = Self.places(in: parts)
        guard places.first == 1, places.second == 0 else {
            throw file.invalid("its template has \(places.first + places.second) places for the text")
        }
        return SequenceTemplate(parts: parts)
    }

    private func pairTemplate() throws(BreezeError) -> SequenceTemplate? {
        let parts = try parts("pair")
        guard !parts.isEmpty else { return nil }
        let places = Self.places(in: parts)
        guard places.first == 1, places.second == 1 else {
            throw file.invalid(
                "its template for pairs has \(places.first) places for the first text and "
                    + "\(places.second) for the second"
            )
        }
        return SequenceTemplate(parts: parts)
    }

    private static func places(in parts: [SequenceTemplate.Part]) -> (first: Int, second: Int) {
        parts.reduce(into: (0, 0)) { places, part in
            switch part.content {
            case .frame: break
            case .first: places.first += 1
            case .second: places.second += 1
            }
        }
    }

    private func parts(_ name: String) throws(BreezeError) -> [SequenceTemplate.Part] {
        guard let value = section[name] else { return [] }
        guard let list = value.array else { throw file.invalid("its template \(name) is no list") }
        var parts: [SequenceTemplate.Part] = []
        for element in list { parts.append(try part(element)) }
        return parts
    }

    private func part(_ element: StrictJSON) throws(BreezeError) -> SequenceTemplate.Part {
        guard let sequence = element["Sequence"] else {
            let special = element["SpecialToken"]
            return .init(
                content: .frame(try templateIDs(special?["id"]?.string)),
                typeID: try typeID(special)
            )
        }
        switch sequence["id"]?.string {
        case "A": return .init(content: .first, typeID: try typeID(sequence))
        case "B": return .init(content: .second, typeID: try typeID(sequence))
        default: throw file.invalid("its template has a place for a text that is neither A nor B")
        }
    }

    private func typeID(_ part: StrictJSON?) throws(BreezeError) -> Int32 {
        guard let value = part?["type_id"]?.integer, let id = Int32(exactly: value), id >= 0 else {
            throw file.invalid("a part of its template has no usable type_id")
        }
        return id
    }

    private func templateIDs(_ name: String?) throws(BreezeError) -> [Int32] {
        guard let name, let list = section["special_tokens"]?[name]?["ids"]?.array, !list.isEmpty else {
            throw file.invalid("its template names a special token without ids")
        }
        var ids: [Int32] = []
        for element in list { ids.append(try narrow(element.integer)) }
        return ids
    }

    /// `["[CLS]", 101]`
    private func tokenID(_ name: String) throws(BreezeError) -> Int32 {
        try narrow(section[name]?.array?.last?.integer)
    }

    private func narrow(_ id: Int?) throws(BreezeError) -> Int32 {
        guard let id, let narrow = Int32(exactly: id) else {
            throw file.invalid("a special token in its post_processor has no usable id")
        }
        return narrow
    }
}
