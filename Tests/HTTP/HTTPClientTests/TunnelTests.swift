import Foundation
import Glibc
import HTTPClient
import HTTPCore
import Synchronization
import TestSupport
import Testing

/// A real nginx with TLS behind a proxy that makes tunnels.
@Suite(
    "Tunnels through proxies", .serialized, .enabled(if: Nginx.isInstalled, "nginx is not installed"),
    .timeLimit(.minutes(10)))
struct TunnelTests {
    /// Passes bytes on between a connection and a socket until one of them ends.
    private static func relay(_ connection: Upstream.Connection, to path: String) throws {
        let socket = try Descriptor(family: AF_UNIX)
        defer { socket.end() }
        try socket.connect(to: "unix:\(path)", seconds: 60)
        Thread.detachNewThread {
            while case .bytes(let bytes) = socket.receive(seconds: 600), connection.write(bytes) {}
        }
        while let bytes = connection.bytes(), socket.send(bytes, seconds: 600) {}
    }

    @Test(
        "Requests to an upstream with TLS go through one tunnel of a proxy, with TLS or without, whose fields are not theirs",
        arguments: [false, true])
    func tunnel(proxyHasTLS: Bool) async throws {
        let certificates = try Certificates()
        defer { certificates.remove() }
        let nginx = try Nginx(
            certificates,
            "location / { return 200 '$server_protocol $request_uri $http_x_key'; }")
        defer { nginx.stop() }
        let heads = Mutex<[String]>([])
        let serve: @Sendable (Upstream.Connection) -> Void = { connection in
            guard let head = connection.request() else { return }
            heads.withLock { $0.append(head) }
            connection.write("HTTP/1.1 200 OK\r\nSet-Cookie: proxy=1\r\n\r\n")
            try? Self.relay(connection, to: nginx.socket)
        }
        try await withUpstream(serve) { client, proxy in
            let relay = try proxyHasTLS ? certificates.relay(to: proxy.url) : nil
            defer { relay?.0.end() }
            let url = relay.map { "https://localhost:\($0.port)" } ?? proxy.url
            var tls = TLSPolicy()
            tls.authorities = certificates.path("ca.pem")
            for path in ["/a", "/b?c=d", "/e/../f"] {
                var request = OutgoingRequest("https://localhost\(path)")
                request.connectTimeout = .seconds(60)
                request.headers = [("X-Key", Secret("key"))]
                request.policy = ConnectionPolicy(tls: tls, proxy: url)
                let response = try await client.fetch(request)
                #expect(response.status == 200)
                #expect(String(decoding: response.body, as: UTF8.self) == "HTTP/1.1 \(path) key")
                #expect(response.headers["Set-Cookie"] == nil)
            }
        }
        let seen = heads.withLock { $0 }
        #expect(seen.map { $0.prefix { $0 != "\r\n" } } == ["CONNECT localhost:443 HTTP/1.1"])
        #expect(!seen[0].contains("key"))
    }

    @Test("The certificate of an upstream behind a proxy with TLS is not called the proxy's")
    func wrongHost() async throws {
        let certificates = try Certificates()
        defer { certificates.remove() }
        let nginx = try Nginx(certificates, "location / { return 200; }")
        defer { nginx.stop() }
        let serve: @Sendable (Upstream.Connection) -> Void = { connection in
            guard connection.request() != nil else { return }
            connection.write("HTTP/1.1 200 OK\r\n\r\n")
            try? Self.relay(connection, to: nginx.socket)
        }
        try await withUpstream(serve) { client, proxy in
            let relay = try certificates.relay(to: proxy.url)
            defer { relay.0.end() }
            var tls = TLSPolicy()
            tls.authorities = certificates.path("ca.pem")
            var request = OutgoingRequest("https://other.example/")
            request.connectTimeout = .seconds(60)
            request.policy = ConnectionPolicy(tls: tls, proxy: "https://localhost:\(relay.port)")
            #expect(await client.outcome(request).error == .tlsFailed(.wrongHost))
        }
    }
}
