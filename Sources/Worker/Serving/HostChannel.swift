import CSandbox
import Foundation
import Synchronization

/// The worker's two ends of the protocol, away from its standard input and output.
final class HostChannel: Sendable {
    private let input: Int32
    private let output: Int32
    private let turn = Mutex(())

    init() throws {
        var (input, output) = (Int32(-1), Int32(-1))
        guard sandbox_take_standard_streams(&input, &output) == 0 else {
            throw WireFault("no standard input and output")
        }
        self.input = input
        self.output = output
    }

    /// Waits where the host does not read: what is sent is bounded by the credit it gave. A host that has gone is
    /// noticed by the thread that reads.
    func send(_ bytes: [UInt8]) {
        turn.withLock { _ in
            bytes.withUnsafeBytes { buffer in
                var rest = buffer[...]
                while !rest.isEmpty {
                    let piece = UnsafeRawBufferPointer(rebasing: rest)
                    let written = write(output, piece.baseAddress, piece.count)
                    if written > 0 { rest = rest.dropFirst(written) } else if errno != EINTR { return }
                }
            }
        }
    }

    /// Until the end of what the host says.
    func read(_ take: (UnsafeRawBufferPointer) -> Void) {
        withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 16) { buffer in
            while true {
                let count = Foundation.read(input, buffer.baseAddress, buffer.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return }
                take(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            }
        }
    }
}
