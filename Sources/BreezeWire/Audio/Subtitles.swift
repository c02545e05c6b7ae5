import BreezeCore

/// Segments with their times, as players read them.
enum Subtitles {
    /// SubRip: numbered, with a comma before the milliseconds.
    static func srt(_ segments: [Transcript.Segment]) -> String {
        segments.enumerated().map { index, segment in
            "\(index + 1)\n\(times(segment, ","))\n\(line(segment.text))\n\n"
        }.joined()
    }

    /// WebVTT (W3C), with a point before the milliseconds.
    static func vtt(_ segments: [Transcript.Segment]) -> String {
        "WEBVTT\n\n" + segments.map { "\(times($0, "."))\n\(escaped(line($0.text)))\n\n" }.joined()
    }

    private static func times(_ segment: Transcript.Segment, _ mark: String) -> String {
        "\(time(segment.start, mark)) --> \(time(segment.end, mark))"
    }

    private static func time(_ seconds: Double, _ mark: String) -> String {
        let longest = 359_999.999
        let bounded = seconds.isFinite ? min(max(0, seconds), longest) : 0
        let milliseconds = Int((bounded * 1_000).rounded())
        let (whole, rest) = milliseconds.quotientAndRemainder(dividingBy: 1_000)
        let parts = [whole / 3_600, whole / 60 % 60, whole % 60].map { padded($0, 2) }
        return parts.joined(separator: ":") + mark + padded(rest, 3)
    }

    private static func padded(_ value: Int, _ width: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    /// A line break ends a cue in both forms.
    private static func line(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
