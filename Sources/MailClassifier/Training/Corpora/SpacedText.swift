import Foundation

/// Text whose punctuation stands between spaces, as the Enron-Spam corpus has it, written as people write: otherwise no
/// link and no address would be known as one.
enum SpacedText {
    static func joined(_ text: String) -> String {
        var text = text.replacing(/(https?|ftp) ?: ?\/ ?\/ ?/) { "\($0.1)://" }
        text = text.replacing(/(?:https?|ftp):\/\/\w+(?: ?[.\/?=&_~%+#:\-] ?\w+)*(?: ?\/)?/) { packed($0.0) }
        text = text.replacing(/\bwww ?\. ?\w+(?: ?[.\/?=&_~%+#\-] ?\w+)*/) { packed($0.0) }
        text = text.replacing(/\w+(?: [.\-_] \w+)* @ \w+(?: ?[.\-] ?\w+)+/) { packed($0.0) }
        text = text.replacing(/(\w) ?' ?(s|t|re|ve|ll|d|m)\b/) { "\($0.1)'\($0.2)" }
        return text.replacing(/\ +([.,;:!?%)\]])/) { "\($0.1)" }
    }

    private static func packed(_ text: Substring) -> String { String(text.filter { $0 != " " }) }
}
