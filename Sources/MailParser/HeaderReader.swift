#if Mail
import BreezeMail
import BreezeMailSigns
import CGMime

/// Reads a message's headers into values.
struct HeaderReader {
    private let message: UnsafeMutablePointer<GMimeMessage>
    private let limits: MailLimits
    private(set) var count = 0
    private(set) var undecoded = 0
    private(set) var droppedAddresses = 0
    private(set) var messageIDs: [String] = []
    private(set) var inReplyTo: [String] = []
    private(set) var references: [String] = []
    private(set) var rawDate: String?
    private var received: [UnsafeMutablePointer<GMimeHeader>] = []
    private(set) var list = ListHeaders()
    private(set) var authentication = AuthenticationHeaders()
    private var rawSubject: String?

    /// Results that receivers wrote beyond these are of no use.
    private static let mostResults = 50

    init(_ message: UnsafeMutablePointer<GMimeMessage>, limits: MailLimits) {
        self.message = message
        self.limits = limits
        let object = UnsafeMutableRawPointer(message).assumingMemoryBound(to: GMimeObject.self)
        guard let headers = g_mime_object_get_header_list(object) else { return }
        count = Int(g_mime_header_list_get_count(headers))
        for index in 0..<Int32(count) {
            guard let header = g_mime_header_list_get_header_at(headers, index),
                let name = g_mime_header_get_name(header),
                Self.initials.contains(UInt8(bitPattern: name[0]) | 0x20)
            else { continue }
            take(String(cString: name).lowercased(), header)
        }
    }

    /// Of the headers that are read: most of a message are not, and need no string.
    private static let initials = Set("midrslpaxf".utf8)

    private mutating func take(_ name: String, _ header: UnsafeMutablePointer<GMimeHeader>) {
        func value() -> String { (String(gmime: g_mime_header_get_raw_value(header)) ?? "").unfolded }
        switch name {
        case "message-id": messageIDs += Self.identifiers(value())
        case "in-reply-to": inReplyTo += MessageIDs.parse(value())
        case "references": references += MessageIDs.parse(value())
        case "subject": rawSubject = rawSubject ?? value()
        case "date": rawDate = rawDate ?? value()
        case "received": if received.count < Self.mostResults { received.append(header) }
        case "list-id": list.id = list.id ?? (String(gmime: g_mime_header_get_value(header)) ?? "").unfolded
        case "list-post": list.post = list.post ?? value()
        case "list-unsubscribe": list.unsubscribe = list.unsubscribe ?? value()
        case "precedence": list.precedence = list.precedence ?? value()
        case "auto-submitted": list.autoSubmitted = list.autoSubmitted ?? value()
        case "authentication-results":
            if authentication.results.count < Self.mostResults { authentication.results.append(value()) }
        case "received-spf":
            if authentication.receivedSPF.count < Self.mostResults {
                authentication.receivedSPF.append(value())
            }
        case "return-path": authentication.returnPath = authentication.returnPath ?? value()
        default: mark(name)
        }
    }

    private mutating func mark(_ name: String) {
        guard let mark = TellingHeaders.mark(of: name), !list.marks.contains(mark) else { return }
        list.marks.append(mark)
    }

    /// Ids as they should be, else the one word that stands there.
    private static func identifiers(_ value: String) -> [String] {
        let proper = MessageIDs.parse(value)
        if !proper.isEmpty { return proper }
        let bare = value.filter { $0 != "<" && $0 != ">" }
        return bare.isEmpty || bare.contains(" ") || bare.utf8.count > 998 ? [] : [bare]
    }

    var subject: String {
        mutating get {
            guard let rawSubject else { return "" }
            if Self.encodedWords(rawSubject) > limits.encodedWords {
                undecoded += 1
                return rawSubject
            }
            return (String(gmime: g_mime_message_get_subject(message)) ?? rawSubject).unfolded
        }
    }

    private static func encodedWords(_ value: String) -> Int {
        var count = 0
        var last: UInt8 = 0
        for byte in value.utf8 {
            if last == UInt8(ascii: "="), byte == UInt8(ascii: "?") { count += 1 }
            last = byte
        }
        return count
    }

    mutating func addresses(_ type: GMimeAddressType) -> [MailAddress] {
        guard let list = g_mime_message_get_addresses(message, type) else { return [] }
        var found: [MailAddress] = []
        for index in 0..<internet_address_list_length(list) {
            guard let address = internet_address_list_get_address(list, index) else { continue }
            let raw = UnsafeMutableRawPointer(address)
            if breeze_gmime_is_group(raw) != 0 {
                members(raw.assumingMemoryBound(to: InternetAddressGroup.self), Self.name(address), &found)
            } else if breeze_gmime_is_mailbox(raw) != 0 {
                found.append(Self.mailbox(address, group: nil))
            }
            if found.count > limits.addresses { break }
        }
        let over = Int(internet_address_list_length(list)) - limits.addresses
        if over > 0 { droppedAddresses += over }
        return Array(found.prefix(limits.addresses))
    }

    /// A group within a group is malformed, and left out.
    private func members(
        _ group: UnsafeMutablePointer<InternetAddressGroup>,
        _ name: String?,
        _ found: inout [MailAddress]
    ) {
        guard let list = internet_address_group_get_members(group) else { return }
        let count = internet_address_list_length(list)
        if count == 0 { found.append(MailAddress(address: "", group: name)) }
        for index in 0..<count where found.count <= limits.addresses {
            guard let address = internet_address_list_get_address(list, index),
                breeze_gmime_is_mailbox(UnsafeMutableRawPointer(address)) != 0
            else { continue }
            found.append(Self.mailbox(address, group: name))
        }
    }

    private static func mailbox(_ address: UnsafeMutablePointer<InternetAddress>, group: String?)
        -> MailAddress
    {
        let mailbox = UnsafeMutableRawPointer(address).assumingMemoryBound(to: InternetAddressMailbox.self)
        let text = String(gmime: internet_address_mailbox_get_addr(mailbox)) ?? ""
        return MailAddress(name: name(address), address: text.unfolded, group: group)
    }

    private static func name(_ address: UnsafeMutablePointer<InternetAddress>) -> String? {
        let name = String(gmime: internet_address_get_name(address))?.unfolded
        return name.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// From Date, else from the topmost Received, which the last server wrote.
    var date: (date: MailDate?, isReadable: Bool) {
        if let date = rawDate.flatMap({ MailDate(header: $0) }) { return (date, true) }
        for header in received {
            let line = (String(gmime: g_mime_header_get_raw_value(header)) ?? "").unfolded
            guard let semicolon = line.lastIndex(of: ";") else { continue }
            if let date = MailDate(header: String(line[line.index(after: semicolon)...])) {
                return (date, false)
            }
        }
        return (nil, false)
    }

    /// As the headers of a message within another.
    var attached: AttachedMessage {
        var copy = self
        let from = copy.addresses(GMIME_ADDRESS_TYPE_FROM)
        let id = Set(messageIDs).count == 1 ? messageIDs.first : nil
        return AttachedMessage(subject: copy.subject, from: from, date: date.date, messageID: id)
    }
}
#endif
