import CVectorSearch

extension VectorIndex {
    /// The sum of all words of all blocks by the widest loads of the processor: what merely reading them costs, which a
    /// search is held against.
    package func read(workers: Int) async -> UInt64 {
        guard workers > 1 else { return segments.reduce(0) { $0 &+ $1.read() } }
        return await withTaskGroup(of: UInt64.self) { group in
            for worker in 0..<workers {
                group.addTask {
                    stride(from: worker, to: segments.count, by: workers).reduce(0) {
                        $0 &+ segments[$1].read()
                    }
                }
            }
            return await group.reduce(0, &+)
        }
    }
}

extension Segment {
    fileprivate func read() -> UInt64 {
        vector_read(vector_best_level(), memory.blocks, layout.end(rows))
    }
}
