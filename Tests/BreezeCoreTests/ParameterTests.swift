import BreezeCore
import Testing

@Suite struct ParameterTests {
    typealias Kind = ParameterDescriptor.Kind

    @Test(arguments: [
        (Kind.integer(min: 1, max: 8), JSONValue.number(4.0), Kind.Verdict.valid(4)),
        (.integer(min: 1, max: 8), 0, .outOfRange(nearest: 1, reason: "0 is below the least, 1")),
        (.integer(min: 1, max: 8), 9, .outOfRange(nearest: 8, reason: "9 is above the most, 8")),
        (.integer(), 4.5, .wrong(reason: "it must be an integer, not a number")),
        (.number(min: 0, max: 2), 1, .valid(1.0)),
        (.number(), .number(.nan), .wrong(reason: "it must be a number, not a number")),
        (.number(), "warm", .wrong(reason: #"it must be a number, not "warm""#)),
        (.boolean, 1, .wrong(reason: "it must be true or false, not an integer")),
        (.string, "x", .valid("x")),
        (.selection(["a", "b"]), "c", .wrong(reason: #"it must be one of a, b, not "c""#)),
        (.strings(maxCount: 2), "x", .valid(.array(["x"]))),
        (
            .strings(maxCount: 1), JSONValue.array(["x", "y"]),
            .outOfRange(nearest: .array(["x"]), reason: "2 strings are more than 1")
        ),
        (
            .strings(), JSONValue.array(["x", ""]),
            .wrong(reason: "it must be a list of strings, none of them empty")
        ),
    ])
    func `a kind judges a value`(kind: Kind, value: JSONValue, verdict: Kind.Verdict) {
        #expect(kind.check(value) == verdict)
    }

    @Test func `parameters are read and written by name`() {
        var config = InferenceConfig(
            temperature: 0.5,
            maxTokens: 7,
            stop: ["a"],
            additional: ["style": "terse"]
        )
        #expect(config.parameters.map(\.name) == ["temperature", "maxTokens", "stop", "style"])
        #expect(config[parameter: "maxTokens"] == 7)
        #expect(config[parameter: "stop"] == ["a"])
        config[parameter: "topK"] = 3
        config[parameter: "style"] = nil
        #expect(config.topK == 3)
        #expect(config.additional.isEmpty)
    }

    @Test(arguments: [
        ("privacy.ofline", "privacy.offline"), ("Temperatur", "temperature"), ("tempreature", "temperature"),
        ("temp", "temperature"),
    ])
    func `a slip of the pen finds its name`(typed: String, meant: String) {
        #expect(nearestName(to: typed, in: ["temperature", "topK", "privacy.offline"]) == meant)
    }

    @Test func `a word like no other finds nothing`() {
        #expect(nearestName(to: "zebra", in: ["temperature", "topK"]) == nil)
        #expect(nearestName(to: "x", in: [String]()) == nil)
    }
}
