/// Joins what words and meaning found by reciprocal ranks (Cormack, Clarke and Büttcher 2009): scores of different kinds
/// are never compared, only places.
struct RankFusion {
    /// How much the first places count above the later ones. The paper's 60 is for runs of a thousand documents of which
    /// many are wanted; of mail it is one, and 10 put it in front more often.
    var k = 10.0
    /// What a subject with all words counts, as a share of a first place.
    var subjectBoost = 0.5

    struct Hit: Sendable {
        var message: Int64
        var score: Double
        var wordRank: Int?
        var meaningRank: Int?
        var isInSubject = false
    }

    /// Best first; of equal ones the one that came last into the index.
    func hits(_ words: WordOrder, _ meaning: [Int64]) -> [Hit] {
        var found: [Int64: Hit] = [:]
        for (place, message) in words.messages.enumerated() {
            found[message, default: Hit(message: message, score: 0)].wordRank = place + 1
        }
        for (place, message) in meaning.enumerated() {
            found[message, default: Hit(message: message, score: 0)].meaningRank = place + 1
        }
        for message in words.subjects { found[message]?.isInSubject = true }
        return found.values.map { hit in
            var hit = hit
            for rank in [hit.wordRank, hit.meaningRank].compactMap({ $0 }) {
                hit.score += 1 / (k + Double(rank))
            }
            if hit.isInSubject { hit.score += subjectBoost / (k + 1) }
            return hit
        }
        .sorted { ($0.score, $0.message) > ($1.score, $1.message) }
    }

    /// What words found, best first.
    struct WordOrder {
        var messages: [Int64]
        var subjects: Set<Int64>
    }
}
