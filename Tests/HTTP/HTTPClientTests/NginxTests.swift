import HTTPClient
import HTTPCore
import TestSupport
import Testing

/// A real nginx with TLS.
@Suite(
    "nginx as an upstream", .serialized, .enabled(if: Nginx.isInstalled, "nginx is not installed"),
    .timeLimit(.minutes(10)))
struct NginxTests {
    private static let certificates = Result { try Certificates() }

    /// Makes requests for paths of an nginx.
    private struct Requests {
        let socket: String
        let tls: TLSPolicy

        func callAsFunction(_ path: String, tls: TLSPolicy? = nil) -> OutgoingRequest {
            var request = OutgoingRequest("https://localhost\(path)")
            request.connectTimeout = .seconds(60)
            request.policy = ConnectionPolicy(tls: tls ?? self.tls, unixSocketPath: socket)
            return request
        }
    }

    /// Runs `body` with a client and requests for an nginx with these directives.
    private static func withNginx<Result>(
        protocols: String = "ssl", _ directives: String, _ body: (Client, Requests) async throws -> Result
    ) async throws -> Result {
        let certificates = try certificates.get()
        let nginx = try Nginx(certificates, protocols: protocols, directives)
        defer { nginx.stop() }
        var tls = TLSPolicy()
        tls.authorities = certificates.path("ca.pem")
        let requests = Requests(socket: nginx.socket, tls: tls)
        return try await withClient { client, _ in try await body(client, requests) }
    }

    private static let who = "location / { return 200 '$server_protocol $connection $request_uri'; }"

    private static func words(_ outcome: Result<IncomingResponse, TransferError>) -> [String] {
        (outcome.text ?? "\(outcome)").split(separator: " ").map { String($0) }
    }

    /// Returns the words of the answers to `count` requests at the same time.
    private static func together(
        _ count: Int, _ client: Client, _ request: Requests
    ) async -> [[String]] {
        let requests = (0..<count).map { request("/\($0)") }
        return await withTaskGroup { group in
            for (number, request) in requests.enumerated() {
                group.addTask { (number, words(await client.outcome(request))) }
            }
            var answers = [[String]](repeating: [], count: count)
            for await (number, answer) in group { answers[number] = answer }
            return answers
        }
    }

    @Test(
        "An upstream gets HTTP/1.1 also if it offers HTTP/2, and its connection is reused",
        arguments: ["ssl", "ssl http2"])
    func version(protocols: String) async throws {
        try await Self.withNginx(protocols: protocols, Self.who) { client, request in
            let first = Self.words(await client.outcome(request("/a")))
            let second = Self.words(await client.outcome(request("/b")))
            #expect(first.first == "HTTP/1.1")
            #expect(first.dropLast() == second.dropLast())
        }
    }

    @Test("Connections that the upstream ends after some requests lose none")
    func lastRequest() async throws {
        try await Self.withNginx("keepalive_requests 7; \(Self.who)") { client, request in
            for round in 0..<10 {
                let answers = await Self.together(32, client, request)
                #expect(answers.map { $0.last ?? "" } == (0..<32).map { "/\($0)" }, "round \(round)")
            }
        }
    }

    @Test("A connection that breaks is a failure of its request, and the next ones succeed")
    func reset() async throws {
        try await Self.withNginx("location = /reset { return 444; } \(Self.who)") { client, request in
            for _ in 0..<10 {
                #expect(Self.words(await client.outcome(request("/a"))).last == "/a")
                let error = await client.outcome(request("/reset")).error
                #expect(error == .brokenOff(.beforeAnswer), "\(error)")
                let answers = await Self.together(8, client, request)
                #expect(answers.map { $0.last ?? "" } == (0..<8).map { "/\($0)" })
            }
        }
    }

    @Test("An answer that breaks off is a failure of its request, and the next one succeeds")
    func brokenBody() async throws {
        let upstream = try Upstream { connection in
            _ = connection.request()
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
        }
        defer { upstream.stop() }
        let directives = "location = /broken { proxy_pass \(upstream.url); } \(Self.who)"
        try await Self.withNginx(directives) { client, request in
            let error = try #require(await client.outcome(request("/broken")).error)
            #expect(error == .brokenOff(.beforeContentLength), "\(error)")
            #expect(Self.words(await client.outcome(request("/next"))).last == "/next")
        }
    }

