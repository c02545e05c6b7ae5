import BreezeMail
import BreezeMailSigns
import BreezeTestSupport
import Foundation
import Testing

@testable import BreezeMailParser

@Suite(.enabled(if: GMimeMessageParser.isAvailable, "the trait Mail is off"))
struct `Headers that tell the kind of sender` {
    @Test func `each is marked once, by its name or what it begins with`() throws {
        let text = """
            From: a@x
            X-GitHub-Reason: mention
            X-GitHub-Sender: ada
            Feedback-ID: a:b:c
            feedback-id: d
            Mailing-List: list boats
            X-Mailer: mailer
            X-Facebook: zzz

            Hello
            """
        let message = try GMimeMessageParser().parse(.bytes(Array(text.utf8)))
        #expect(message.list.marks == ["x-github-", "feedback-id", "mailing-list", "x-facebook"])
        let plain = try GMimeMessageParser().parse(.bytes(Array("From: a@x\nX-: y\nX-A-B: c\n\nHello".utf8)))
        #expect(plain.list == ListHeaders())
    }
}

@Suite(
    .enabled(if: GMimeMessageParser.isAvailable, "the trait Mail is off"),
    .enabled(if: MailFixtures.shared != nil, "the public corpora are not there: set BREEZE_SHARED")
)
struct `Signs in real mail` {
    /// How many messages of one class have a sign of a kind and a strength.
    private struct Rates {
        var messages = 0
        var withStrong = 0
        var signs: [String: Int] = [:]
        var senders: [String: Int] = [:]

        mutating func add(_ found: MailSigns, _ bulk: BulkSigns) {
            messages += 1
            if found.count(.strong) > 0 { withStrong += 1 }
            for sign in found.signs {
                signs["\(sign.kind.rawValue) \(sign.strength.rawValue)", default: 0] += 1
            }
            for finding in bulk.findings { senders[finding.kind.rawValue, default: 0] += 1 }
        }

        /// Per cent.
        func rate(_ kind: MailSign.Kind, _ strengths: [MailSign.Strength] = MailSign.Strength.allCases)
            -> Double
        {
            let count = strengths.reduce(0) { $0 + signs["\(kind.rawValue) \($1.rawValue)", default: 0] }
            return 100 * Double(count) / Double(max(messages, 1))
        }

        var strong: Double { 100 * Double(withStrong) / Double(max(messages, 1)) }

        func report(_ name: String) {
            print("\(name): \(messages) messages, strong signs in \(withStrong)")
            for (sign, count) in signs.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
                let share = 100 * Double(count) / Double(messages)
                print("  \(sign): \(count), \((share * 100).rounded() / 100) %")
            }
            print("  senders: \(senders.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" })")
        }
    }

    /// The limits lie above what was measured (easy-ham 0.15 % strong, hard-ham 5.6 %), and far below what would
    /// make a sign useless.
    @Test func `strong signs are rare in wanted mail, and the rest fires as often as it is known to`()
        async throws
    {
        let folder = try await MailFixtures.spamAssassin()
        let parser = GMimeMessageParser()
        let reader = SignReader(domains: SystemDomains())
        var rates: [String: Rates] = [:]
        var time = Duration.zero
        for file in MailFixtures.files(in: folder.url) where file.lastPathComponent != "cmds" {
            let message = try parser.parse(.file(file))
            let name = ["easy-ham", "hard-ham", "spam"].first { file.path.contains("/\($0)") } ?? "else"
            var found = MailSigns()
            time += ContinuousClock().measure { found = reader.signs(of: message) }
            rates[name, default: Rates()].add(found, BulkSigns(message, domains: SystemDomains()))
            for sign in found.signs {
                #expect(!sign.detail.isEmpty && sign.detail.count <= MailSign.longestDetail)
                #expect(!sign.detail.contains("\n"))
            }
        }
        for (name, rate) in rates.sorted(by: { $0.key < $1.key }) { rate.report(name) }
        let count = rates.values.reduce(0) { $0 + $1.messages }
        print("Signs: \(time / max(count, 1)) a message on average")
        let easy = try #require(rates["easy-ham"])
        let hard = try #require(rates["hard-ham"])
        let spam = try #require(rates["spam"])
        #expect(easy.messages == 3_900 && hard.messages == 250 && spam.messages == 1_896)
        #expect(easy.strong < 0.5)
        #expect(hard.strong < 8)
        for kind: MailSign.Kind in [
            .brandInName, .homograph, .abusedEnding, .dmarcFail, .spfFail, .dkimFail, .doubleExtension,
            .bidiTrick,
        ] {
            #expect(easy.rate(kind, [.strong, .weak]) < 0.1, "\(kind)")
            #expect(hard.rate(kind, [.strong, .weak]) < 0.5, "\(kind)")
        }
        #expect(easy.rate(.brandInHost) < 1)
        // Shares in the same mail that others measured with rules of their own.
        #expect((16...22).contains(easy.rate(.replyToElsewhere)))
        #expect((13...17).contains(spam.rate(.numericHost)))
        #expect((30...38).contains(hard.rate(.form)))
        #expect(spam.rate(.userInURL) > 1)
    }

    /// 10,000 hosts that were asked for most in 2014, and as many of any kind, among which some misspell brands.
    @Test(arguments: [("top", 0.0...0, 0.5), ("random", 0.02...0.15, 0.1)])
    func `well-known domains are no look-alikes`(
        list: String,
        homographs: ClosedRange<Double>,
        brands: Double
    ) throws {
        let path = "data/mail/top_domains_opendns/opendns-\(list)-domains.txt"
        let text = try String(
            contentsOf: #require(MailFixtures.shared).appending(path: path),
            encoding: .utf8
        )
        let hosts = text.split(whereSeparator: \.isWhitespace)
        #expect(hosts.count == 10_000)
        let reader = SignReader(domains: SystemDomains())
        var rates = Rates()
        for host in hosts {
            var message = MailMessage()
            message.from = [MailAddress(address: "a@sender.invalid")]
            message.body.texts = [BodyText(part: 0, text: "http://\(host)/ ")]
            rates.add(reader.signs(of: message), BulkSigns(message, domains: SystemDomains()))
        }
        rates.report("\(list) domains")
        #expect(homographs.contains(rates.rate(.homograph)))
        #expect(rates.rate(.brandInHost) < brands)
        #expect(rates.rate(.longHost) < 0.1)
    }
}
