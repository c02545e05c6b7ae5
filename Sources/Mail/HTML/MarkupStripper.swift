/// Takes tags out without understanding them, for HTML that is nested deeper than anybody writes by hand.
public enum MarkupStripper {
    /// What stands between `<` and `>` is dropped; entities stay.
    public static func text(_ html: some Sequence<UInt8>) -> String {
        var kept: [UInt8] = []
        var isInTag = false
        for byte in html {
            switch byte {
            case UInt8(ascii: "<"):
                isInTag = true
                if kept.last != 32 { kept.append(32) }
            case UInt8(ascii: ">") where isInTag: isInTag = false
            default: if !isInTag { kept.append(byte) }
            }
        }
        return String(decoding: kept, as: UTF8.self)
    }
}
