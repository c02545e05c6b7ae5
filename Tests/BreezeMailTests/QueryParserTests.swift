import BreezeCore
import BreezeMail
import Foundation
import Testing

/// Noon of Sunday, 22 November 2026, in UTC.
let sunday = QueryClock(
    now: Date(timeIntervalSince1970: 1_795_348_800),
    timeZone: TimeZone(secondsFromGMT: 0) ?? .current
)

private func canonical(_ text: String) throws -> String {
    try MailQuery(text, clock: sunday).root.description
}

@Suite struct `What a person types` {
    @Test(arguments: [
        ("", "*"), ("  \n ", "*"), ("*", "*"), ("boat", "boat"), ("blue boat", "blue boat"),
        ("\"blue boat\"", "\"blue boat\""), ("“blue boat”", "\"blue boat\""),
        ("„blue boat“", "\"blue boat\""),
        ("boat*", "boat*"), ("\"blue bo\"*", "\"blue bo\"*"), ("-boat", "-boat"), ("NOT boat", "-boat"),
        ("NOT NOT boat", "boat"), ("-(blue boat)", "-(blue boat)"), ("blue OR boat", "blue OR boat"),
        ("a b OR c d", "(a b) OR (c d)"), ("a (b OR c)", "a (b OR c)"), ("a AND b AND (c d)", "a b c d"),
        ("(boat)", "boat"), ("AND", "*"), ("well-known", "well-known"), ("5\" pipe", "\"5\"\"\" pipe"),
        ("from:ada", "from:ada"), ("FROM:Ada", "from:Ada"), ("from:\"Ada Byron\"", "from:\"Ada Byron\""),
        ("from:(ada OR bob)", "from:ada OR from:bob"),
        ("subject:(blue boat) ada", "subject:blue subject:boat ada"),
        ("is:unread", "is:unread"), ("is:(unread flagged)", "is:unread is:flagged"),
        ("is:boats", "tag:boats"),
        ("has:attachment", "has:attachment"), ("has:links", "has:link"), ("is:starred", "is:flagged"),
        ("in:inbox", "in:inbox"), ("in:Lists/Kanu", "in:\"Lists/Kanu\""), ("in:a in:b", "in:a OR in:b"),
        ("in:a boat in:b", "(in:a OR in:b) boat"), ("in:a AND in:b", "in:a AND in:b"),
        ("-in:a -in:b", "-in:a -in:b"),
        ("size:10k..2M", "size:10000..2000000"), ("size:>1.5k", "size:1500.."), ("size:10", "size:10.."),
        ("larger:1G", "size:1000000000.."), ("smaller:5", "size:..5"), ("list:Boats", "list:boats"),
        ("category:Forums", "category:forums"), ("thread:a@b.c", "thread:a@b.c"), ("id:<a@b.c>", "id:a@b.c"),
        ("mimetype:image/*", "mimetype:\"image/*\""), ("attachment:report.pdf", "attachment:report.pdf"),
        ("http://example.org/a?b=c", "\"http://example.org/a?b=c\""), ("at 12:30", "at \"12:30\""),
        ("f(x) = y", "\"f(x)\" y"), ("(see f(x))", "see \"f(x)\""), ("boat :-)", "boat"),
    ])
    func `has one canonical form`(typed: String, printed: String) throws {
        #expect(try canonical(typed) == printed)
        #expect(try canonical(printed) == printed)
    }

    /// notmuch-search-terms(7), without what is told as not understood.
    @Test(arguments: [
        ("from:mallory and date:@0..@10", "from:mallory date:@0..@10"), ("tag:inbox", "tag:inbox"),
        ("mid:a@b", "id:a@b"), ("folder:.classes.topology", "folder:\"classes/topology\""),
        ("folder:\"\"", "folder:\"\""),
        ("path:a/b/**", "folder:\"a/b/**\""), ("path:**", "folder:\"/**\""), ("path:a/cur", "folder:a"),
        ("not (from:a or from:b)", "-(from:a OR from:b)"), ("wildc*", "wildc*"),
        ("tag:\"a tag\"", "tag:\"a tag\""),
        ("tag:\"\"\"quoted tag\"\"\"", "tag:\"\"\"quoted tag\"\"\""),
        ("subject:pizza and subject:free", "subject:pizza subject:free"),
        ("to:ada is:unread", "to:ada is:unread"), ("attachment:pdf", "attachment:pdf"),
    ])
    func `may be in notmuch's language`(typed: String, printed: String) throws {
        #expect(try canonical(typed) == printed)
    }

    /// mu-query(7).
    @Test(arguments: [
        ("subject:chip subject:dale", "subject:chip subject:dale"), ("maildir:/inbox", "folder:inbox"),
        (
            "(subject:beethoven or subject:bach) and not body:elvis",
            "(subject:beethoven OR subject:bach) -body:elvis"
        ),
        ("subject:\"hi there\"", "subject:\"hi there\""),
        ("contact:fnorb@example.com", "contact:fnorb@example.com"),
        ("f:foo@bar", "from:foo@bar"), ("recip:ada", "to:ada"), ("size:10k..2m", "size:10000..2000000"),
        ("size:10m..", "size:10000000.."),
        ("flag:attach and flag:unread", "has:attachment is:unread"), ("g:x", "tag:encrypted"),
        ("g:u", "is:unread"),
        ("maildir:/", "folder:\"\""), ("maildir:\"/Sent Items\"", "folder:\"Sent Items\""),
        ("mime:application/pdf", "mimetype:\"application/pdf\""), ("bee AND bird", "bee bird"),
        ("Frodo OR Sam", "Frodo OR Sam"),
        ("subject:wombat and capybara", "subject:wombat capybara"), ("msgid:a@b", "id:a@b"),
        ("v:boats", "list:boats"),
        ("m:/lists/running", "folder:\"lists/running\""), ("j:report*", "attachment:report*"),
    ])
    func `may be in mu's language`(typed: String, printed: String) throws {
        #expect(try canonical(typed) == printed)
    }

