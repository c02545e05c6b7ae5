extension EngineMetrics {
    /// In the text exposition format of Prometheus, version 0.0.4:
    /// https://prometheus.io/docs/instrumenting/exposition_formats/
    public func prometheus() -> String {
        var text = PrometheusText()
        for family in families {
            text.begin(family)
            for sample in family.samples {
                if let distribution = sample.distribution {
                    text.add(family.name, sample.labels, distribution)
                } else if let value = sample.value {
                    text.add(family.name, sample.labels, value)
                }
            }
        }
        return text.lines
    }
}

private struct PrometheusText {
    var lines = ""

    mutating func begin(_ family: EngineMetrics.Family) {
        lines += "# HELP \(family.name) \(Self.escape(family.help, quote: false))\n"
        lines += "# TYPE \(family.name) \(family.kind.rawValue)\n"
    }

    mutating func add(_ name: String, _ labels: [String: String], _ value: Double) {
        lines += name
        if !labels.isEmpty {
            let pairs = labels.sorted { $0.key < $1.key }.map { "\($0.key)=\"\(Self.escape($0.value))\"" }
            lines += "{" + pairs.joined(separator: ",") + "}"
        }
        lines += " \(Self.number(value))\n"
    }

    mutating func add(
        _ name: String,
        _ labels: [String: String],
        _ distribution: EngineMetrics.Distribution
    ) {
        for bucket in distribution.buckets {
            let bounded = labels.merging(["le": Self.number(bucket.upTo)]) { _, bound in bound }
            add(name + "_bucket", bounded, Double(bucket.count))
        }
        add(
            name + "_bucket",
            labels.merging(["le": "+Inf"]) { _, bound in bound },
            Double(distribution.count)
        )
        add(name + "_sum", labels, distribution.sum)
        add(name + "_count", labels, Double(distribution.count))
    }

    /// A line feed would end the sample, a quotation mark the label.
    private static func escape(_ text: String, quote: Bool = true) -> String {
        var escaped = ""
        // By scalars: a carriage return and a line feed are one character.
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\\\"
            case "\n": escaped += "\\n"
            case "\"" where quote: escaped += "\\\""
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// As Go reads it, which is what the format asks for.
    private static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value > 0 ? "+Inf" : "-Inf" }
        return Int(exactly: value).map(String.init) ?? value.description
    }
}
