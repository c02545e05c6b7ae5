/// Where encoding puts ids, with the bytes of the working text that each covers when offsets are wanted.
struct TokenSink {
    var ids: [Int32] = []
    /// The end of each id's bytes within its piece; empty where offsets are not wanted.
    private(set) var lengths: [Int32] = []
    let wantsLengths: Bool
    var scratch = EncodingScratch()

    init(wantsLengths: Bool) {
        self.wantsLengths = wantsLengths
    }

    @inline(__always)
    mutating func append(_ id: Int32, length: Int) {
        ids.append(id)
        if wantsLengths { lengths.append(Int32(truncatingIfNeeded: length)) }
    }

    /// Lets the last id cover what follows it, too: unknown characters become one token.
    mutating func extendLast(by length: Int) {
        if wantsLengths { lengths[lengths.count - 1] += Int32(truncatingIfNeeded: length) }
    }
}

/// Memory that encoding uses again from word to word.
struct EncodingScratch {
    var merger = SymbolMerger()
    var lattice = UnigramLattice()
    var hashes: [UInt64] = []
}
