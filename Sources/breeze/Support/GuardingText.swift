import BreezeCore

extension Guarding {
    /// Who checks what, as a line for people.
    var summary: String {
        if let reason, max(input, output, tools) > .off {
            return "\(guardian ?? "nobody") checks, and nothing passes: \(reason)"
        }
        guard let guardian, max(input, output, tools) > .off else {
            return "nobody checks: \(reason ?? "it is switched off")"
        }
        let modes = [("the request", input), ("the answer", output), ("tools' results", tools)]
        return "\(guardian) checks " + modes.map { "\($0): \($1.rawValue)" }.joined(separator: ", ")
    }
}
