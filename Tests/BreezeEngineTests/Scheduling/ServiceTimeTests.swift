import Testing

@testable import BreezeEngine

@Suite struct ServiceTimeTests {
    @Test func `the newest run weighs a fifth, and the wait is for those ahead, side by side`() {
        var service = ServiceTime()
        service.note(.seconds(10), isWhole: true)
        #expect(service.mean == .seconds(10))
        service.note(.seconds(20), isWhole: true)  // 10 + (20 - 10) / 5
        #expect(service.mean == .seconds(12))
        service.note(.seconds(2), isWhole: true)  // 12 + (2 - 12) / 5
        #expect(service.mean == .seconds(10))
        #expect(service.wait(ahead: 7, width: 2) == .seconds(35))
        #expect(service.wait(ahead: 1, width: 3) == .seconds(4))  // 3.33…
        #expect(service.wait(ahead: 0, width: 3) == .seconds(1))
    }

    @Test func `nothing measured is one second, and so is what is shorter`() {
        var service = ServiceTime()
        #expect(service.wait(ahead: 500, width: 1) == .seconds(1))
        service.note(.microseconds(50), isWhole: true)
        #expect(service.wait(ahead: 500, width: 1) == .seconds(1))
        #expect(service.wait(ahead: 20_001, width: 1) == .seconds(2))  // 1.00005 s
    }

    @Test func `a run that was given up counts only where it shows that runs take longer`() {
        var service = ServiceTime()
        service.note(.seconds(10), isWhole: true)
        service.note(.seconds(1), isWhole: false)
        #expect(service.mean == .seconds(10))
        service.note(.seconds(60), isWhole: false)
        #expect(service.mean == .seconds(20))
    }

    @Test func `a clock that jumps does not make an hour of a second`() {
        var service = ServiceTime()
        service.note(.seconds(-3_600), isWhole: true)
        #expect(service.mean == .zero)
        service.note(.seconds(36_000), isWhole: true)  // as 60 s
        #expect(service.mean == .seconds(12))
        service.note(.seconds(36_000), isWhole: true)  // as eight times the mean, 96 s: 12 + 84 / 5
        #expect(service.mean == .milliseconds(28_800))
    }
}
