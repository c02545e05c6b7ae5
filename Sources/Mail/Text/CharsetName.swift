/// What a message calls a character set, as iconv knows it.
public enum CharsetName {
    /// Sets that carry more than their name says: programs that write Windows' characters call them ISO 8859-1.
    private static let supersets = [
        "us-ascii": "windows-1252", "ascii": "windows-1252", "ansi_x3.4-1968": "windows-1252",
        "iso-8859-1": "windows-1252", "iso8859-1": "windows-1252", "latin1": "windows-1252",
        "iso-8859-9": "windows-1254", "iso-8859-8-i": "iso-8859-8", "iso-8859-8-e": "iso-8859-8",
        "iso-8859-6-i": "iso-8859-6", "gb2312": "gb18030", "gbk": "gb18030", "x-gbk": "gb18030",
        "cn-gb": "gb18030", "hz-gb-2312": "hz", "ks_c_5601-1987": "cp949", "ks_c_5601": "cp949",
        "euc-kr": "cp949",
        "shift_jis": "cp932", "shift-jis": "cp932", "x-sjis": "cp932", "sjis": "cp932", "big5": "big5-hkscs",
        "x-euc-jp": "euc-jp", "iso-2022-jp": "iso-2022-jp-3", "unicode-1-1-utf-7": "utf-7",
        "x-mac-roman": "macintosh", "x-unknown": "utf-8", "unknown-8bit": "utf-8", "default": "utf-8",
        "utf8": "utf-8", "unicode": "utf-16", "ansi_x3.110-1983": "iso-8859-1", "8bit": "utf-8",
        "7bit": "utf-8",
        "windows-31j": "cp932", "tis-620": "cp874", "iso-8859-11": "cp874", "utf-8utf-8": "utf-8",
    ]

    /// In lower case; an unknown name is handed back and may mean nothing to iconv.
    public static func canonical(_ name: String) -> String {
        let plain = name.trimmed.lowercased().filter { $0 != "\"" && $0 != "'" }
        if let known = supersets[plain] { return known }
        if plain.hasPrefix("cp-") { return "cp" + plain.dropFirst(3) }
        if plain.hasPrefix("cp125") { return "windows-" + plain.dropFirst(2) }
        if plain.hasPrefix("x-windows-") { return String(plain.dropFirst(2)) }
        return plain
    }
}
