/// The best way to each place of a text, and the way to its end.
struct UnigramLattice {
    struct Step {
        let id: Int32
        let start: Int
        let end: Int
    }

    /// From the end to the beginning.
    private(set) var path: [Step] = []
    /// How much better each choice on the path is than the next best one, at the least.
    private(set) var margin = Double.infinity
    /// Steps taken so far: the measure of work that the linearity test reads.
    private(set) var work = 0

    private struct Place {
        var best = 0.0
        /// The sum of the next best way here.
        var second = -Double.infinity
        var id: Int32 = 0
        /// -1 while no way leads here.
        var start: Int32 = -1
    }

    private var places: [Place] = []

    /// For each place only the best way there is kept, so the work is the text's length times the longest token's.
    ///
    /// It begins with the `sum` of all that comes before, and every sum may be rounded to single precision.
    /// - Returns: the sum at the end.
    mutating func search(
        _ model: UnigramModel,
        _ text: [UInt8],
        _ piece: Range<Int>,
        from sum: Double,
        isSingle: Bool
    ) -> Double {
        let count = piece.count
        places.removeAll(keepingCapacity: true)
        places.append(contentsOf: repeatElement(Place(), count: count + 1))
        places[0].best = sum
        var taken = 0
        places.withUnsafeMutableBufferPointer { places in
            var start = 0
            while start < count {
                let length = min(UTF8Decoding.length(text[piece.lowerBound + start]), count - start)
                taken += Self.extend(places, from: start, length, model, text, piece, isSingle)
                start += length
            }
        }
        work += taken
        collect(piece)
        return places[count].best
    }

    /// Offers every token that begins at `start`, where a character of `length` bytes is, to the place of its end.
    /// - Returns: how many places it has looked at.
    @inline(__always)
    private static func extend(
        _ places: UnsafeMutableBufferPointer<Place>,
        from start: Int,
        _ length: Int,
        _ model: UnigramModel,
        _ text: [UInt8],
        _ piece: Range<Int>,
        _ isSingle: Bool
    ) -> Int {
        let base = places[start].best
        var hasSingle = false
        var node = TokenTrie.root
        var end = start
        while end < piece.count, let next = model.trie.child(of: node, text[piece.lowerBound + end]) {
            node = next
            end += 1
            guard node.isToken else { continue }
            let id = model.trie.id(at: node)
            let sum = base + model.scores[Int(id)]
            offer(isSingle ? Double(Float(sum)) : sum, id, from: start, to: &places[end])
            if end - start == length { hasSingle = true }
        }
        if !hasSingle {
            let sum = base + model.unknownScore
            let rounded = isSingle ? Double(Float(sum)) : sum
            offer(rounded, model.unknownID, from: start, to: &places[start + length])
        }
        return end - start + 1
    }

    @inline(__always)
    private static func offer(_ sum: Double, _ id: Int32, from start: Int, to place: inout Place) {
        if place.start < 0 || sum > place.best {
            if place.start >= 0 { place.second = place.best }
            place.best = sum
            place.id = id
            place.start = Int32(truncatingIfNeeded: start)
        } else if sum > place.second {
            place.second = sum
        }
    }

    private mutating func collect(_ piece: Range<Int>) {
        path.removeAll(keepingCapacity: true)
        margin = .infinity
        var end = piece.count
        while end > 0 {
            let place = places[end]
            let start = Int(place.start)
            path.append(Step(id: place.id, start: piece.lowerBound + start, end: piece.lowerBound + end))
            margin = min(margin, place.best - place.second)
            end = start
        }
    }
}
