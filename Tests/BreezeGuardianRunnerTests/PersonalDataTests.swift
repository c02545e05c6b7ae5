import BreezeCore
import BreezeGuardianRunner
import Testing

@Suite struct `Personal data` {
    private typealias Category = GuardianRules.Category

    private func find(_ category: String, _ text: String) -> [String] {
        rules.excerpts(category, in: text)
    }

    /// Every text with one of its digits changed.
    private func mutations(_ text: String) -> [String] {
        text.indices.filter { text[$0].isASCII && text[$0].isNumber }.flatMap { place in
            "0123456789".filter { $0 != text[place] }.map { digit in
                text[..<place] + String(digit) + text[text.index(after: place)...]
            }
        }
    }

    /// Test numbers that PayPal, Stripe and Adyen publish.
    @Test(arguments: [
        "4111111111111111", "4012888888881881", "4222222222222", "5555555555554444", "5105105105105100",
        "2223003122003222", "378282246310005", "371449635398431", "6011111111111117", "6011000990139424",
        "30569309025904", "38520000023237", "3530111333300000", "3566002020360505", "6759649826438453",
    ]) func `payment cards are found, and not with one digit wrong`(_ number: String) {
        #expect(find(Category.paymentCard, "My card: \(number), thanks") == [number])
        for wrong in mutations(number) {
            #expect(find(Category.paymentCard, "My card: \(wrong), thanks").isEmpty, "\(wrong)")
        }
    }

    @Test(arguments: [
        "4111 1111 1111 1111", "4111-1111-1111-1111", "3782 822463 10005", "3056 930902 5904",
        "4111\u{A0}1111\u{A0}1111\u{A0}1111", "4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1", "４１１１１１１１１１１１１１１１",
        "4111\u{200B}111111111111",
    ]) func `a card may be written in groups, wide, or with something invisible in it`(_ number: String) {
        #expect(find(Category.paymentCard, "pay \(number) 12/27") == [number])
    }

