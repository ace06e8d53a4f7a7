@testable import Store
import EventLoop
import HTTPCore
import TestSupport
import Testing

@Suite("Connections to Redis", .enabled(if: RedisServer.isInstalled), .timeLimit(.minutes(5)))
struct RedisConnectionTests {
    private func withServer(_ options: String = "", _ body: (RedisServer) async throws -> Void) async throws {
        let server = try RedisServer(options)
        defer { server.stop() }
        try await body(server)
    }

    private func settings(_ server: RedisServer, user: String? = nil, password: RedisPassword?) -> RedisSettings {
        var settings = RedisSettings(address: .unix(path: server.socket))
        (settings.user, settings.password) = (user, password)
        return settings
    }

    @Test("A password, a user and a database open the connection")
    func authentication() async throws {
        try await withServer("--requirepass secret --user weir on '>word' '~weir:*' '&weir:*' +@all") { server in
            for (user, word) in [(nil, "secret"), ("weir", "word")] {
                var settings = settings(server, user: user, password: RedisPassword(Secret(word)) { nil })
                settings.database = 3
                let test = try StoreTest(settings)
                defer { test.stop() }
                try await test.run { store, shard in
                    let fence = try await store.granted("a", milliseconds: 60_000, on: shard)
                    try await store.keep([1], "a", milliseconds: 60_000, fence: fence, on: shard)
                    #expect(try await store.value("a", on: shard) == [1])
                }
                #expect(try server.run("-a secret --no-auth-warning info keyspace").contains("db3:keys="))
            }
        }
    }

