/// Endings of countries where a brand that has the name elsewhere has it too: not those that are given away, or sold
/// for what they spell.
enum CountryEndings {
    /// Asked of `de`, `co.uk`, `com.au`.
    static func contains(_ ending: Substring) -> Bool {
        let labels = ending.split(separator: ".")
        switch labels.count {
        case 1: return countries.contains(labels[0])
        case 2: return (labels[0] == "co" || labels[0] == "com") && countries.contains(labels[1])
        default: return false
        }
    }

    static let countries: Set<Substring> = Set(
        """
        ae ar at au az ba bd be bg bn bo br by ca ch cl cn cr cz de dk do dz ec ee eg es eu fi fr ge gr gt hk hn hr hu \
        id ie il in iq is it jo jp ke kr kw kz lb lk lt lu lv ma md mt mx my ng ni nl no nz om pa pe ph pk pl pr pt py qa \
        ro rs ru sa se sg si sk sv th tn tr tt tw ua uk us uy uz ve vn za
        """.split(whereSeparator: \.isWhitespace)
    )
}
