import BreezeLocalHTTP
import Testing

@Suite struct LocalAddressTests {
    @Test(arguments: [
        ("http://127.0.0.1:11535", LocalAddress.loopback(.version4, port: 11_535)),
        ("http://0.0.0.0:80", .loopback(.version4, port: 80)),
        ("HTTP://localhost:1", .loopback(.version4, port: 1)),
        ("http://[::1]:9/", .loopback(.version6, port: 9)),
        ("http://[::]:9", .loopback(.version6, port: 9)),
    ])
    func `an address of this device is taken`(_ text: String, _ address: LocalAddress) {
        #expect(LocalAddress(http: text) == address)
    }

    @Test(arguments: [
        "https://127.0.0.1:11535", "http://192.168.1.2:80", "http://breeze.example:80", "http://127.0.0.2:80",
        "http://127.0.0.1.example:80", "http://127.0.0.1:0", "http://127.0.0.1:99999", "127.0.0.1:80", "",
        "http://:80", "http://localhost@example.com:80", "file:///tmp/hub.sock",
    ])
    func `an address that leads off the device, or nowhere, is not`(_ text: String) {
        #expect(LocalAddress(http: text) == nil)
    }
}
