/// Words in addresses that programs write from.
enum SenderWords {
    /// Labels before a domain.
    static let marketing: Set<Substring> = [
        "news", "newsletter", "newsletters", "email", "emails", "e", "em", "mailer", "mailers", "mailing",
        "mailings",
        "marketing", "promo", "promos", "promotions", "offers", "offer", "deals", "info", "campaign",
        "campaigns",
        "send", "sender", "mkt", "e-mail", "edm", "crm", "updates", "emarketing", "enews", "bulletin",
        "reply", "rewards",
        "shop", "eml", "nl", "mktg", "engage", "connect", "click", "announce", "announcements",
    ]
    /// The same with a number behind it: `em1234`.
    static let numbered: Set<Substring> = ["em", "e", "mail", "mailer", "news", "s", "send"]

    /// Of a local part without its separators.
    static let joined = [
        "noreply", "donotreply", "dontreply", "nepasrepondre", "noresponder", "mailerdaemon", "autoconfirm",
        "autoreply", "autoresponder", "nichtantworten", "neantworten", "bounces",
    ]
    /// Whole words of a local part.
    static let roles: Set<Substring> = [
        "notification", "notifications", "notify", "notifier", "alert", "alerts", "billing", "receipt",
        "receipts",
        "order", "orders", "invoice", "invoices", "shipping", "shipment", "tracking", "confirmation",
        "confirmations",
        "bounce", "automated", "auto", "robot", "bot", "daemon", "cron", "root", "postmaster", "builds", "ci",
        "jenkins", "jira", "bugzilla", "reminder", "reminders", "statements", "payments", "transactions",
    ]
}
