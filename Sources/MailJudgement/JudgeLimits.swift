/// How long a judgement may take. What is late is given up, and words and headers judge alone: the verdict says so.
package struct JudgeLimits: Sendable {
    /// One message's category.
    package var category = Duration.seconds(2)
    /// One message's spam and phishing.
    package var risk = Duration.milliseconds(500)
    /// A hundred messages' categories.
    package var hundred = Duration.seconds(60)

    package init() {}
}
