package import BreezeCore

/// What a process that reads messages to be judged answers for each: a line of JSON.
package enum FactsWord: Codable, Sendable {
    case facts(MailFacts)
    case failed(BreezeError)
}
