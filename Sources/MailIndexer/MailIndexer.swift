import BreezeCore
import BreezeMail
import BreezeMailClassifier
import BreezeMailIndex
import BreezeMailParser
import BreezeMailSigns
import CSandbox
import Foundation

/// Reads mail into an index, for `breeze mail index`, which starts it: one line with an ``IndexOrder`` on standard input,
/// and an ``IndexWord`` a line on standard output, the last one with the report or the failure.
///
/// With the argument `page` it reads one message instead, for a page that shows it: a ``PageOrder``, and a ``PageWord``.
/// With `facts` it reads messages that are to be judged: a ``FactsOrder``, and a ``FactsWord`` for each. With `domains`
/// it takes in a list of known phishing domains: a ``DomainListOrder``, and a ``DomainListWord``.
///
/// A process of its own, since what it parses was written by strangers: it opens no socket but of this device, and what
/// its libraries take stays out of the hub's memory. It ends when its standard input does.
@main
enum MailIndexer {
    static func main() async {
        #if Hub
        var protection = sandbox_protection()
        sandbox_harden(&protection)
        sandbox_refuse_internet(&protection)
        signal(SIGPIPE, SIG_IGN)
        do {
            guard let line = readLine(strippingNewline: true) else { exit(64) }
            switch CommandLine.arguments.dropFirst().first {
            case "page": return try show(Data(line.utf8))
            case "facts": return try read(Data(line.utf8))
            case "domains": return try takeIn(Data(line.utf8))
            default: break
            }
            let order = try JSONDecoder().decode(IndexOrder.self, from: Data(line.utf8))
            let work = Task { try await run(order) }
            Thread.detachNewThread {
                // Nothing more is said: what comes is the end.
                while readLine() != nil {}
                work.cancel()
            }
            tell(IndexWord.report(try await work.value))
        } catch {
            let known = Self.known(error)
            tell(IndexWord.failed(known))
            exit(1)
        }
        #else
        exit(64)
        #endif
    }

    #if Hub
    private static func run(_ order: IndexOrder) async throws -> IndexReport {
        let index = try MailIndex.open(at: URL(filePath: order.index))
        var settings = IndexSettings()
        settings.progress = { tell(IndexWord.progress($0)) }
        let report = try await index.index(order.roots, with: GMimeMessageParser(), settings: settings)
        try index.close()
        return report
    }

    /// Seconds of computing, which a message that was made for it would go on with for hours.
    private static let longest: rlim_t = 20

    private static func show(_ line: Data) throws {
        var limit = rlimit(rlim_cur: longest, rlim_max: longest)
        _ = setrlimit(__rlimit_resource_t(RLIMIT_CPU.rawValue), &limit)
        do {
            let order = try JSONDecoder().decode(PageOrder.self, from: line)
            guard let source = try order.source() else {
                throw BreezeError(
                    .notFound,
                    "The message is not where it was when it was indexed.",
                    remedy: "Bring the index up to date: breeze mail index"
                )
            }
            tell(PageWord.page(try GMimeMessageParser().page(of: source)))
        } catch {
            tell(PageWord.failed(known(error)))
        }
    }

    private static func read(_ line: Data) throws {
        let order = try JSONDecoder().decode(FactsOrder.self, from: line)
        // Whoever asked is gone.
        Thread.detachNewThread {
            while readLine() != nil {}
            exit(1)
        }
        let domains = SystemDomains()
        let signs = SignReader(
            domains: domains,
            settings: SignSettings(trustedServers: order.trustedServers),
            // Whoever asks has opened it; one that was replaced by no list since is none.
            known: order.knownPhishing.flatMap { try? KnownPhishing(contentsOf: URL(filePath: $0)) }
        )
        func answer(_ source: () throws -> MailSource?) {
            do {
                guard let source = try source() else {
                    return tell(FactsWord.failed(BreezeError(.inputOutput, "There is no message.")))
                }
                let message = try GMimeMessageParser().parse(source)
                tell(FactsWord.facts(MailFacts(message, reader: signs, domains: domains)))
            } catch {
                tell(FactsWord.failed(known(error)))
            }
        }
        for place in order.places { answer { try place.source() } }
        if let message = order.message { answer { .bytes([UInt8](message)) } }
    }

    private static func takeIn(_ line: Data) throws {
        do {
            let order = try JSONDecoder().decode(DomainListOrder.self, from: line)
            let made = try KnownPhishing.imported(
                from: try Data(contentsOf: URL(filePath: order.list), options: .mappedIfSafe),
                source: order.source,
                day: order.day,
                domains: SystemDomains()
            )
            try made.file.write(to: URL(filePath: order.file), options: .atomic)
            tell(DomainListWord.done(DomainListCounts(count: made.count, ignored: made.ignored)))
        } catch {
            tell(DomainListWord.failed(known(error)))
        }
    }

    private static func known(_ error: any Error) -> BreezeError {
        error as? BreezeError
            ?? BreezeError(.internalError, "The mail could not be read: \(error).", underlying: error)
    }

    private static func tell(_ word: some Encodable) {
        guard let data = try? JSONEncoder().encode(word) else { return }
        try? FileHandle.standardOutput.write(contentsOf: data + Data("\n".utf8))
    }
    #endif
}
