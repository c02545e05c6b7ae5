import Testing

@testable import BreezeModels

struct RelativePositionsTests {
    /// Where a new row begins, by hand: distances 0 to 8 one by one, then 8 · √2ᵏ rounded up (11.3, 16, 22.6,
    /// 32, 45.3, 64, 90.5); 128 would be the next and falls into the last row.
    private static let starts = [0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 23, 32, 46, 64, 91]

    @Test(arguments: [0, 1, 7, 8, 11, 12, 15, 16, 22, 23, 31, 32, 45, 46, 63, 64, 90, 91, 127, 128, 129, 511])
    func `a distance falls into the row that begins at or below it`(distance: Int) {
        let row = Self.starts.count { $0 <= distance } - 1
        #expect(RelativePositions.bucket(-distance) == row)
        #expect(RelativePositions.bucket(distance) == (distance == 0 ? 0 : 16 + row))
    }

    @Test func `the rows of a text run from its last token before the query to its last after it`() {
        #expect(RelativePositions.rows(longest: 1) == [0])
        #expect(RelativePositions.rows(longest: 4) == [3, 2, 1, 0, 17, 18, 19])
        #expect(RelativePositions.rows(longest: 512).count == 1023)
    }
}
