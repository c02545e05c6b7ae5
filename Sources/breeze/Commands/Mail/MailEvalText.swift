import BreezeMailClassifier
import Foundation

/// A report on the judgement of mail, for a person: at most ``width`` columns.
struct MailEvalText {
    let report: EvaluationReport
    /// What the files' names are shown without.
    let folder: String

    static let width = 100

    var lines: [String] {
        let sections = [
            summary, risks, folders, categories, calibration, speed,
            worst("WANTED OR NOT: THE WORST ANSWERS", .unwanted),
            worst("PHISHING: FOUND, AND CALLED SPAM ALONE", .phishing),
            worst("CATEGORIES: THE WORST ANSWERS", .category),
            unreadable, heads,
        ]
        return Array(sections.filter { !$0.isEmpty }.joined(separator: [""]))
    }

    private var summary: [String] {
        let counts = report.counts
        var lines = [
            "\(Quantity.count(counts.messages, "message")) judged: \(counts.wanted) wanted, "
                + "\(counts.spam) spam, \(counts.phishing) phishing.",
            "Left out as duplicates: \(report.leftOut.duplicates). Without a label: \(report.leftOut.unlabelled). "
                + "Could not be read: \(report.unreadable.count).",
            "Judged without an encoder: \(report.missing.encoder), without headers: \(report.missing.headers).",
        ]
        if report.missing.encoder > 0 {
            lines.append("Without an encoder the judgement is less sure, and the figures say less of it.")
        }
        return lines.flatMap(Self.wrapped)
    }

    private var risks: [String] {
        let (unwanted, phishing) = (report.unwanted, report.phishing)
        let strict = Figures.percent(RiskFigures.fewFalsePositives)
        func row(_ name: String, _ figure: (RiskFigures) -> String) -> [String] {
            [name, figure(unwanted), figure(phishing)]
        }
        let rows = [
            ["", "SPAM OR PHISHING", "PHISHING ALONE"],
            row("mail of the kind") { "\($0.positives)" },
            row("wanted mail") { "\($0.negatives)" },
            row("recall") { Figures.share($0.recall) },
            row("precision") { Figures.share($0.precision) },
            row("false positives") { Figures.share($0.falsePositiveRate) },
            row("F1 as shipped") { Figures.decimal($0.f1) },
            row("best F1") {
                $0.best.map { "\(Figures.decimal($0.f1)) from \(Figures.decimal($0.threshold)) on" }
                    ?? Figures.none
            },
            row("area under the curve") { Figures.decimal($0.areaUnderCurve) },
            row("recall at \(strict) false positives") { Figures.share($0.strict?.recall) },
            row("  its threshold") { Figures.decimal($0.strict?.threshold) },
        ]
        return section(
            "SPAM AND PHISHING",
            """
            How much unwanted mail is flagged (recall), how much of what is flagged is unwanted (precision, for this \
            mixture of mail), and how much wanted mail is flagged by mistake. As shipped, spam is flagged from \
            \(Figures.decimal(report.thresholds.spam, 2)) on and phishing from \
            \(Figures.decimal(report.thresholds.phishing, 2)) on. Intervals hold the true share with 95 % confidence \
            (Wilson). Phishing alone is held against wanted mail, by its own score.
            """,
            Figures.table(rows)
        )
    }

    private var folders: [String] {
        let rows = report.folders.map {
            [
                Figures.clipped($0.name, 28), $0.label, "\($0.messages)", Figures.share($0.flagged),
                "\($0.flaggedAsSpam)",
                "\($0.flaggedAsPhishing)",
            ]
        }
        guard !rows.isEmpty else { return [] }
        let header = ["FOLDER", "LABEL", "MESSAGES", "FLAGGED", "AS SPAM", "AS PHISHING"]
        return section(
            "FOLDERS",
            "How much of each label's mail is flagged: as it should be of spam and phishing, by mistake of the rest.",
            Figures.table([header] + rows, left: 2)
        )
    }

    private var categories: [String] {
        let confusion = report.categories
        let names = MailCategory.allCases
        guard confusion.messages > 0 else {
            return section("CATEGORIES", "No wanted mail is labelled with its category. \(notes)", [])
        }
        let header =
            ["IS \\ SAID"] + names.map { $0.rawValue.uppercased() } + ["RECALL", "PRECISION", "F1"]
        let rows = names.map { name in
            let figures = confusion.categories[name]
            return [name.rawValue] + names.map { "\(confusion.counts[name]?[$0] ?? 0)" } + [
                Figures.percent(figures?.recall), Figures.percent(figures?.precision),
                Figures.decimal(figures?.f1, 3),
            ]
        }
        return section(
            "CATEGORIES",
            """
            Of \(Quantity.count(confusion.messages, "wanted message")) with a category \
            \(Figures.share(confusion.accuracy)) got the right one; the mean F1 over the categories that occur is \
            \(Figures.decimal(confusion.macroF1, 3)). \(notes)
            """,
            Figures.table([header] + rows)
        )
    }

