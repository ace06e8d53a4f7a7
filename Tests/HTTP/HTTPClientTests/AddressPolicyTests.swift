import Glibc
import EventLoop
import HTTPClient
import HTTPCore
import TestSupport
import Testing

@Suite("Addresses of upstreams", .timeLimit(.minutes(10)))
struct AddressPolicyTests {
    private static func address(_ text: String) -> ClientAddress? { ClientAddress(text.utf8.span) }

    @Test(
        "Addresses inside of networks are not public, in every way to write them",
        arguments: [
            "0.0.0.0", "0.255.255.255", "10.0.0.0", "10.255.255.255", "100.64.0.1", "100.127.255.255", "127.0.0.1",
            "127.255.255.255", "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.8", "192.0.2.1",
            "192.168.0.1", "192.168.255.255", "198.18.0.1", "198.19.255.255", "198.51.100.1", "203.0.113.1",
            "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255", "::", "::1", "::127.0.0.1",
            "::ffff:127.0.0.1",
            "::ffff:10.1.2.3", "::ffff:169.254.169.254", "::ffff:0:0", "64:ff9b::10.0.0.1", "64:ff9b::7f00:1",
            "64:ff9b:1::1", "64:ff9b:1:ffff::8.8.8.8", "100::1", "2001::1", "2001:2::1", "2001:1f::1", "2001:db8::1",
            "2002:7f00:1::", "2002:a00:1::1", "2002:c0a8:101::1", "fc00::1", "fd12:3456::1", "fdff::", "fe80::1",
            "febf::1", "fec0::1",
            "ff02::1", "ff0e::1", "::ffff:0:127.0.0.1", "3fff::1", "3fff:fff::1", "5f00::1", "192.88.99.1",
        ])
    func privateAddresses(text: String) throws {
        #expect(try #require(Self.address(text)).isPublic == false)
    }

    @Test(
        "Other addresses are public",
        arguments: [
            "1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255",
            "128.0.0.0", "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.0.1.0",
            "192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0", "223.255.255.255", "::ffff:8.8.8.8",
            "64:ff9b::8.8.8.8", "2001:2:1::1", "2001:20::1",
            "2002:808:808::1", "2606:4700::1111", "2a00:1450:4001::1", "fbff::1", "64:ff9a::10.0.0.1",
        ])
    func publicAddresses(text: String) throws { #expect(try #require(Self.address(text)).isPublic) }

    @Test(
        "Text that is no address is none",
        arguments: [
            "", "localhost", "1.2.3", "1.2.3.4.5", "256.1.1.1", "0x7f.1", "127.0.0.1 ", "[::1]", ":::", "::1%lo",
        ])
    func noAddress(text: String) { #expect(Self.address(text) == nil) }

    /// The name of an upstream that resolves to the addresses of `list`.
    static func client<Result>(
        resolvingTo list: [String], _ body: (Client) async throws -> Result
    ) async throws -> Result {
        try await withClient(resolver: Resolver { _ in list }) { client, _ in try await body(client) }
    }

    static func request(_ upstream: Upstream, _ addresses: AddressPolicy) throws -> OutgoingRequest {
        let port = try #require(upstream.url.split(separator: ":").last.flatMap { Int($0) })
        var request = OutgoingRequest("http://weather.example:\(port)/")
        request.policy = ConnectionPolicy(
            name: ConnectionPolicy.Name(host: "Weather.example", ports: [port]), addresses: addresses)
        return request
    }

    private static let answering: @Sendable (Upstream.Connection) -> Void = { connection in
        while connection.request() != nil { connection.answer(text: "yes") }
    }

    @Test(
        "A name that leads to a private address is refused when the socket opens, unless the policy admits any",
        arguments: [["127.0.0.1"], ["::1", "127.0.0.1"], ["::ffff:127.0.0.1"]])
    func rebinding(list: [String]) async throws {
        let upstream = try Upstream(Self.answering)
        defer { upstream.stop() }
        try await Self.client(resolvingTo: list) { client in
            let (refused, admitted) = (try Self.request(upstream, .publicOnly), try Self.request(upstream, .any))
            #expect(await client.outcome(refused).error == .privateAddress)
            #expect(upstream.connectionCount == 0)
            #expect(await client.outcome(admitted).text == "yes")
        }
    }

    @Test("A literal private address is refused by a policy that admits public ones only")
    func literal() async throws {
        try await withUpstream(Self.answering) { client, upstream in
            var request = OutgoingRequest(upstream.url)
            request.policy = ConnectionPolicy(addresses: .publicOnly)
            #expect(await client.outcome(request).error == .privateAddress)
            #expect(upstream.connectionCount == 0)
        }
    }

    @Test("An address that does not answer does not prevent a connection to one of the other family")
    func happyEyeballs() async throws {
        let upstream = try Upstream(Self.answering)
        defer { upstream.stop() }
        let port = try #require(upstream.url.split(separator: ":").last.flatMap { UInt16($0) })
        // Without IPv6, the first address fails at once.
        let blackhole = try? Blackhole(port: port)
        try await Self.client(resolvingTo: ["::1", "127.0.0.1"]) { client in
            var request = try Self.request(upstream, .any)
            request.connectTimeout = .seconds(60)
            #expect(await client.outcome(request).text == "yes")
        }
        blackhole?.close()
    }
}

/// A port of ::1 that answers no attempt to connect, because its backlog is full.
private struct Blackhole {
    private let sockets: [Int32]

    init(port: UInt16) throws {
        var sockets: [Int32] = []
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = port.bigEndian
        address.sin6_addr = in6addr_loopback
        func withAddress(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
            withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    body($0, socklen_t(MemoryLayout<sockaddr_in6>.size))
                }
            }
        }
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let listener = socket(AF_INET6, type, 0)
        sockets.append(listener)
        guard listener >= 0, withAddress({ bind(listener, $0, $1) }) == 0, listen(listener, 0) == 0 else {
            throw Failure("::1: \(errorText())")
        }
        for _ in 0..<4 {
            let filler = socket(AF_INET6, type, 0)
            sockets.append(filler)
            _ = withAddress { connect(filler, $0, $1) }
        }
        self.sockets = sockets
    }

    func close() { for socket in sockets { Glibc.close(socket) } }
}
