import HTTPCore
import Testing

@Suite("Addresses of clients")
struct ClientTests {
    private static func address(_ text: String) -> ClientAddress? { ClientAddress(octets(text).span) }

    static let addresses: [(text: String, address: ClientAddress)] = [
        ("192.0.2.7", .v4(0xC000_0207, port: 0)), ("0.0.0.0", .v4(0, port: 0)),
        ("255.255.255.255", .v4(.max, port: 0)), ("::", .v6(0, port: 0)), ("::1", .v6(1, port: 0)),
        ("2001:DB8::ff", .v6(0x2001_0db8_0000_0000_0000_0000_0000_00ff, port: 0)),
        ("1:2:3:4:5:6:7:8", .v6(0x0001_0002_0003_0004_0005_0006_0007_0008, port: 0)),
        ("1::", .v6(1 << 112, port: 0)), ("1:2:3:4:5:6:7::", .v6(0x0001_0002_0003_0004_0005_0006_0007_0000, port: 0)),
        ("::ffff:192.0.2.7", .v4(0xC000_0207, port: 0)),
        ("64:ff9b::192.0.2.7", .v6(0x64_ff9b << 96 | 0xC000_0207, port: 0)),
    ]

    @Test("A numeric address is read", arguments: addresses)
    func reading(text: String, address: ClientAddress) { #expect(Self.address(text) == address) }

    @Test(
        "Anything else is no address",
        arguments: [
            "", "1", "1.2.3", "1.2.3.4.5", "1.2.3.256", "01.2.3.4", "1.2.3.4 ", "1.2.3.-4", "1..2.3", ":", ":::", "1:",
            "1::2::3", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7", "::1:2:3:4:5:6:7:8", "12345::", "g::", "::1.2.3",
            "1.2.3.4::",
            "1:2:3:4:5:6:7:1.2.3.4", "unknown", "::1%eth0", "[::1]",
        ])
    func refusing(text: String) { #expect(Self.address(text) == nil) }

    static let networks: [(network: String, inside: [String], outside: [String])] = [
        ("10.0.0.0/8", ["10.0.0.0", "10.255.255.255"], ["11.0.0.0", "9.255.255.255", "::10.0.0.1", "::"]),
        ("192.0.2.7", ["192.0.2.7"], ["192.0.2.6"]), ("0.0.0.0/0", ["1.2.3.4"], ["::1"]),
        ("2001:db8::/32", ["2001:db8:ffff::1"], ["2001:db9::"]), ("::/0", ["::1", "ffff::"], ["1.2.3.4"]),
        ("::1/128", ["::1"], ["::2"]),
    ]

    @Test("A network contains the addresses with its prefix", arguments: networks)
    func network(network: String, inside: [String], outside: [String]) throws {
        let network = try #require(ClientNetwork(network))
        for text in inside { #expect(try network.contains(#require(Self.address(text)))) }
        for text in outside { #expect(try !network.contains(#require(Self.address(text)))) }
        #expect(!network.contains(.unix))
    }

    @Test(
        "A malformed network is refused",
        arguments: ["", "10.0.0.0/33", "10.0.0.1/8", "10.0.0.0/", "10.0.0.0/08", "::/129", "x/8", "10/8", "Unix"])
    func malformedNetwork(text: String) { #expect(ClientNetwork(text) == nil) }

    static let forwarded: [(field: TrustedProxies.Field, lines: [String], client: String)] = [
        (.xForwardedFor, [], "10.0.0.1"), (.xForwardedFor, ["192.0.2.7"], "192.0.2.7"),
        (.xForwardedFor, ["1.1.1.1, 192.0.2.7"], "192.0.2.7"), (.xForwardedFor, ["192.0.2.7, 10.0.0.2"], "192.0.2.7"),
        (.xForwardedFor, ["192.0.2.7", "10.0.0.2"], "192.0.2.7"), (.xForwardedFor, ["10.0.0.3, 10.0.0.2"], "10.0.0.3"),
        (.xForwardedFor, ["192.0.2.7:80"], "192.0.2.7"), (.xForwardedFor, ["[2001:db8::1]:80"], "2001:db8::1"),
        (.xForwardedFor, ["2001:db8::1"], "2001:db8::1"), (.xForwardedFor, ["[2001:db8::1]"], "2001:db8::1"),
        (.xForwardedFor, ["1.1.1.1, unknown"], "10.0.0.1"),
        (.xForwardedFor, ["1.1.1.1, unknown, 10.0.0.2"], "10.0.0.2"),
        (.xForwardedFor, ["[1.1.1.1]"], "10.0.0.1"), (.xForwardedFor, ["1.1.1.1:x"], "10.0.0.1"),
        (.forwarded, ["for=192.0.2.7;proto=https;by=10.0.0.1"], "192.0.2.7"),
        (.forwarded, ["proto=http; For=\"[2001:db8::1]:4711\""], "2001:db8::1"),
        (.forwarded, ["for=1.1.1.1, for=192.0.2.7, for=10.0.0.2"], "192.0.2.7"),
        (.forwarded, ["for=1.1.1.1, for=_hidden"], "10.0.0.1"), (.forwarded, ["proto=https"], "10.0.0.1"),
        (.forwarded, ["for=1.1.1.1, host=\"a;for=2.2.2.2, b\""], "10.0.0.1"),
        (.forwarded, ["host=\"a\\\";for=2.2.2.2;\";for=192.0.2.7"], "192.0.2.7"),
        // A client wrote a quotation mark that ends nowhere, or within what a trusted proxy has added.
        (.xForwardedFor, ["\", 192.0.2.7"], "192.0.2.7"), (.xForwardedFor, ["6.6.6.6 \", 192.0.2.7"], "192.0.2.7"),
        (.xForwardedFor, ["6.6.6.6, \", 192.0.2.7, 10.0.0.2"], "192.0.2.7"),
        (.xForwardedFor, ["\"6.6.6.6\\\", 192.0.2.7"], "192.0.2.7"),
        (.xForwardedFor, ["6.6.6.6, \"", "192.0.2.7"], "192.0.2.7"),
        (.forwarded, ["for=6.6.6.6;x=\", for=192.0.2.7"], "192.0.2.7"),
        (.forwarded, ["for=6.6.6.6;x=\", for=\"192.0.2.7:80\";proto=https, for=10.0.0.2"], "192.0.2.7"),
        (.forwarded, ["for=6.6.6.6;x=\"\\, for=\"[2001:db8::1]\""], "2001:db8::1"),
        (.forwarded, ["for=6.6.6.6;x=\", for=192.0.2.7;host=\"a, \\\"for=6.6.6.6\\\\\""], "192.0.2.7"),
        (.forwarded, ["for=6.6.6.6, x=\", for=10.0.0.2"], "10.0.0.2"),
        (.forwarded, ["for=6.6.6.6;x=\"", "for=192.0.2.7"], "192.0.2.7"),
    ]

    @Test("The client is the last hop that is not trusted", arguments: forwarded)
    func forwarding(field: TrustedProxies.Field, lines: [String], client: String) throws {
        let proxies = try TrustedProxies([#require(ClientNetwork("10.0.0.0/8"))], field: field)
        let peer = try #require(Self.address("10.0.0.1"))
        let headers = HeaderFields(lines.map { (field.rawValue, $0) })
        #expect(try proxies.client(of: headers, from: peer).withoutPort == #require(Self.address(client)))
        let stranger = try #require(Self.address("203.0.113.9"))
        #expect(proxies.client(of: headers, from: stranger) == stranger)
        let other = TrustedProxies.Field.allCases.filter { $0 != field }.map { ($0.rawValue, "for=1.1.1.1") }
        #expect(proxies.client(of: HeaderFields(other), from: peer) == peer)
    }
}

extension ClientAddress {
    fileprivate var withoutPort: ClientAddress {
        switch self {
        case .v4(let address, _): .v4(address, port: 0)
        case .v6(let address, _): .v6(address, port: 0)
        case .unix: .unix
        }
    }
}

@Suite("PROXY protocol")
struct ProxyHeaderTests {
    private static func block(_ command: UInt8, _ family: UInt8, _ addresses: [UInt8], size: Int? = nil) -> [UInt8] {
        let size = size ?? addresses.count
        return [
            13, 10, 13, 10, 0, 13, 10, 0x51, 0x55, 0x49, 0x54, 10, command, family, UInt8(size >> 8), UInt8(size & 255),
        ]
            + addresses
    }

    private static let v4: [UInt8] = [192, 0, 2, 7, 10, 0, 0, 1, 0x12, 0x34, 0, 80]
    private static let v6: [UInt8] =
        [0x20, 0x01, 0x0d, 0xb8] + [UInt8](repeating: 0, count: 11) + [1] + [UInt8](repeating: 0, count: 16)
        + [0x12, 0x34, 0, 80]

    static let accepted: [(header: [UInt8], client: ClientAddress?)] = [
        (octets("PROXY TCP4 192.0.2.7 10.0.0.1 4660 80\r\n"), .v4(0xC000_0207, port: 0x1234)),
        (octets("PROXY TCP6 2001:db8::1 ::1 4660 80\r\n"), .v6(0x2001_0db8 << 96 | 1, port: 0x1234)),
        (octets("PROXY UNKNOWN\r\n"), nil), (octets("PROXY UNKNOWN any thing\r\n"), nil),
        (block(0x21, 0x11, v4), .v4(0xC000_0207, port: 0x1234)),
        (block(0x21, 0x11, v4 + [1, 0, 1, 9]), .v4(0xC000_0207, port: 0x1234)),
        (block(0x21, 0x21, v6), .v6(0x2001_0db8 << 96 | 1, port: 0x1234)), (block(0x20, 0x11, v4), nil),
        (block(0x20, 0, []), nil), (block(0x21, 0, []), nil), (block(0x21, 0x12, v4), nil),
        (block(0x21, 0x31, [UInt8](repeating: 0, count: 216)), .unix),
    ]

    @Test("A header names the client, in whatever pieces it arrives", arguments: accepted)
    func accepting(header: [UInt8], client: ClientAddress?) {
        let rest = octets("GET / HTTP/1.1\r\n")
        #expect(ProxyHeader((header + rest).span) == .complete(client: client, length: header.count))
        for end in 0..<header.count { #expect(ProxyHeader(header.span.extracting(..<end)) == .incomplete) }
    }

    static let refused: [[UInt8]] = [
        octets("GET / HTTP/1.1\r\n"), octets("PROXY\r\n"), octets("PROXY TCP4\r\n"), octets("proxy TCP4 "),
        octets("PROXY TCP4 192.0.2.7 10.0.0.1 4660\r\n"), octets("PROXY TCP4 192.0.2.7 10.0.0.1 4660 80 1\r\n"),
        octets("PROXY TCP4 192.0.2.7 10.0.0.1 65536 80\r\n"), octets("PROXY TCP4 192.0.2.7 10.0.0.1 080 80\r\n"),
        octets("PROXY TCP4 ::1 ::1 1 80\r\n"), octets("PROXY TCP6 192.0.2.7 10.0.0.1 1 80\r\n"),
        octets("PROXY  TCP4 192.0.2.7 10.0.0.1 1 80\r\n"), octets("PROXY UDP4 192.0.2.7 10.0.0.1 1 80\r\n"),
        octets("PROXY TCP4 192.0.2.7 10.0.0.1 1 80\r \n"),
        octets("PROXY UNKNOWN " + String(repeating: "x", count: 110)),
        block(0x11, 0x11, v4), block(0x22, 0x11, v4), block(0x21, 0x41, v4), block(0x21, 0x13, v4),
        block(0x21, 0x11, [1, 2, 3]), block(0x21, 0x21, v4), block(0x21, 0x31, v4), block(0x21, 0x11, v4, size: 5000),
        octets("\r\nGET"),
    ]

    @Test("Anything else is refused", arguments: refused)
    func refusing(header: [UInt8]) { #expect(ProxyHeader(header.span) == .malformed) }
}
