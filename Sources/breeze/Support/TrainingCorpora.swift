import ArgumentParser
import BreezeCore
import BreezeMailClassifier
import BreezeMailIndex
import Foundation

/// The corpora that heads are trained on, as messages to judge.
struct TrainingCorpora {
    let data: URL
    let examples: URL
    let corpora: [Corpus]

    enum Corpus: String, CaseIterable, ExpressibleByArgument {
        case spamassassin, enron, written

        /// What is named as having been learned from.
        var provenance: String {
            switch self {
            case .spamassassin: "SpamAssassin public corpus, 2002 to 2003 (PDDL 1.0 and CC0)"
            case .enron: "Enron-Spam, Metsis et al. 2006 (public research corpus, no licence stated)"
            case .written: "Examples/MailTraining, written for Breeze (Apache-2.0)"
            }
        }
    }

    /// In the same order every time, each text once.
    func read(_ tell: (String) -> Void) async throws -> [TrainingMail] {
        let scratch = FileManager.default.temporaryDirectory.appending(
            path: "breeze-corpora-\(UUID().uuidString)"
        )
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: scratch) }
        var mail: [TrainingMail] = []
        for corpus in corpora {
            tell("reading \(corpus.rawValue)")
            switch corpus {
            case .spamassassin:
                mail += try await spamAssassin(try await unpack("spamassassin-2002", to: scratch))
            case .enron: mail += try Self.enron(try await unpack("enron-spam-text", to: scratch))
            case .written: mail += try written()
            }
        }
        return TrainingMail.distinct(mail)
    }

    private func unpack(_ name: String, to scratch: URL) async throws -> URL {
        let archive = data.appending(path: name + ".tar.xz")
        let folder = scratch.appending(path: name)
        guard FileManager.default.fileExists(atPath: archive.path) else {
            throw BreezeError(
                .inputOutput,
                "There is no \(archive.path).",
                remedy: "Name the folder of the corpora: breeze mail train-heads --data ../shared/data/mail"
            )
        }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let tar = Process()
        tar.executableURL = URL(filePath: "/usr/bin/env")
        tar.arguments = ["tar", "-xJf", archive.path, "-C", folder.path]
        try tar.run()
        do {
            while tar.isRunning { try await Task.sleep(for: .milliseconds(50)) }
        } catch {
            tar.terminate()
            tar.waitUntilExit()
            throw error
        }
        guard tar.terminationStatus == 0 else {
            throw BreezeError(
                .inputOutput,
                "tar could not unpack \(archive.path).",
                remedy: "Look whether tar and xz are installed, and the file is whole."
            )
        }
        return folder
    }

    private static func files(_ folder: URL) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".txt") }
            .sorted()
    }

    /// `spam-1/0001….txt` and the like; what the folder is called says what is in it.
    private func spamAssassin(_ folder: URL) async throws -> [TrainingMail] {
        let files = try Self.files(folder)
        let order = FactsOrder(places: files.map { PageOrder(path: folder.appending(path: $0).path) })
        let found = try await MailIndexerProcess().facts(order)
        return zip(files, found).compactMap { file, facts in
            (try? facts.get()).map {
                let isSpam = file.hasPrefix("spam")
                return TrainingMail(
                    $0,
                    corpus: Corpus.spamassassin.rawValue,
                    part: file.hasPrefix("hard-ham") ? "hard" : nil,
                    isUnwanted: isSpam,
                    isPhishing: isSpam ? nil : false
                )
            }
        }
    }

    /// `enron1/ham/….txt`
    private static func enron(_ folder: URL) throws -> [TrainingMail] {
        try files(folder).filter { $0.contains("/ham/") || $0.contains("/spam/") }.map { file in
            try Task.checkCancellation()
            let bytes = try Data(contentsOf: folder.appending(path: file))
            return TrainingMail(
                enron: String(decoding: bytes, as: UTF8.self),
                isSpam: file.contains("/spam/")
            )
        }
    }

    private func written() throws -> [TrainingMail] {
        let names = try FileManager.default.contentsOfDirectory(atPath: examples.path)
        return try names.filter { $0.hasSuffix(".jsonl") }.sorted().flatMap { name in
            try Data(contentsOf: examples.appending(path: name)).split(separator: UInt8(ascii: "\n")).map {
                do {
                    return TrainingMail(try JSONDecoder().decode(WrittenExample.self, from: $0))
                } catch {
                    throw BreezeError(
                        .invalidFile,
                        "\(name) holds a line that is no example: \(String(decoding: $0.prefix(80), as: UTF8.self))",
                        underlying: error
                    )
                }
            }
        }
    }
}