    /// The examples of the IBAN registry.
    @Test(arguments: [
        "AT611904300234573201", "BE68539007547034", "CH9300762011623852957", "DE89370400440532013000",
        "DK5000400440116243", "ES9121000418450200051332", "FI2112345600000785", "FR1420041010050500013M02606",
        "GB29NWBK60161331926819", "IE29AIBK93115212345678", "IT60X0542811101000000123456",
        "LU280019400644750000", "MT84MALT011000012345MTLCAST001S", "NL91ABNA0417164300", "NO9386011117947",
        "PL61109010140000071219812874", "PT50000201231234567890154", "SE4550000000058398257466",
    ]) func `IBANs are found in any spelling, and not with one digit wrong`(_ number: String) {
        let grouped = stride(from: 0, to: number.count, by: 4).map { start in
            String(number.dropFirst(start).prefix(4))
        }.joined(separator: " ")
        for text in [number, number.lowercased(), grouped] {
            #expect(find(Category.iban, "to \(text).") == [text])
            #expect(find(Category.iban, text) == [text])
        }
        for wrong in mutations(number) { #expect(find(Category.iban, "to \(wrong).").isEmpty, "\(wrong)") }
    }

    /// The examples of the Federal Central Tax Office, of INSEE and of Wikipedia's articles.
    @Test(arguments: [
        (GuardianRules.Category.germanTaxID, "86095742719"),
        (GuardianRules.Category.germanTaxID, "47036892816"),
        (GuardianRules.Category.germanTaxID, "65929970489"),
        (GuardianRules.Category.germanTaxID, "86 095 742 719"),
        (GuardianRules.Category.frenchNIR, "255081416802538"),
        (GuardianRules.Category.frenchNIR, "2 55 08 14 168 025 38"),
        (GuardianRules.Category.spanishDNI, "12345678Z"), (GuardianRules.Category.spanishDNI, "X1234567L"),
        (GuardianRules.Category.spanishDNI, "X-1234567-L"),
        (GuardianRules.Category.italianFiscalCode, "MRTMTT91D08F205J"),
        (GuardianRules.Category.italianFiscalCode, "RSS MRA 85T10 A562S"),
    ]) func `numbers with a check are found, and not with one digit wrong`(
        _ category: String,
        _ number: String
    ) {
        #expect(find(category, "It is \(number).") == [number])
        for wrong in mutations(number) { #expect(find(category, "It is \(wrong).").isEmpty, "\(wrong)") }
    }

    @Test(arguments: [
        ("123-45-6789", true), ("123 45 6789", true), ("000-45-6789", false), ("666-45-6789", false),
        ("900-45-6789", false), ("123-00-6789", false), ("123-45-0000", false), ("078-05-1120", false),
        ("123-45-6789-1", false), ("123456789", false), ("123.45.6789", false), ("899-99-9999", true),
    ]) func `US social security numbers obey the rules of their areas`(_ number: String, _ isOne: Bool) {
        #expect(find(Category.usSSN, "SSN: \(number)") == (isOne ? [number] : []))
    }

    @Test(arguments: [
        ("AB123456C", true), ("ab 12 34 56 c", true), ("QQ123456C", false), ("BG123456A", false),
        ("AO123456A", false), ("AB123456E", false), ("AB12345C", false),
    ]) func `UK insurance numbers obey the rules of their prefixes`(_ number: String, _ isOne: Bool) {
        #expect(find(Category.ukNINO, "NINO: \(number)") == (isOne ? [number] : []))
    }

    @Test(arguments: [
        ("anna.b+c@mail.example.co.uk", "anna.b+c@mail.example.co.uk"),
        ("<x_y@example.org>", "x_y@example.org"),
        ("Write to a@b.de.", "a@b.de"), ("'o@b.ie'", "o@b.ie"),
        ("jörg@müller.example", "jörg@müller.example"),
        ("ａ＠ｂ．ｃｏｍ", "ａ＠ｂ．ｃｏｍ"),
    ]) func `e-mail addresses are found`(_ text: String, _ address: String) {
        #expect(find(Category.emailAddress, text) == [address])
    }

    @Test(arguments: ["a @ b.de", "@handle", "a@b", "a@b.c", "a@.de", "a@b..de", "5 apples @ 3.50"])
    func `what only looks like an e-mail address is none`(_ text: String) {
        #expect(find(Category.emailAddress, text).isEmpty)
    }

    @Test(arguments: [
        ("Call +49 30 1234567 now", ["+49 30 1234567"]), ("+1 (555) 123-4567", ["+1 (555) 123-4567"]),
        ("+44 (0)20 7946 0958.", ["+44 (0)20 7946 0958"]), ("Tel. 0049 30 1234567", ["0049 30 1234567"]),
        ("+4930 1234567, +33 1 23 45 67 89", ["+4930 1234567", "+33 1 23 45 67 89"]), ("1+2345", []),
        ("+12 45", []), ("+0123456789", []), ("030 1234567", []),
    ]) func `telephone numbers in international form are found`(_ text: String, _ numbers: [String]) {
        #expect(find(Category.phoneNumber, text) == numbers)
    }

    @Test(arguments: [
        ("at 10.1.2.3.", ["10.1.2.3"]), ("192.0.2.1:80", ["192.0.2.1"]), ("1.2.3.4.5", []), ("256.1.1.1", []),
        ("127.0.0.1", []), ("01.2.3.4", []), ("2001:db8::8a2e:370:7334", ["2001:db8::8a2e:370:7334"]),
        ("[fe80::1]", ["fe80::1"]),
        ("2001:0db8:85a3:0000:0000:8a2e:0370:7334", ["2001:0db8:85a3:0000:0000:8a2e:0370:7334"]),
        ("12:30:45", []), ("std::cout a::b d::c1", []), ("2001:db8::1::2", []), ("00:1b:44:11:3a:b7", []),
    ]) func `network addresses are found`(_ text: String, _ addresses: [String]) {
        #expect(find(Category.ipAddress, text) == addresses)
    }

    /// Each key's own documentation has the form; the AWS key and the token are their publishers' examples.
    @Test(arguments: [
        ("AKIAIOSFODNN7EXAMPLE", true), ("AKIAIOSFODNN7EXAMPLEX", false), ("akiaiosfodnn7example", false),
        ("ghp_" + String(repeating: "a1", count: 18), true), ("ghp_short1", false),
        (
            "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U",
            true
        ),
        ("eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9", false),
    ]) func `keys and tokens are found`(_ key: String, _ isOne: Bool) {
        #expect(find(Category.secret, "key=\(key);") == (isOne ? [key] : []))
    }

    @Test func `the header of a private key is found, and talk about one is not`() {
        #expect(find(Category.secret, "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNz").count == 1)
        #expect(find(Category.secret, "-----BEGIN PRIVATE KEY-----\n").count == 1)
        #expect(find(Category.secret, "Now we begin private key generation.").isEmpty)
    }

    @Test func `it warns and never blocks`() {
        let text = "4111111111111111 DE89370400440532013000 123-45-6789 AKIAIOSFODNN7EXAMPLE"
        for strictness in GuardianRules.Strictness.allCases {
            #expect(rules.action(on: text, strictness) == .warn)
        }
        #expect(rules.action(on: "a@b.de", .low) == .pass)
        #expect(rules.action(on: "a@b.de", .medium) == .warn)
    }
}
