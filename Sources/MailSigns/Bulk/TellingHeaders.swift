/// Headers whose name alone tells what kind of sender a message has.
public enum TellingHeaders {
    /// What stands for a header in `ListHeaders.marks`: its name, or `x-github-` for all that begin so; `nil` where it
    /// tells nothing. `name` is in lower case.
    public static func mark(of name: String) -> String? {
        if kinds[name] != nil { return name }
        // All prefixes are `x-` and a word.
        let bytes = name.utf8
        guard bytes.starts(with: "x-".utf8), let dash = bytes.dropFirst(2).firstIndex(of: UInt8(ascii: "-"))
        else {
            return nil
        }
        let prefix = String(name[...dash])
        return kinds[prefix] != nil ? prefix : nil
    }

    static func kind(of mark: String) -> BulkSigns.Kind? { kinds[mark] }

    private static let kinds: [String: BulkSigns.Kind] = {
        let groups: [(BulkSigns.Kind, String)] = [
            (
                .list,
                "mailing-list x-mailing-list x-mailman-version x-beenthere x-google-group-id x-listserver x-ml-name "
                    + "x-sympa-to"
            ),
            (
                .bulk,
                "feedback-id x-feedback-id list-unsubscribe-post x-campaign x-campaignid x-campaign-id x-mailer-lid "
                    + "x-mailchimp- x-mc-user x-mandrill-user x-csa-complaints x-sg-eid x-sg-id x-mailgun-sid "
                    + "x-mailgun-variables x-roving- x-sib-id x-sfmc-stack x-hubspot- x-rpcampaign x-kmail-account "
                    + "x-mj-mid x-cm-message-id x-elqpod x-marketoid x-job x-virtual-mta x-report-abuse "
                    + "x-report-abuse-to x-binding x-mktmailingid x-acxiom- x-cheetahmailer- x-mailerinfo"
            ),
            (
                .social,
                "x-facebook x-facebook- x-linkedin- x-twitter- x-meetup- x-pinterest- x-reddit- x-nextdoor-"
            ),
            (
                .automatic,
                "x-github- x-gitlab- x-jira- x-jenkins- x-bugzilla- x-gerrit- x-launchpad- x-phabricator- "
                    + "x-travis- x-sentry- x-trac- x-redmine- x-autoreply x-autorespond x-autoresponse x-cron-env "
                    + "x-failed-recipients x-discourse- x-bitbucket- x-atlassian- x-auto-response-suppress"
            ),
        ]
        var kinds: [String: BulkSigns.Kind] = [:]
        for (kind, names) in groups { for name in names.split(separator: " ") { kinds[String(name)] = kind } }
        return kinds
    }()
}
