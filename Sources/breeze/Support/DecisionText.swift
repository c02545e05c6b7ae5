import BreezeCore

/// A routing decision for people.
enum DecisionText {
    static func lines(_ decision: RoutingDecision, style: Style) -> [String] {
        var lines: [String] = []
        if let chosen = decision.chosen {
            lines.append("\(decision.capability): \(style.bold(chosen)) would answer")
        } else if decision.candidates.isEmpty {
            lines.append("\(decision.capability): nothing here can do it")
        } else {
            lines.append("\(decision.capability): none of these may answer")
        }
        let width = decision.candidates.map(\.runner.count).max() ?? 0
        for candidate in decision.candidates {
            let isChosen = candidate.runner == decision.chosen
            let mark =
                isChosen ? style.good("→") : candidate.exclusion == nil ? style.dim("·") : style.bad("✗")
            let name = candidate.runner + String(repeating: " ", count: width - candidate.runner.count)
            let place = candidate.locality == .onDevice ? "on device" : "network  "
            let standing =
                candidate.exclusion.map { $0.rawValue.replacing("_", with: " ") }
                ?? "score \(candidate.score)"
            lines.append("  \(mark) \(name)  \(place)  \(standing)")
            lines += candidate.reasons.map { style.dim("      \($0)") }
            if let remedy = candidate.remedy { lines.append("      \(style.accent("mend it: "))\(remedy)") }
        }
        if let guarding = decision.guarding { lines.append("  \(style.dim("guarded:")) \(guarding.summary)") }
        return lines
    }
}