    @Test(
        "A connection that Redis refuses is a fault with Redis's word, and the log has no password",
        arguments: [
            ("AUTH with WRONGPASS", nil, "wrong-word"), ("AUTH with WRONGPASS", "nobody", "wrong-word"),
            ("EVAL with NOAUTH", nil, nil),
        ])
    func refusal(detail: String, user: String?, word: String?) async throws {
        try await withServer("--requirepass secret") { server in
            let password = word.map { RedisPassword(Secret($0)) { nil } }
            let test = try StoreTest(settings(server, user: user, password: password))
            defer { test.stop() }
            await #expect(throws: SharedFault.self) {
                try await test.value("a")
            }
            #expect(test.line("shared store lost", detail) != nil)
            #expect(!test.lines.current.contains { $0.contains("wrong-word") || $0.contains("secret") })
            #expect(!test.store.isReachable(on: test.shard))
        }
    }

    @Test("A user without the right to a command gets a fault, and no miss")
    func rights() async throws {
        try await withServer("--user default on nopass '~*' '&*' +@all -get") { server in
            let test = try StoreTest(settings(server, password: nil))
            defer { test.stop() }
            await #expect(throws: SharedFault.refused("NOPERM")) {
                try await test.value("a")
            }
            #expect(test.metrics.contains("weir_shared_commands_total{command=\"value\",result=\"refused\"} 1\n"))
        }
    }

    @Test("A password that has changed is read again")
    func changedPassword() async throws {
        try await withServer("--requirepass new") { server in
            let test = try StoreTest(settings(server, password: RedisPassword(Secret("old")) { Secret("new") }))
            defer { test.stop() }
            #expect(test.line("shared store found") != nil)
            #expect(try await test.value("a") == nil)
        }
    }

    @Test("TLS needs a certificate of a trusted authority for the host")
    func encryption() async throws {
        let certificates = try Certificates()
        defer { certificates.remove() }
        for (file, authority, fault) in [
            ("cert", "ca", nil), ("cert", "stranger", "self-signed certificate in certificate chain"),
            ("other", "ca", "mismatch"), ("expired", "ca", "certificate has expired"),
        ] {
            let port = try RedisServer.freePort()
            let server = try RedisServer(
                port: port,
                """
                --tls-port \(port) --port 0 --tls-auth-clients no --tls-cert-file \(certificates.path("\(file).pem")) \
                --tls-key-file \(certificates.path("cert.key")) --tls-ca-cert-file \(certificates.path("ca.pem"))
                """)
            defer { server.stop() }
            var settings = RedisSettings(address: .network(host: "localhost", port: port))
            settings.tls = TLSClientContext(authorities: certificates.path("\(authority).pem"))
            let test = try StoreTest(settings)
            defer { test.stop() }
            if let fault {
                let line = try #require(test.line("shared store lost"))
                #expect(line.contains("the certificate of localhost is refused") && line.contains(fault))
                continue
            }
            try await test.run { store, shard in
                let fence = try await store.granted("a", milliseconds: 60_000, on: shard)
                let value = (0..<900_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
                try await store.keep(value, "a", milliseconds: 60_000, fence: fence, on: shard)
                #expect(try await store.value("a", on: shard) == value)
                #expect(try await store.change(of: "a", until: .now + .seconds(60), on: shard))
            }
        }
    }

    @Test(
        "Bytes that are no replies of Redis are a fault, and take no memory",
        arguments: [
            "HTTP/1.1 400 Bad Request\r\n\r\n", ":1\r\n$9223372036854775807\r\n", ":1\r\n*2147483647\r\n",
            ":1\r\n*65\r\n", ":1\r\n" + String(repeating: "*1\r\n", count: 100), ":1\r\n:one\r\n",
            ":1\r\n$-7\r\n", ":1\r\n*2\r\n:1\r\n:2\r\n", ":1\r\n:1\r\n:1\r\n", "\0\0\0\0", "+OK\r\n",
            ":1\r\n-MOVED 7 127.0.0.1:1\r\n", ":1\r\n-\r\n",
            ":1\r\n$4000000\r\n" + String(repeating: "x", count: 3_000_000),
        ])
    func garbage(bytes: String) async throws {
        let server = try ScriptedRedis(Array(bytes.utf8))
        defer { server.stop() }
        var settings = RedisSettings(address: .network(host: "127.0.0.1", port: server.port))
        settings.maximumDocumentBytes = 1 << 20
        let test = try StoreTest(settings, timeout: .milliseconds(500))
        defer { test.stop() }
        await #expect(throws: SharedFault.self) {
            try await test.run { store, shard in
                // A stray reply answers the first call.
                _ = try await store.value("a", on: shard)
                _ = try await store.value("a", on: shard)
            }
        }
        if bytes.contains("MOVED") { #expect(test.line("shared store is a cluster") != nil) }
    }

    @Test("A node of a cluster is told apart", arguments: ["MOVED", "ASK", "CROSSSLOT", "CLUSTERDOWN"])
    func cluster(code: String) throws {
        let server = try ScriptedRedis(Array("-\(code) 7 127.0.0.1:1\r\n".utf8))
        defer { server.stop() }
        let test = try StoreTest(RedisSettings(address: .network(host: "127.0.0.1", port: server.port)))
        defer { test.stop() }
        #expect(test.line("shared store is a cluster") != nil)
        #expect(test.line("shared store lost", "Redis answers EVAL with \(code)\"") != nil)
    }

    @Test("A server that is not Redis, and one without TLS, are named in the log")
    func otherServers() throws {
        for (bytes, usesTLS, detail) in [
            ("HTTP/1.1 400 Bad Request\r\n\r\n", false, "the server does not speak Redis's protocol"),
            ("", true, "does not answer the TLS handshake in time"),
        ] {
            let server = try ScriptedRedis(Array(bytes.utf8))
            defer { server.stop() }
            var settings = RedisSettings(address: .network(host: "127.0.0.1", port: server.port))
            if usesTLS { settings.tls = TLSClientContext(authorities: nil) }
            let test = try StoreTest(settings)
            defer { test.stop() }
            #expect(test.line("shared store lost", detail) != nil)
        }
    }

    @Test("After a sentinel has named a wrong master, the next sentinel is asked")
    func sentinels() async throws {
        let port = try RedisServer.freePort()
        let server = try RedisServer(port: port)
        defer { server.stop() }
        let refusing = try RefusingPort()
        defer { refusing.release() }
        let sentinels = try [refusing.number, port].map {
            try ScriptedRedis(Array("+PONG\r\n*2\r\n$9\r\n127.0.0.1\r\n$\("\($0)".count)\r\n\($0)\r\n".utf8))
        }
        defer { for sentinel in sentinels { sentinel.stop() } }
        var settings = RedisSettings(address: .network(host: "ignored", port: 1))
        settings.sentinel = RedisSentinel(
            addresses: sentinels.map { .network(host: "127.0.0.1", port: $0.port) }, master: "weir", password: nil)
        let test = try StoreTest(settings)
        defer { test.stop() }
        #expect(test.line("shared store lost", "\(refusing.number)") != nil)
        #expect(test.line("shared store found") != nil)
        #expect(try await test.value("a") == nil)
    }

    @Test("A server that closes each connection is asked with pauses")
    func closing() async throws {
        let server = try ScriptedRedis(Array(":1\r\n".utf8), closes: true)
        defer { server.stop() }
        let test = try StoreTest(RedisSettings(address: .network(host: "127.0.0.1", port: server.port)))
        defer { test.stop() }
        #expect(test.line("shared store lost") != nil)
        // The first loss can be a reset, and later ones have no line.
        while test.store.state.detail?.contains("has closed the connection") != true { await Task.yield() }
    }
}
