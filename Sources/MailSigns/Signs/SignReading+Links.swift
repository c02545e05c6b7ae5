import BreezeMail

extension SignReading {
    mutating func readLinks() {
        var seen: Set<String> = []
        var left = settings.mostLinks
        var htmlLinks = 0
        var textLinks = 0
        for text in message.body.texts where !text.isAttached {
            if let html = text.html {
                htmlLinks += html.links.count
                for link in html.links where left > 0 {
                    if seen.insert(link.target).inserted {
                        left -= 1
                        readLink(link.target)
                    }
                    readShownText(of: link)
                }
            } else {
                let links = TextLinks.find(in: text.text, limit: 10_000)
                textLinks += links.count
                for link in links where left > 0 && seen.insert(link).inserted {
                    left -= 1
                    readLink(link)
                }
            }
        }
        read.counts.links = htmlLinks > 0 ? htmlLinks : textLinks
    }

    private mutating func readLink(_ text: String) {
        guard let parts = LinkParts(text) else { return }
        guard let name = parts.host else { return readOpaque(parts) }
        let host = host(name)
        let domain = host.owner
        if read.linkDomains.count < MailSigns.mostLinkDomains, !read.linkDomains.contains(domain) {
            read.linkDomains.append(domain)
        }
        if isShortener(host) {
            signs.add(
                .shortener,
                .strong,
                "a link that \(Evidence.host(host)) shortens, which hides where it leads"
            )
        }
        if let user = parts.userInfo, !user.isEmpty, parts.scheme != "ftp" {
            signs.add(
                .userInURL,
                .strong,
                "\(Evidence.quoted(user, limit: 50)) before the @ of a link to \(Evidence.host(host))"
            )
        }
        if parts.hostLength >= 40, host.numeric == nil {
            signs.add(
                .longHost,
                .weak,
                "a link to \(Evidence.host(host)), a host of \(parts.hostLength) characters"
            )
        }
        examine(host, "a link to", isLink: true)
        if let nested = parts.nestedHost {
            let inner = self.host(nested)
            if inner.owner != host.owner {
                examineKnown(inner)
                signs.add(
                    .urlInURL,
                    .context,
                    "a link to \(Evidence.host(host)) with one to \(Evidence.host(inner)) in it"
                )
            }
        }
    }

    private func isShortener(_ host: LinkHost) -> Bool {
        guard let owners = Shorteners.owners[host.owner] ?? Shorteners.owners[host.name] else { return false }
        return !owners.contains(fromHost?.owner ?? "") && host.owner != fromHost?.owner
    }

    private mutating func readOpaque(_ parts: LinkParts) {
        let shown = Evidence.quoted("\(parts.scheme):\(parts.opaque)", limit: 50)
        switch parts.scheme {
        case "data":
            let type = parts.opaque.lowercased()
            let isPage = ["text/html", "image/svg", "application/", "text/xml"].contains {
                type.hasPrefix($0)
            }
            signs.add(
                .dataOrJavaScriptLink,
                isPage ? .strong : .weak,
                "a link that is a page itself: \(shown)"
            )
        case "javascript", "vbscript":
            // What pages write in links that do nothing.
            let code = parts.opaque.lowercased().filter { !$0.isWhitespace && $0 != ";" }
            let isIdle = ["", "void(0)", "void0", "//", "window.close()", "window.print()", "self.close()"]
                .contains(code)
            signs.add(
                .dataOrJavaScriptLink,
                isIdle ? .context : .strong,
                "a link that is a program: \(shown)"
            )
        default: break
        }
    }

    /// Click trackers lead elsewhere than they say in wanted mail too.
    private mutating func readShownText(of link: HTMLLink) {
        guard let written = Self.shownLink(link.text), let shown = LinkParts(written)?.host,
            let target = LinkParts(link.target)?.host
        else { return }
        let (shownHost, targetHost) = (host(shown), host(target))
        guard shownHost.owner != targetHost.owner else { return }
        signs.add(
            .linkTextElsewhere,
            .context,
            "a link that shows \(Evidence.quoted(shownHost.name)) leads to \(Evidence.host(targetHost))"
        )
    }

    /// A link's text as a URL: one that it holds, or a word that is a host.
    private static func shownLink(_ text: String) -> String? {
        guard text.utf8.count >= 4, text.contains(".") else { return nil }
        if let found = TextLinks.find(in: text, limit: 1).first { return found }
        guard !text.contains(" "), !text.contains("@"), text.utf8.count <= 253 else { return nil }
        let host = text.prefix { $0 != "/" && $0 != "?" }
        guard let dot = host.lastIndex(of: "."), dot != host.startIndex else { return nil }
        let ending = host[host.index(after: dot)...].lowercased()
        return commonEndings.contains(ending) || CountryEndings.countries.contains(Substring(ending))
            ? "//" + text : nil
    }

    private static let commonEndings: Set<String> = [
        "com", "net", "org", "edu", "gov", "mil", "info", "biz", "io", "co", "app", "dev",
    ]
}
