import BreezeCore
import Foundation
import Testing

@testable import BreezeScheme

/// Section 3 of docs/url-scheme.md: its figures stand there.
@Suite struct QuestionLineTests {
    private let now: Int64 = 1_800_000_000_000
    private func app(_ name: String) throws -> CallbackScheme { try CallbackScheme(name) }

    private func code(_ work: () throws -> Void) -> String? {
        #expect(throws: BreezeError.self) { try work() }?.code.rawValue
    }

    @Test func `one question stands at a time, and the next comes ten seconds after the answer`() throws {
        var line = QuestionLine()
        #expect(try line.add("a", from: app("first"), at: now) == .ask)
        #expect(try line.add("b", from: app("second"), at: now + 1) == .wait)
        #expect(line.next(at: now + 2) == "a")
        #expect(line.answer("b", .allowed, at: now + 3) == false)
        #expect(line.answer("a", .allowed, at: now + 1_000) == true)
        #expect(line.answer("a", .allowed, at: now + 1_001) == false)
        #expect(line.next(at: now + 10_999) == nil)
        #expect(line.next(at: now + 11_000) == "b")
        #expect(line.takeEnded(at: now + 11_000) == [])
    }

    @Test func `four wait, one a callback`() throws {
        var line = QuestionLine()
        #expect(try line.add("0", from: app("app0"), at: now) == .ask)
        for number in 1...4 {
            #expect(try line.add("\(number)", from: app("app\(number)"), at: now) == .wait)
        }
        #expect(code { _ = try line.add("5", from: app("app5"), at: now) } == "rate_limited")
        line = QuestionLine()
        #expect(try line.add("0", from: app("app0"), at: now) == .ask)
        #expect(try line.add("1", from: app("app0"), at: now) == .wait)
        #expect(code { _ = try line.add("2", from: app("app0"), at: now) } == "rate_limited")
    }

    @Test func `who was refused is not asked about for ten minutes`() throws {
        var line = QuestionLine()
        #expect(try line.add("a", from: app("first"), at: now) == .ask)
        #expect(try line.add("b", from: app("first"), at: now) == .wait)
        #expect(line.answer("a", .refused, at: now) == true)
        #expect(line.takeEnded(at: now) == ["a", "b"])
        #expect(code { _ = try line.add("c", from: app("first"), at: now + 599_999) } == "not_paired")
        #expect(try line.add("d", from: app("second"), at: now + 9_999) == .wait)
        #expect(try line.add("e", from: app("first"), at: now + 600_000) == .ask)
    }

    @Test func `who was not answered in two minutes was refused`() throws {
        var line = QuestionLine()
        #expect(try line.add("a", from: app("first"), at: now) == .ask)
        #expect(try line.add("b", from: app("second"), at: now + 60_000) == .wait)
        #expect(line.takeEnded(at: now + 119_999) == [])
        #expect(line.takeEnded(at: now + 120_000) == ["a"])
        #expect(line.answer("a", .allowed, at: now + 120_000) == false)
        #expect(code { _ = try line.add("c", from: app("first"), at: now + 120_000) } == "not_paired")
        // It was never shown, so its callback is not silenced.
        #expect(line.next(at: now + 125_000) == nil)
        #expect(line.takeEnded(at: now + 180_000) == ["b"])
        #expect(try line.add("d", from: app("second"), at: now + 180_000) == .ask)
    }

    @Test func `nobody is silenced from when it was noticed that the owner had not answered`() throws {
        var line = QuestionLine()
        #expect(try line.add("a", from: app("first"), at: now) == .ask)
        #expect(code { _ = try line.add("b", from: app("first"), at: now + 719_999) } == "not_paired")
        line = QuestionLine()
        #expect(try line.add("a", from: app("first"), at: now) == .ask)
        #expect(try line.add("b", from: app("first"), at: now + 720_000) == .ask)
    }

    @Test func `after three refusals in a row nothing is asked for ten minutes`() throws {
        var line = QuestionLine()
        for number in 0..<3 {
            let time = now + Int64(number) * 20_000
            #expect(try line.add("\(number)", from: app("app\(number)"), at: time) == .ask)
            if number == 2 { #expect(try line.add("w", from: app("waiting"), at: time) == .wait) }
            #expect(line.answer("\(number)", .refused, at: time) == true)
        }
        #expect(line.takeEnded(at: now + 40_000) == ["0", "1", "2", "w"])
        #expect(code { _ = try line.add("x", from: app("app3"), at: now + 639_999) } == "rate_limited")
        #expect(try line.add("y", from: app("app3"), at: now + 640_000) == .ask)
    }

    @Test func `a yes between two refusals begins the count anew`() throws {
        var line = QuestionLine()
        for (number, answer) in [QuestionLine.Answer.refused, .refused, .allowed, .refused, .refused]
            .enumerated()
        {
            let time = now + Int64(number) * 20_000
            #expect(try line.add("\(number)", from: app("app\(number)"), at: time) == .ask)
            #expect(line.answer("\(number)", answer, at: time) == true)
        }
        #expect(try line.add("x", from: app("app9"), at: now + 100_000) == .ask)
    }

    @Test func `hub and handler share the line, and a clock that goes back holds up nobody`() throws {
        var line = QuestionLine()
        #expect(try line.add("a", from: app("first"), at: now) == .ask)
        #expect(line.answer("a", .refused, at: now) == true)
        var other = try JSONDecoder().decode(QuestionLine.self, from: JSONEncoder().encode(line))
        #expect(other == line)
        #expect(code { _ = try other.add("b", from: app("first"), at: now + 1) } == "not_paired")
        #expect(try other.add("c", from: app("first"), at: now - 3_600_000) == .ask)
    }

    @Test func `twelve answers go to strangers in ten minutes, and settings open once in ten seconds`() throws
    {
        var budget = OpeningBudget()
        for number: Int64 in 0..<12 { #expect(budget.takeAnswer(at: now + number) == true) }
        #expect(budget.takeAnswer(at: now + 599_999) == false)
        #expect(budget.takeAnswer(at: now + 600_000) == true)
        #expect(budget.takeAnswer(at: now + 600_000) == false)
        #expect(budget.takeSettings(at: now) == true)
        #expect(budget.takeSettings(at: now + 9_999) == false)
        #expect(budget.takeSettings(at: now + 10_000) == true)
        #expect(try JSONDecoder().decode(OpeningBudget.self, from: JSONEncoder().encode(budget)) == budget)
    }
}
