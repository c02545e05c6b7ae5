/// Top-level domains most abused according to the reports of the Cybercrime Information Center.
enum AbusedEndings {
    static let all: Set<Substring> = [
        "top", "bond", "xyz", "shop", "xin", "online", "vip", "cfd", "lol", "sbs", "site", "icu", "pro",
        "mobi",
        "live", "world", "cyou", "click", "buzz",
    ]
}
