import BreezeCore
import Foundation
import Testing

@testable import BreezeTransport

@Suite struct `Where a redirect leads` {
    private func follow(
        _ from: String,
        _ location: String,
        status: Int = 302,
        method: String = "GET"
    ) throws -> HTTPRequest? {
        let url = try #require(URL(string: from))
        let headers: HeaderFields = [
            "authorization": "Bearer secret", "COOKIE": "a=b", "Accept": "*/*", "Content-Type": "text/plain",
            "X-Subscription-Token": "key",
        ]
        let body: [UInt8] = method == "GET" ? [] : [1]
        let request = HTTPRequest(method, url, purpose: .modelDownload, headers: headers, body: body)
        return try RedirectRule.next(request, status: status, headers: ["location": location])
    }

    // RFC 9110, section 15.4, and RFC 3986, section 5.4.1 for what is relative.
    @Test(arguments: [
        ("https://a.example/x/y", "z", "https://a.example/x/z"),
        ("https://a.example/x/y", "/z?q=1", "https://a.example/z?q=1"),
        ("https://a.example/x/y", "//b.example/z", "https://b.example/z"),
        ("https://a.example/x", "https://b.example:8443/z", "https://b.example:8443/z"),
        ("http://localhost:1/x", "https://b.example/z", "https://b.example/z"),
    ])
    func `the address it names`(from: String, location: String, target: String) throws {
        #expect(try follow(from, location)?.url.absoluteString == target)
    }

    @Test(arguments: [
        ("https://a.example/x", "https://a.example/y", true),
        ("https://a.example/x", "https://A.Example:443/y", true),
        ("https://a.example/x", "https://b.example/y", false),
        ("https://a.example/x", "https://sub.a.example/y", false),
        ("https://a.example/x", "https://a.example:8443/y", false),
    ])
    func `only the same server gets the credentials again`(from: String, location: String, keeps: Bool) throws
    {
        let next = try #require(try follow(from, location))
        #expect((next.headers["Authorization"] != nil) == keeps)
        #expect((next.headers["Cookie"] != nil) == keeps)
        #expect((next.headers["X-Subscription-Token"] != nil) == keeps)
        #expect(next.headers["accept"] == "*/*")
    }

    @Test func `what was sent to one server is not sent to another`() throws {
        let error = #expect(throws: BreezeError.self) {
            try follow("https://a.example/x", "https://b.example/y", status: 307, method: "POST")
        }
        #expect(error?.code == .insecureConnection)
    }

    @Test(arguments: ["http://a.example/x", "http://localhost/x", "ftp://a.example/x", "file:///etc/passwd"])
    func `nothing leads away from https`(location: String) throws {
        let error = #expect(throws: BreezeError.self) {
            try follow("https://a.example/x?token=s3cret", location)
        }
        #expect([.insecureConnection, .invalidResponse].contains(error?.code))
        #expect(error?.description.contains("s3cret") == false)
    }

    @Test(arguments: [
        ("POST", 301, "GET", 0), ("POST", 302, "GET", 0), ("POST", 303, "GET", 0), ("PUT", 302, "PUT", 1),
        ("PUT", 303, "GET", 0), ("POST", 307, "POST", 1), ("POST", 308, "POST", 1), ("HEAD", 303, "HEAD", 0),
    ])
    func `methods and bodies as the standard says`(
        method: String,
        status: Int,
        next: String,
        bytes: Int
    ) throws {
        let request = try #require(try follow("https://a.example/x", "/y", status: status, method: method))
        #expect(request.method == next)
        #expect(request.body.count == bytes)
        #expect((request.headers["Content-Type"] != nil) == (bytes > 0))
    }

    @Test(arguments: [200, 206, 300, 304, 404])
    func `other answers are none`(status: Int) throws {
        #expect(try follow("https://a.example/x", "/y", status: status) == nil)
    }
}

@Suite struct `What may be sent` {
    private func check(_ text: String, _ headers: HeaderFields = [:]) throws {
        let url = try #require(URL(string: text))
        try RedirectRule.check(HTTPRequest("GET", url, purpose: .modelSearch, headers: headers))
    }

    @Test(arguments: [
        "https://a.example/x", "HTTPS://a.example/x", "http://localhost:8080/", "http://127.0.0.1/",
        "http://127.255.0.1/", "http://[::1]:8080/",
    ])
    func `https, and http to this device`(url: String) throws {
        try check(url)
    }

    @Test(arguments: [
        "http://a.example/x", "http://localhost.evil.example/", "http://127.0.0.1.evil.example/",
        "http://128.0.0.1/",
        "http://[::2]/", "ftp://a.example/", "http://127.1.example/",
    ])
    func `nothing else`(url: String) {
        let error = #expect(throws: BreezeError.self) { try check(url) }
        #expect(error?.code == .insecureConnection)
    }

    @Test func `no credentials in an address, and none in the error`() {
        let error = #expect(throws: BreezeError.self) {
            try check("https://user:s3cret@a.example/x?k=s3cret")
        }
        #expect(error?.code == .invalidRequest)
        #expect(error?.description.contains("s3cret") == false)
        #expect(error?.description.contains("a.example/x") == true)
    }

    @Test(arguments: [
        ("Authorization", "Bearer s3cret\r\nX-Evil: 1"), ("Authorization", "s3cret\n"),
        ("Bad Name", "s3cret"),
        ("", "s3cret"), ("X", "s3cret\0"),
    ])
    func `a header that would end its line is refused without being shown`(name: String, value: String) {
        let error = #expect(throws: BreezeError.self) { try check("https://a.example/", [name: value]) }
        #expect(error?.code == .invalidRequest)
        #expect(error?.description.contains("s3cret") == false)
    }
}

@Suite struct `Addresses in errors` {
    @Test(arguments: [
        ("https://u:p@cdn.example:8443/a%20b?Signature=x#f", "https://cdn.example:8443/a%20b"),
        ("https://cdn.example/a", "https://cdn.example/a"),
        ("http://[::1]:80/a?b", "http://[::1]:80/a"),
        ("/only/path?b", "/only/path"),
    ])
    func `show neither user nor query`(text: String, shown: String) throws {
        #expect(try #require(URL(string: text)).withoutSecrets == shown)
    }
}

@Suite struct `The proxy of the environment` {
    @Test func `is read from HTTPS_PROXY, with what it does not serve`() throws {
        let proxy = try #require(
            ProxySettings(environment: [
                "HTTPS_PROXY": "http://me:pw@proxy.example:3128",
                "NO_PROXY": "internal.example, .corp.example",
            ])
        )
        #expect(proxy.host == "proxy.example")
        #expect(proxy.port == 3128)
        #expect(proxy.credentials == "me:pw")
        let served = [
            "https://hub.example/": true, "https://internal.example/": false,
            "https://a.internal.example/": false,
            "https://corp.example/": false, "https://a.corp.example/": false,
            "https://notcorp.example/": true,
            "http://localhost:80/": false, "https://127.0.0.1/": false,
        ]
        for (url, serves) in served {
            #expect(proxy.serves(try #require(URL(string: url))) == serves, "\(url)")
        }
    }

    @Test(arguments: ["", "socks5://proxy.example", "http://"])
    func `is none where none of a known kind is named`(value: String) {
        #expect(ProxySettings(environment: ["HTTPS_PROXY": value]) == nil)
    }
}
