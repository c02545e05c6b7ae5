/// What the end of a file's name says of it, in lower case.
enum FileEndings {
    /// Run when they are opened, and nothing that people send each other.
    static let programs: Set<Substring> = [
        "exe", "scr", "com", "pif", "vbs", "vbe", "jse", "wsf", "wsh", "hta", "msi", "msp", "mst", "lnk",
        "cpl",
        "chm", "gadget", "application", "appx", "appxbundle", "msix", "scf", "xll", "wll",
        "settingcontent-ms",
        "shb", "shs", "sct", "ws", "search-ms", "library-ms", "vhd", "vhdx",
    ]
    /// Run as well, or hold what is; people who write programs send them.
    static let scripts: Set<Substring> = [
        "bat", "cmd", "js", "jar", "ps1", "psm1", "reg", "iso", "img", "dll", "inf", "url", "apk", "dmg",
        "one",
        "docm", "dotm", "xlsm", "xlam", "xltm", "pptm", "ppam",
    ]
    static let pages: Set<Substring> = ["html", "htm", "shtml", "xhtml", "xht", "mht", "mhtml", "svg"]
    static let archives: Set<Substring> = [
        "zip", "rar", "7z", "tar", "gz", "tgz", "bz2", "xz", "cab", "arj", "lzh", "ace", "z",
    ]
    /// What somebody means to read.
    static let documents: Set<Substring> = [
        "pdf", "doc", "docx", "xls", "xlsx", "ppt", "pptx", "odt", "ods", "rtf", "txt", "csv", "jpg", "jpeg",
        "png", "gif", "tif", "tiff", "mp3", "mp4", "wav", "avi", "mov", "eml", "msg", "zip", "rar",
    ]
}
