import BreezeCore
import BreezeMailTags
import BreezeTestSupport
import Foundation
import Testing

@Suite struct NotmuchTagTests {
    @Test func `a batch has a line a message, with its id quoted`() throws {
        let tag = try NotmuchTag("to do/ünde%")
        #expect(
            tag.batch(adding: ["a@b", "x\"y z@b", "bad\n+all -- *"])
                == "+to%20do%2fünde%25 -- id:\"a@b\"\n+to%20do%2fünde%25 -- id:\"x\"\"y z@b\"\n"
        )
    }

    @Test(arguments: ["", "-x", "a\nb", "a\u{0}b", String(repeating: "x", count: 201)])
    func `what is no tag is refused`(name: String) {
        #expect(throws: BreezeError.self) { try NotmuchTag(name) }
    }
}
