import HTTPCore
import Testing

@Suite("Listening addresses")
struct SocketAddressTests {
    @Test(
        "An address is read from its text and written back",
        arguments: [
            ("127.0.0.1:8080", SocketAddress.network(host: "127.0.0.1", port: 8080), "127.0.0.1:8080"),
            ("localhost:0", .network(host: "localhost", port: 0), "localhost:0"),
            (":8080", .network(host: "0.0.0.0", port: 8080), "0.0.0.0:8080"),
            ("[::1]:65535", .network(host: "::1", port: 65535), "[::1]:65535"),
            ("[::]:80", .network(host: "::", port: 80), "[::]:80"),
            ("unix:/run/weir.sock", .unix(path: "/run/weir.sock"), "unix:/run/weir.sock"),
            ("unix:weir.sock", .unix(path: "weir.sock"), "unix:weir.sock"), ("fd:3", .inherited(3), "fd:3"),
        ])
    func reading(text: String, address: SocketAddress, description: String) throws {
        let read = try #require(SocketAddress(text))
        #expect(read == address)
        #expect(read.description == description)
        #expect(SocketAddress(read.description) == address)
    }

    @Test(
        "An invalid address is refused",
        arguments: [
            "", "localhost", "8080", "localhost:", "localhost:65536", "localhost:-1", "localhost:+80", "localhost:8o",
            "localhost: 80", "::1:80", "[::1:80", "[]:80", "host\0:80", "unix:", "unix:/a\0b",
            "fd:", "fd:2", "fd:-3", "fd:3x", "fd:99999999999",
            "unix:/" + String(repeating: "x", count: 107),
        ])
    func refusing(text: String) {
        #expect(SocketAddress(text) == nil)
    }

    @Test("A path can have up to 107 bytes")
    func longestPath() {
        #expect(SocketAddress("unix:/" + String(repeating: "x", count: 106)) != nil)
    }
}
