import Foundation

/// Opens once. Its waiters are threads of their own and never those of the concurrency pool.
final class Latch: @unchecked Sendable {
    // Unchecked: `isOpen` is read and written under the condition's lock alone.
    private let condition = NSCondition()
    private var isOpen = false

    func open() {
        condition.lock()
        isOpen = true
        condition.broadcast()
        condition.unlock()
    }

    func wait(atMost seconds: Double) {
        let limit = Date(timeIntervalSinceNow: seconds)
        condition.lock()
        while !isOpen, condition.wait(until: limit) {}
        condition.unlock()
    }
}

extension Thread {
    /// Starts a thread that mostly waits in one system call.
    static func start(_ name: String, _ body: @escaping @Sendable () -> Void) {
        let thread = Thread(block: body)
        thread.name = name
        thread.stackSize = 256 << 10
        thread.start()
    }
}
