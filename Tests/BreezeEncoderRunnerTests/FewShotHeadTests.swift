import BreezeCore
import Testing

@testable import BreezeEncoderRunner

@Suite struct FewShotHeadTests {
    /// Two examples, +1 and -1, of two categories. By symmetry the weights are (a, -a) and the biases 0, and
    /// the penalised mean loss is least where 1 - σ(2a) = λa with λ = 1/(10·2): a = 1.323495, σ(2a) =
    /// 0.933825.
    @Test func `it finds the optimum that a hand computation gives`() throws {
        let head = try FewShotHead(labels: ["up", "down"], vectors: [[1], [-1]], targets: [0, 1])
        let scores = head.classify([1]).scores
        #expect(scores.map(\.label) == ["up", "down"])
        #expect(abs(scores[0].score - 0.933825) < 1e-3)
        #expect(abs(scores[0].score + scores[1].score - 1) < 1e-6)
        #expect(head.classify([-1]).label == "down")
        #expect(abs(head.classify([0]).scores[0].score - 0.5) < 1e-3)
    }

    @Test func `the same examples give the same head`() throws {
        let vectors: [[Float]] = [[0.6, 0.8], [1, 0], [0, 1]]
        let heads = try (0..<2).map { _ in
            try FewShotHead(labels: ["a", "b", "c"], vectors: vectors, targets: [0, 1, 2])
        }
        #expect(heads[0].classify([0.3, 0.4]) == heads[1].classify([0.3, 0.4]))
    }

    @Test func `three categories of three directions are told apart`() throws {
        let vectors: [[Float]] = [
            [1, 0, 0], [0, 1, 0], [0, 0, 1], [0.9, 0.1, 0], [0.1, 0.9, 0], [0, 0.1, 0.9],
        ]
        let head = try FewShotHead(labels: ["x", "y", "z"], vectors: vectors, targets: [0, 1, 2, 0, 1, 2])
        #expect([[1, 0, 0], [0, 1, 0], [0, 0, 1]].map { head.classify($0).label } == ["x", "y", "z"])
    }

    @Test func `learning ends when its task is cancelled`() async {
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try FewShotHead(labels: ["a", "b"], vectors: [[1], [-1]], targets: [0, 1])
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `no example is an error`() {
        #expect(throws: BreezeError.self) { try FewShotHead(labels: ["a"], vectors: [], targets: []) }
    }
}