    @Test(arguments: [
        ("bee and bird", "bee \"and\" bird"), ("to be or not to be", "to be \"or\" \"not\" to be"),
        ("not today", "\"not\" today"), ("not from:ada", "-from:ada"), ("from:ada or bob", "from:ada OR bob"),
        ("(bee or bird)", "bee OR bird"), ("from:(not ada)", "from:\"not\" from:ada"),
        ("from:ada and", "from:ada \"and\""),
    ])
    func `has operators in lower case where it has a structure`(typed: String, printed: String) throws {
        #expect(try canonical(typed) == printed)
    }

    @Test(arguments: [
        ("\"blue boat", "\"blue boat\"", QueryNotice.Kind.unbalanced, 0..<10),
        ("(blue boat", "blue boat", .unbalanced, 10..<10),
        ("foo:bar", "\"foo:bar\"", .unknownField, 0..<7),
        ("foo:\"a b\"", "foo \"a b\"", .unknownField, 0..<4),
        ("lastmod:1..2", "\"lastmod:1..2\"", .unknownField, 0..<12), ("from:", "from", .unknownValue, 0..<5),
        ("a : b", "a b", .nothingToFind, 2..<3), ("☂ rain", "rain", .nothingToFind, 0..<1),
        ("boat AND", "boat", .strayOperator, 5..<8), ("OR boat", "boat", .strayOperator, 0..<2),
        ("a XOR b", "a \"XOR\" b", .strayOperator, 2..<5), ("wi*d", "\"wi*d\"", .strayOperator, 0..<4),
        ("has:feet", "feet", .unknownValue, 0..<8),
        ("subject:/h.llo/", "subject:\"/h.llo/\"", .unknownValue, 0..<15),
        ("thread:{from:a}", "\"{from:a}\"", .unknownValue, 0..<15),
        ("size:2k..1k", "size:1000..2000", .reversedRange, 0..<11),
        ("a NOT", "a", .strayOperator, 2..<5), ("()", "*", .nothingToFind, 0..<2),
    ])
    func `is never an error where it can be read, and says how`(
        typed: String,
        printed: String,
        kind: QueryNotice.Kind,
        place: Range<Int>
    ) throws {
        let query = try MailQuery(typed, clock: sunday)
        #expect(query.root.description == printed)
        #expect(query.notices.map(\.kind) == [kind])
        #expect(query.notices.first?.range == place)
    }

    @Test(arguments: [
        ("who looks after the pet while we are away?", "who looks after the pet while we are away?"),
        ("heating repair from:dunmore is:unread", "heating repair"),
        ("boat -\"blue boat\" NOT (car bus)", "boat"),
        ("\"lost harbours\" in:inbox atlas*", "\"lost harbours\""), ("subject:Saturday from:owen", ""),
        ("rock and roll (bus OR train)", "rock and roll bus train"),
    ])
    func `leaves its meaning when operators are taken out`(typed: String, meaning: String) throws {
        #expect(try MailQuery(typed, clock: sunday).meaning == meaning.replacing("\"", with: ""))
    }

    @Test(arguments: [
        ("date:2026-02-30", 0..<15), ("boat date:someday", 5..<17), ("date:..", 0..<7), ("date:@x", 0..<7),
        ("date:2026-13", 0..<12), ("size:huge", 0..<9), ("x since:25:00", 2..<13),
        ("date:2026-01-01..2026-02-31", 0..<27),
        ("date:99999999999999999999", 0..<25), ("size:1e9", 0..<8), ("date:(monday OR feb-30)", 16..<22),
    ])
    func `is an error where a date or a size cannot be one`(typed: String, place: Range<Int>) throws {
        let error = #expect(throws: BreezeError.self) { try MailQuery(typed, clock: sunday) }
        #expect(error?.code == .invalidRequest)
        let fault = try #require(error?.underlying as? QueryFault)
        #expect(fault.range == place)
        #expect(error?.remedy?.contains(fault.expected) == true)
    }

    @Test func `has limits`() throws {
        let fault = { (text: String) in
            let error = #expect(throws: BreezeError.self) { try MailQuery(text, clock: sunday) }
            return error?.underlying as? QueryFault
        }
        #expect(fault(String(repeating: "a", count: 4_001))?.range == 4_000..<4_001)
        #expect(fault(String(repeating: "a ", count: 401))?.range == 800..<802)
        #expect(fault(String(repeating: "(", count: 33))?.range == 32..<33)
        #expect(
            try canonical(String(repeating: "(", count: 32) + "a" + String(repeating: ")", count: 32)) == "a"
        )
        #expect(try canonical(String(repeating: "NOT ", count: 999) + "a") == "-a")
        #expect(try canonical(String(repeating: "-(", count: 31) + "a") == "-a")
    }
}
