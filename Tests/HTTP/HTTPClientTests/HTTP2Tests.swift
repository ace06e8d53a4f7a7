import HTTPClient
import HTTPCore
import Synchronization
import TestSupport
import Testing

/// A real nginx with TLS and HTTP/2.
@Suite(
    "HTTP/2 of upstreams", .serialized, .enabled(if: Nginx.isInstalled, "nginx is not installed"),
    .timeLimit(.minutes(10)))
struct HTTP2Tests {
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
        protocols: String = "ssl http2", _ directives: String, _ body: (Client, Requests) async throws -> Result
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

    @Test("Requests share one connection, and each gets its own answer")
    func multiplexing() async throws {
        try await Self.withNginx(Self.who) { client, request in
            let first = Self.words(await client.outcome(request("/first")))
            #expect(first.first == "HTTP/2.0")
            let answers = await Self.together(32, client, request)
            #expect(answers.map { $0.last ?? "" } == (0..<32).map { "/\($0)" })
            #expect(Set(answers.map { $0.dropLast() }) == [first.dropLast()])
        }
    }

    @Test("An upstream without HTTP/2 gets HTTP/1.1 over TLS, and its connection is reused")
    func version1() async throws {
        try await Self.withNginx(protocols: "ssl", Self.who) { client, request in
            let first = Self.words(await client.outcome(request("/a")))
            let second = Self.words(await client.outcome(request("/b")))
            #expect(first.first == "HTTP/1.1")
            #expect(first.dropLast() == second.dropLast())
        }
    }

    @Test("Connections that the upstream ends with GOAWAY lose no request")
    func goAway() async throws {
        try await Self.withNginx("keepalive_requests 7; \(Self.who)") { client, request in
            for round in 0..<10 {
                let answers = await Self.together(32, client, request)
                #expect(answers.map { $0.last ?? "" } == (0..<32).map { "/\($0)" }, "round \(round)")
                #expect(answers.allSatisfy { $0.first == "HTTP/2.0" })
            }
        }
    }

    @Test("A connection that breaks is a failure of its request, and the next ones succeed")
    func reset() async throws {
        try await Self.withNginx("location = /reset { return 444; } \(Self.who)") { client, request in
            for _ in 0..<10 {
                #expect(Self.words(await client.outcome(request("/a"))).last == "/a")
                let error = await client.outcome(request("/reset")).error
                #expect(error == .brokenOff(.stream), "\(error)")
                let answers = await Self.together(8, client, request)
                #expect(answers.map { $0.last ?? "" } == (0..<8).map { "/\($0)" })
            }
        }
    }

    @Test("A stream that is refused after its head is a failure of its request alone")
    func brokenBody() async throws {
        // nginx resets the stream when the upstream that it stands for breaks its body off.
        let upstream = try Upstream { connection in
            _ = connection.request()
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
        }
        defer { upstream.stop() }
        let directives = "location = /broken { proxy_pass \(upstream.url); } \(Self.who)"
        try await Self.withNginx(directives) { client, request in
            let first = Self.words(await client.outcome(request("/first")))
            let error = try #require(await client.outcome(request("/broken")).error)
            #expect(error == .brokenOff(.beforeContentLength), "\(error)")
            #expect(Self.words(await client.outcome(request("/next"))).dropLast() == first.dropLast())
        }
    }

    @Test("A connection on which nothing arrives any more is not used again after a time-out")
    func deadConnection() async throws {
        let certificates = try Self.certificates.get()
        let other = try Nginx(certificates, "location / { return 200 'other'; }")
        defer { other.stop() }
        let nginx = try Nginx(certificates, Self.who)
        defer { nginx.stop() }
        var tls = TLSPolicy()
        tls.authorities = certificates.path("ca.pem")
        let request = Requests(socket: nginx.socket, tls: tls)
        try await withClient { client, _ in
            #expect(Self.words(await client.outcome(request("/a"))).first == "HTTP/2.0")
            nginx.pause()
            try other.replace(nginx)
            let patient = Task { await client.outcome(request("/patient")) }
            var hasty = request("/b")
            hasty.deadline = .milliseconds(300)
            #expect(await client.outcome(hasty).error == .tooSlow)
            #expect(await client.outcome(request("/c")).text == "other")
            // So are the other requests on the connection, which are repeated.
            #expect(await patient.value.text == "other")
        }
    }

    @Test("A silent request ends alone: the others on its connection get their answers there, and each is sent once")
    func silentRequest() async throws {
        let count = Atomic<Int>(0)
        let (arrived, timedOut) = (Event(), Gate())
        // nginx answers for it, and what nginx sends to the client meanwhile is nothing.
        let upstream = try Upstream { connection in
            guard let head = connection.request() else { return }
            count.add(1, ordering: .relaxed)
            arrived.occur()
            if head.contains("/silent") { return connection.waitForEnd() }
            if !head.contains("/new") { timedOut.pass() }
            connection.answer(text: String(head.split(separator: " ")[1]))
        }
        defer { upstream.stop() }
        let who = "location = /who { return 200 '$connection'; }"
        let directives = "\(who) location / { proxy_pass \(upstream.url); proxy_ignore_client_abort on; }"
        try await Self.withNginx(directives) { client, request in
            let first = await client.outcome(request("/who")).text
            var silent = request("/silent")
            silent.deadline = .seconds(2)
            async let failed = client.outcome(silent)
            await arrived.wait()
            let patient = Task { await Self.together(8, client, request) }
            await arrived.wait(8)
            #expect(await failed.error == .tooSlow)
            // A new request does not rely on the silent connection.
            #expect(await client.outcome(request("/new")).text == "/new")
            timedOut.open()
            #expect(await patient.value.map { $0.last ?? "" } == (0..<8).map { "/\($0)" })
            #expect(count.load(ordering: .relaxed) == 10)
            #expect(first != nil)
        }
    }

    @Test("An idle connection of TLS 1.3 and HTTP/1.1 that nginx closes is no surplus answer: later ones are reused")
    func idleClose() async throws {
        let directives = "ssl_protocols TLSv1.3; keepalive_timeout 2s; \(Self.who)"
        let certificates = try Self.certificates.get()
        let nginx = try Nginx(certificates, protocols: "ssl", directives)
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
        for protocols in ["ssl", "ssl http2"] {
            try await Self.withNginx(protocols: protocols, Self.who) { client, request in
                var pinning = request.tls
                pinning.publicKeys = "sha256//\(String(repeating: "A", count: 43))="
                var errors: [TransferError?] = []
                for tls in [request.tls, pinning, TLSPolicy()] {
                    errors.append(await client.outcome(request("/", tls: tls)).error)
                }
                #expect(errors == [nil, .tlsFailed(.wrongKey), .tlsFailed(.untrusted)])
            }
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
