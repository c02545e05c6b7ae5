/// The name among `known` that the writer of `name` most likely meant: the shortest that it begins, else the
/// one that is the fewest edits away, and no more than a third of its length; `nil` where none is near. Case
/// does not count.
public func nearestName(to name: String, in known: some Collection<String>) -> String? {
    // Nobody mistypes that much, and the distance takes the product of both lengths.
    guard name.utf8.count <= 200 else { return nil }
    let begun = known.filter { name.count > 2 && $0.lowercased().hasPrefix(name.lowercased()) }
    if let shortest = begun.min(by: { ($0.count, $0) < ($1.count, $1) }) { return shortest }
    let wanted = Array(name.lowercased().unicodeScalars)
    let ranked = known.map {
        (name: $0, distance: editDistance(wanted, Array($0.lowercased().unicodeScalars)))
    }
    guard let best = ranked.min(by: { ($0.distance, $0.name) < ($1.distance, $1.name) }) else { return nil }
    let limit = max(2, max(wanted.count, best.name.unicodeScalars.count) / 3)
    return best.distance <= limit ? best.name : nil
}

/// Levenshtein's distance, one row at a time.
private func editDistance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
    var row = Array(0...right.count)
    for (i, a) in left.enumerated() {
        var diagonal = row[0]
        row[0] = i + 1
        for (j, b) in right.enumerated() {
            let substituted = diagonal + (a == b ? 0 : 1)
            diagonal = row[j + 1]
            row[j + 1] = min(substituted, row[j] + 1, row[j + 1] + 1)
        }
    }
    return row[right.count]
}