    @Test("An idle connection of TLS 1.3 that nginx closes is no surplus answer: later ones are reused")
    func idleClose() async throws {
        let directives = "ssl_protocols TLSv1.3; keepalive_timeout 2s; \(Self.who)"
        let certificates = try Self.certificates.get()
        let nginx = try Nginx(certificates, directives)
        defer { nginx.stop() }
        var tls = TLSPolicy()
        tls.authorities = certificates.path("ca.pem")
        let request = Requests(socket: nginx.socket, tls: tls)
        try await withClient { client, _ in
            let first = Self.words(await client.outcome(request("/a"))).dropLast()
            #expect(first.first == "HTTP/1.1")
            // Ends when nginx closes a connection that is idle for a shorter time.
            try ShellProcess.run(
                "printf 'GET / HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n'"
                    + " | openssl s_client -unix '\(nginx.socket)' -quiet 2>/dev/null || true",
                in: certificates.folder.path)
            var later: Set<[String]> = []
            for _ in 0..<5 { later.insert(Array(Self.words(await client.outcome(request("/b"))).dropLast())) }
            #expect(!later.contains(Array(first)))
            #expect(later.count == 1)
        }
    }

    @Test("A body with gzip and one without length arrive whole")
    func bodies() async throws {
        let upstream = try Upstream { connection in
            _ = connection.request()
            connection.write("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + String(repeating: "x", count: 1 << 20))
        }
        defer { upstream.stop() }
        let directives = "gzip on; gzip_types *; location / { proxy_pass \(upstream.url); }"
        try await Self.withNginx(directives) { client, request in
            for _ in 0..<3 {
                let response = try await client.outcome(request("/")).get()
                #expect(response.headers["Content-Encoding"] == "gzip")
                #expect(response.body == [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20))
            }
            var limited = request("/")
            limited.maximumBodyBytes = 100_000
            #expect(await client.outcome(limited).error == .tooLarge(limit: 100_000))
        }
    }

    @Test("A connection is not reused by a request with another policy")
    func separateConnections() async throws {
        try await Self.withNginx(Self.who) { client, request in
            var pinning = request.tls
            pinning.publicKeys = "sha256//\(String(repeating: "A", count: 43))="
            var errors: [TransferError?] = []
            for tls in [request.tls, pinning, TLSPolicy()] {
                errors.append(await client.outcome(request("/", tls: tls)).error)
            }
            #expect(errors == [nil, .tlsFailed(.wrongKey), .tlsFailed(.untrusted)])
        }
    }

    @Test(
        "A redirect is followed to the same host over https, at most three times",
        arguments: [
            ("/0", nil, "final"), ("/1", nil, "final"), ("/3", nil, "final"), ("/4", .tooMany, nil),
            ("/loop", .tooMany, nil), ("/other", .otherHost, nil), ("/port", .otherHost, nil),
            ("/loopback", .otherHost, nil), ("/http", .notHTTPS, nil), ("/file", .notHTTPS, nil),
            ("/user", .unusable, nil), ("/two", .unusable, nil), ("/same", nil, "final"), ("/none", nil, ""),
        ] as [(String, RedirectFailure?, String?)])
    func redirects(_ sample: (path: String, failure: RedirectFailure?, text: String?)) async throws {
        let directives = """
            absolute_redirect off;
            location = /0 { return 200 'final'; }
            location = /1 { return 301 https://LOCALHOST:443/0#part; }
            location = /2 { return 308 //localhost/1; }
            location = /3 { return 307 2; }
            location = /4 { return 303 /3; }
            location = /loop { return 302 /loop; }
            location = /other { return 302 https://localhost.example/0; }
            location = /port { return 302 https://localhost:8443/0; }
            location = /loopback { return 302 https://127.0.0.1/0; }
            location = /http { return 302 http://localhost/0; }
            location = /file { return 302 file:///etc/passwd; }
            location = /user { return 302 https://user:password@localhost/0; }
            location = /two { add_header Location /1 always; return 302 /0; }
            location = /same { add_header Location /0 always; return 302 /0; }
            location = /none { return 304; }
            """
        try await Self.withNginx(directives) { client, request in
            var request = request(sample.path)
            request.redirects = .sameHost
            let sent = Watched(0)
            request.noteSent = { sent.update { $0 += 1 } }
            let followed = Watched(0)
            request.noteRedirect = { followed.update { $0 += 1 } }
            let outcome = await client.outcome(request)
            if let count = ["/0": 1, "/1": 2, "/3": 4, "/4": 4, "/file": 1][sample.path] {
                #expect(sent.current == count)
                #expect(followed.current == count - 1)
            }
            #expect(outcome.error == sample.failure.map { .redirect($0) })
            #expect(outcome.text == sample.text)
        }
    }
}
