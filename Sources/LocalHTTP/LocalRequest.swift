/// A request to a program of this device. Each has a connection of its own.
package struct LocalRequest: Sendable {
    package var method: String
    package var path: String
    /// Names and values without line breaks.
    package var fields: [(name: String, value: String)]
    package var body: [UInt8]

    package init(
        _ method: String,
        _ path: String,
        fields: [(name: String, value: String)] = [],
        body: [UInt8] = []
    ) {
        self.method = method
        self.path = path
        self.fields = fields
        self.body = body
    }

    func bytes(to address: LocalAddress) -> [UInt8] {
        var head = "\(method) \(path) HTTP/1.1\r\nhost: \(address.host)\r\nconnection: close\r\n"
        for field in fields {
            precondition(
                !(field.name + field.value).utf8.contains { $0 == 0x0A || $0 == 0x0D },
                "a header field with a line break would be two"
            )
            head += "\(field.name): \(field.value)\r\n"
        }
        if !body.isEmpty || method != "GET" { head += "content-length: \(body.count)\r\n" }
        return Array((head + "\r\n").utf8) + body
    }
}
