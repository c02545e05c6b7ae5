import BreezeCore
import BreezeMailClassifier
import BreezeMailIndex
import BreezeMailSearch
import Foundation

/// Judges files of mail: read by the program that reads what strangers wrote, embedded by an engine of this process.
struct MailJudging {
    let options: EngineOptions
    let trustedServers: [String]
    let classifier: MailClassifier

    /// Judges by Breeze's own heads, or by those of a file.
    init(options: EngineOptions, trustedServers: [String], heads: String? = nil) throws {
        self.options = options
        self.trustedServers = trustedServers
        classifier = MailClassifier(
            heads: try heads.map { try MailHeads(TextFile.contents(of: $0)) } ?? MailHeads.shipped
        )
    }

    /// Messages that are read, embedded and answered together.
    private static let window = 64

    /// One message's answer.
    struct Answer {
        let file: String
        let outcome: Result<MailVerdict, BreezeError>
        /// What the verdict took, without reading and embedding.
        let seconds: Double
    }

    /// `tell` gets an answer for each file, in order, then that of `input`.
    /// - Returns: How many could not be read.
    func judge(
        _ files: [String],
        input: Data?,
        _ line: ProgressLine,
        _ tell: (Answer) throws -> Void
    ) async throws -> Int {
        let encoder = MailEncoder(service: try await Composition(options).engine, model: nil)
        var (failed, isEncoding) = (0, true)
        let names = files + (input == nil ? [] : ["-"])
        for start in stride(from: 0, to: names.count, by: Self.window) {
            let part = Array(names[start..<min(start + Self.window, names.count)])
            let facts = try await facts(of: part, input)
            var vectors: [[Float]?] = Array(repeating: nil, count: facts.count)
            if isEncoding {
                do {
                    vectors = try await Self.vectors(facts, encoder, classifier.heads)
                } catch let error as BreezeError where error.code == .noRunner {
                    isEncoding = false
                    line.clear()
                    Console.printError(
                        "note: Judged by words and headers alone, which is less sure. \(Remedies.noRunner(for: .embedding))"
                    )
                }
            }
            for (index, name) in part.enumerated() {
                let began = ContinuousClock.now
                let outcome = facts[index].map { classifier.verdict($0, vector: vectors[index]) }
                let seconds = (ContinuousClock.now - began) / .seconds(1)
                if case .failure = outcome { failed += 1 }
                try tell(Answer(file: name, outcome: outcome, seconds: seconds))
            }
            let done = Int64(start + part.count)
            line.show("judging mail", detail: "", completed: done, total: Int64(names.count))
        }
        return failed
    }

    private func facts(of names: [String], _ input: Data?) async throws -> [Result<MailFacts, BreezeError>] {
        let order = FactsOrder(
            places: names.filter { $0 != "-" }.map { PageOrder(path: URL(filePath: $0).path) },
            message: names.last == "-" ? input : nil,
            trustedServers: trustedServers
        )
        return try await MailIndexerProcess().facts(order)
    }

    /// `nil` for what could not be read, and where the encoder is not the one that the heads were trained on.
    private static func vectors(
        _ facts: [Result<MailFacts, BreezeError>],
        _ encoder: MailEncoder,
        _ heads: MailHeads
    ) async throws -> [[Float]?] {
        let texts = facts.map { (try? $0.get())?.passage ?? "" }
        let wanted = texts.indices.filter { texts[$0].utf8.contains { $0 > 32 } }
        var vectors: [[Float]?] = Array(repeating: nil, count: texts.count)
        guard !wanted.isEmpty else { return vectors }
        let answer = try await encoder.embed(wanted.map { texts[$0] }, as: .passage, .userInitiated)
        guard answer.model == heads.encoder else { return vectors }
        for (index, vector) in zip(wanted, answer.vectors) { vectors[index] = vector }
        return vectors
    }
}

extension MailJudging.Answer {
    /// One line of JSON.
    var json: String { get throws { try JSONText.line(Line(answer: self)) } }

    private struct Line: Encodable {
        let answer: MailJudging.Answer

        private enum Key: CodingKey { case file, error }

        func encode(to encoder: any Encoder) throws {
            var line = encoder.container(keyedBy: Key.self)
            try line.encode(answer.file, forKey: .file)
            switch answer.outcome {
            case .success(let verdict): try verdict.encode(to: encoder)
            case .failure(let error): try line.encode(error, forKey: .error)
            }
        }
    }

    /// For a person.
    var text: String {
        switch outcome {
        case .success(let verdict):
            let warnings = [
                verdict.phishing.flagged ? "PHISHING \(Self.share(verdict.phishing.score))" : nil,
                verdict.spam.flagged ? "spam \(Self.share(verdict.spam.score))" : nil,
            ]
            let judged =
                warnings.compactMap(\.self) + [
                    "\(verdict.category.rawValue) \(Self.share(verdict.confidence))"
                ]
            let reasons = verdict.evidence.map { "  \($0.about.rawValue): \($0.detail)" }
            return ([file + ": " + judged.joined(separator: ", ")] + reasons).joined(separator: "\n")
                .printable
        case .failure(let error): return "\(file): \(error.message)".printable
        }
    }

    private static func share(_ probability: Double) -> String { "\(Int((probability * 100).rounded())) %" }
}
