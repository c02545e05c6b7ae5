/// Which categories wanted mail was given, against those that it has.
public struct CategoryConfusion: Codable, Hashable, Sendable {
    public var messages: Int
    /// By what the mail is, then by what was said.
    public var counts: [MailCategory: [MailCategory: Int]]
    public var accuracy: MeasuredShare
    public var categories: [MailCategory: Figures]
    /// The mean over the categories that any of the mail has; `nil` where none has one.
    public var macroF1: Double?

    public struct Figures: Codable, Hashable, Sendable {
        /// Mail that has the category.
        public var messages: Int
        /// `nil` where the category was never said.
        public var precision: Double?
        /// `nil` where no mail has the category.
        public var recall: Double?
        /// `nil` where it was never said and no mail has it.
        public var f1: Double?
    }

    /// To stand beside every figure.
    public static let note =
        "No public set of labelled mail has real social notifications, so that figures for social, and the mean "
        + "over the categories, rest on invented or private mail."

    public init(_ answers: [(is: MailCategory, said: MailCategory)]) {
        messages = answers.count
        var counts: [MailCategory: [MailCategory: Int]] = [:]
        for row in MailCategory.allCases {
            for column in MailCategory.allCases { counts[row, default: [:]][column] = 0 }
        }
        for answer in answers { counts[answer.is]?[answer.said, default: 0] += 1 }
        self.counts = counts
        accuracy = MeasuredShare(answers.count { $0.is == $0.said }, of: answers.count)
        categories = [:]
        for category in MailCategory.allCases {
            var confusion = Confusion()
            confusion.truePositives = answers.count { $0.is == category && $0.said == category }
            confusion.falsePositives = answers.count { $0.is != category && $0.said == category }
            confusion.falseNegatives = answers.count { $0.is == category && $0.said != category }
            categories[category] = Figures(
                messages: confusion.truePositives + confusion.falseNegatives,
                precision: confusion.precision,
                recall: confusion.recall,
                f1: confusion.f1
            )
        }
        let present = categories.values.filter { $0.messages > 0 }.compactMap(\.f1)
        // In the order of size, since a sum of doubles depends on its order and a dictionary has none.
        macroF1 = present.isEmpty ? nil : present.sorted().reduce(0, +) / Double(present.count)
    }
}
