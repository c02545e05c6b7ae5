#if Mail
import BreezeMail
import CGMime

/// The content-type tree of a parsed message, a container before what it holds. Walked with a stack of its own, since
/// hostile mail nests without end.
struct PartWalk {
    struct Node {
        var part: MailPart
        /// `nil` for containers.
        var leaf: UnsafeMutablePointer<GMimePart>?
        /// What stands in a multipart that has no parts: all that there is to read.
        var orphan: String?
        /// Whether it belongs to an attached message.
        var isAttached: Bool
    }

    private(set) var nodes: [Node] = []
    /// Containers that were not opened.
    private(set) var unopened = 0
    private(set) var cutAtPart: Int?
    private let limits: MailLimits

    private struct Step {
        var object: UnsafeMutablePointer<GMimeObject>
        var parent: Int?
        var depth: Int
        var isAttached: Bool
    }

    init(_ message: UnsafeMutablePointer<GMimeMessage>?, limits: MailLimits) {
        self.limits = limits
        guard let root = message.flatMap({ g_mime_message_get_mime_part($0) }) else { return }
        var steps = [Step(object: root, parent: nil, depth: 0, isAttached: false)]
        while let step = steps.popLast() {
            guard nodes.count < limits.parts else {
                cutAtPart = nodes.count
                return
            }
            take(step, &steps)
        }
    }

    func leaf(at index: Int) -> UnsafeMutablePointer<GMimePart>? {
        nodes.indices.contains(index) ? nodes[index].leaf : nil
    }

    private mutating func take(_ step: Step, _ steps: inout [Step]) {
        var part = Self.part(step, index: nodes.count)
        let raw = UnsafeMutableRawPointer(step.object)
        var leaf: UnsafeMutablePointer<GMimePart>?
        var orphan: String?
        if breeze_gmime_is_multipart(raw) != 0 {
            let multipart = raw.assumingMemoryBound(to: GMimeMultipart.self)
            if g_mime_multipart_get_count(multipart) == 0 {
                orphan = String(gmime: g_mime_multipart_get_prologue(multipart))
            }
            children(of: multipart, step, part.index, &steps)
        } else if breeze_gmime_is_message_part(raw) != 0 {
            let holder = raw.assumingMemoryBound(to: GMimeMessagePart.self)
            if let message = g_mime_message_part_get_message(holder) {
                part.message = HeaderReader(message, limits: limits).attached
                if let root = g_mime_message_get_mime_part(message) {
                    push(root, step, part.index, true, &steps)
                }
            }
        } else if breeze_gmime_is_part(raw) != 0 {
            let own = raw.assumingMemoryBound(to: GMimePart.self)
            part.fileName = String(gmime: g_mime_part_get_filename(own)).flatMap { $0.isEmpty ? nil : $0 }
            leaf = own
        }
        nodes.append(Node(part: part, leaf: leaf, orphan: orphan, isAttached: step.isAttached))
    }

    private mutating func children(
        of multipart: UnsafeMutablePointer<GMimeMultipart>,
        _ step: Step,
        _ index: Int,
        _ steps: inout [Step]
    ) {
        for child in (0..<g_mime_multipart_get_count(multipart)).reversed() {
            guard let object = g_mime_multipart_get_part(multipart, child) else { continue }
            if !push(object, step, index, step.isAttached, &steps) { return }
        }
    }

    @discardableResult
    private mutating func push(
        _ object: UnsafeMutablePointer<GMimeObject>,
        _ step: Step,
        _ parent: Int,
        _ isAttached: Bool,
        _ steps: inout [Step]
    ) -> Bool {
        guard step.depth < limits.depth else {
            unopened += 1
            return false
        }
        steps.append(Step(object: object, parent: parent, depth: step.depth + 1, isAttached: isAttached))
        return true
    }

    private static func part(_ step: Step, index: Int) -> MailPart {
        let type = g_mime_object_get_content_type(step.object)
        let media = String(gmime: type.flatMap { g_mime_content_type_get_media_type($0) }) ?? "text"
        let sub = String(gmime: type.flatMap { g_mime_content_type_get_media_subtype($0) }) ?? "plain"
        let charset = String(gmime: type.flatMap { g_mime_content_type_get_parameter($0, "charset") })
        let disposition = String(gmime: g_mime_object_get_disposition(step.object))?.lowercased()
        let identifier = String(gmime: g_mime_object_get_content_id(step.object))
        return MailPart(
            index: index,
            parent: step.parent,
            depth: step.depth,
            type: "\(media)/\(sub)".lowercased(),
            charset: charset.flatMap { $0.isEmpty ? nil : $0.lowercased() },
            disposition: disposition.flatMap { $0.isEmpty ? nil : $0 },
            contentID: identifier.flatMap { $0.isEmpty ? nil : $0 }
        )
    }

    /// A Content-Type parameter of a leaf, in lower case.
    static func parameter(_ name: String, of leaf: UnsafeMutablePointer<GMimePart>) -> String? {
        let object = UnsafeMutableRawPointer(leaf).assumingMemoryBound(to: GMimeObject.self)
        return String(gmime: g_mime_object_get_content_type_parameter(object, name))?.lowercased()
    }
}
#endif
