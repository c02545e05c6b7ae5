import BreezeTestSupport
import Foundation
import Testing

@testable import BreezeMail

struct `Words of a text` {
    /// What is passed over by its first letter and its length is none of the words that are wanted.
    @Test(arguments: 1...20) func `none that is wanted is passed over`(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let letters = Array("abAB12éÉ灯 -.'")
        let text = String((0..<2_000).map { _ in letters[Int.random(in: 0..<letters.count, using: &random)] })
        let long = String(repeating: "a", count: 70)
        let scalars = Array((text + " " + long + " " + long + "b").unicodeScalars)
        var all: [String] = []
        WordFolding.forEachWord(in: scalars) { _, word in all.append(word) }
        let wanted = ["a": false, "ab": true, "1b": false, "é": true, "b2a": false, long: false]
        func isWanted(_ word: String) -> Bool {
            wanted[word] != nil || wanted.contains { $0.value && word.hasPrefix($0.key) }
        }
        var found: [String] = []
        WordFolding.forEachWord(in: scalars, of: WordCandidates(wanted)) { _, word in found.append(word) }
        #expect(found.filter(isWanted) == all.filter(isWanted))
        #expect(found.count < all.count)
    }
}