    private var notes: String { report.notes.joined(separator: " ") }

    private var calibration: [String] {
        let tables = [report.calibration.spam, report.calibration.phishing, report.calibration.category]
        let header = ["SCORE"] + ["SPAM", "PHISH", "CATEGORY"].flatMap { [$0, "MEAN", "TRUE"] }
        let rows = report.calibration.spam.bins.indices.map { index in
            let bins = tables.map { $0.bins[index] }
            return ["\(Figures.decimal(bins[0].from, 1)) to \(Figures.decimal(bins[0].to, 1))"]
                + bins.flatMap {
                    ["\($0.count)", Figures.decimal($0.meanScore, 3), Figures.decimal($0.share, 3)]
                }
        }
        let error = ["error"] + tables.flatMap { ["\($0.count)", "", Figures.decimal($0.expectedError, 3)] }
        return section(
            "CALIBRATION",
            """
            Whether a probability means what it says: in each range of scores how many messages, their mean score, and \
            the share for which it was true (spam: the mail is unwanted; category: the right one). The expected \
            calibration error is the mean distance of the two. Verdicts expect about two messages of ten to be \
            unwanted; a mixture with far more or fewer moves the shares.
            """,
            Figures.table([header] + rows + [error])
        )
    }

    private var speed: [String] {
        let speed = report.speed
        let pace = speed.messagesPerProcessorSecond.map { String(format: "%.1f", $0) } ?? Figures.none
        let rows = [
            ["messages", "\(speed.messages)"],
            ["time", Quantity.seconds(speed.wallSeconds)],
            ["processor time", Quantity.seconds(speed.processorSeconds)],
            ["messages a processor second", pace],
            ["most memory of this process", Quantity.bytes(speed.peakResidentBytes)],
            ["a verdict, median", Figures.short(speed.verdictMedianSeconds)],
            ["a verdict, 95th percentile", Figures.short(speed.verdictSlowSeconds)],
        ]
        return section(
            "SPEED",
            """
            What judging took, from reading the files to the last answer; processor time is that of this process and \
            all that it started. A verdict is what comes after reading and embedding, with its evidence.
            """,
            Figures.table(rows)
        )
    }
}

extension MailEvalText {
    private func worst(_ title: String, _ subject: WrongVerdict.Subject) -> [String] {
        let errors = report.errors.filter { $0.about == subject }
        guard !errors.isEmpty else { return [] }
        let lines = errors.flatMap { error in
            let what = "\(error.label), called \(error.said) (\(error.question.rawValue) "
            let head = "  \(what)\(Figures.decimal(error.score, 2))): "
            return [head + Figures.clippedFront(shown(error.file), Self.width - head.count)]
                + error.evidence.map(Self.evidence)
        }
        return section(
            title,
            "The wrong answers that were most certain, each with the evidence that counted most.",
            lines
        )
    }

    private static func evidence(_ evidence: MailVerdict.Evidence) -> String {
        let detail = evidence.detail.split(whereSeparator: \.isNewline).joined(separator: " ")
        return "    " + Figures.clipped("\(String(format: "%+.2f", evidence.weight)) \(detail)", width - 4)
    }

    private var unreadable: [String] {
        guard !report.unreadable.isEmpty else { return [] }
        let shown = report.unreadable.prefix(10).map { Figures.clipped("  \($0.message)", Self.width) }
        let rest = report.unreadable.count - shown.count
        return section(
            "NOT READ",
            "These count nowhere.",
            shown + (rest > 0 ? ["  … and \(rest) more"] : [])
        )
    }

    private var heads: [String] {
        let heads = report.heads
        let rows = heads.scores.sorted { $0.key < $1.key }.map { [$0.key, Figures.decimal($0.value)] }
        return section(
            "THE HEADS' OWN FIGURES",
            """
            Heads \(heads.version), for the encoder \(heads.encoder). What `\(heads.scoresMadeBy)` found when it made \
            them: of the text's part alone, without sender, headers and links, on mail that was held out. They learned \
            from: \(heads.provenance.joined(separator: "; ")). Figures above are flattered where they are of this mail.
            """,
            Figures.table(rows)
        )
    }

    private func section(_ title: String, _ sentence: String, _ lines: [String]) -> [String] {
        [Style.output.bold(title)] + (Self.wrapped(sentence) + lines).map(\.printable)
    }

    private func shown(_ file: String) -> String {
        let start = folder.hasSuffix("/") ? folder : folder + "/"
        return file.hasPrefix(start) ? String(file.dropFirst(start.count)) : file
    }

    private static func wrapped(_ text: String) -> [String] {
        var lines = [""]
        for word in text.split(separator: " ") {
            let last = lines.removeLast()
            if last.isEmpty {
                lines.append(String(word))
            } else if last.count + 1 + word.count <= width {
                lines.append("\(last) \(word)")
            } else {
                lines += [last, String(word)]
            }
        }
        return lines
    }
}
