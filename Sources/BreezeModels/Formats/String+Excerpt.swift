extension String {
    /// Short and printable, for a message about a file that a stranger made.
    var excerpt: String {
        let printable = String(
            unicodeScalars.prefix(80).map {
                $0.properties.isWhitespace || $0.value < 32 ? " " : Character($0)
            }
        )
        return unicodeScalars.count > 80 ? printable + "…" : printable
    }
}
