import TestSupport
import Testing

/// The life of connections: persistence, pipelining and closing.
@Suite(.timeLimit(.minutes(10)))
struct ConnectionTests {
    private static func service(_ server: [String: Int] = [:]) throws -> WeirProcess {
        let folder = try sample(forecast: smallForecast)
        defer { folder.remove() }
        return try WeirProcess.serve(configuration([folder.path], server: server))
    }

    private static func request(_ target: String, _ fields: [String] = []) -> String {
        "GET \(target) HTTP/1.1\r\nHost: weir.test\r\n\(fields.map { "\($0)\r\n" }.joined())\r\n"
    }

    @Test func pipelinedRequestsAreAnsweredInOrder() throws {
        let weir = try Self.service()
        defer { weir.kill() }
        let client = try weir.client()
        // Slow and fast requests alternate: the fast ones must wait.
        let targets = (0..<10).map { $0.isMultiple(of: 3) ? "/livez" : "/weather?lat=\($0)&lon=-\($0)" }
        client.send(targets.map { Self.request($0) }.joined())
        for (index, target) in targets.enumerated() {
            let answer = try client.read()
            #expect(answer.status == 200)
            if target != "/livez" { #expect(try answer.json()["latitude"].integer == index) }
        }
        #expect(try client.get("/livez").status == 200)
    }

    @Test func manyPipelinedRequestsAreAllAnswered() throws {
        let weir = try Self.service()
        defer { weir.kill() }
        let client = try weir.client()
        // More answers than the server's output backlog for one client.
        let count = 3000
        client.send(String(repeating: Self.request("/nothing"), count: count))
        for _ in 0..<count { #expect(try client.read().status == 404) }
        #expect(try client.get("/livez").status == 200)
    }

    @Test func aRequestMayArriveOneByteAtATime() throws {
        let weir = try Self.service()
        defer { weir.kill() }
        let client = try weir.client()
        let request = Self.request(weather, ["X-Long: \(String(repeating: "x", count: 100))"])
        for _ in 1...2 {
            for byte in request.utf8 { client.send([byte]) }
            #expect(try client.read().status == 200)
        }
    }

    @Test func aConnectionServesManyRequests() throws {
        let weir = try Self.service()
        defer { weir.kill() }
        let client = try weir.client()
        for index in 0..<50 {
            let answer = try client.get("/weather?lat=\(index)&lon=0")
            #expect(answer.status == 200)
            #expect(answer.header("Connection") == nil)
            #expect(try answer.json()["latitude"].integer == index)
        }
    }

    @Test("A client that waits with its body gets the answer instead of `100 Continue`", arguments: [5, 70_000])
    func expectations(_ length: Int) throws {
        let weir = try Self.service()
        defer { weir.kill() }
        let client = try weir.client()
        client.send("POST /weather HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\nExpect: 100-continue\r\n\r\n")
        let answer = try client.read()
        #expect(answer.isLast)
        try expectProblem(answer, 405)
        #expect(try client.waitForEnd() == .closed)
    }

    @Test(arguments: [
        ("GET /livez HTTP/1.0\r\n\r\n", "close"),
        ("GET /livez HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", "keep-alive"),
        ("GET \(weather) HTTP/1.0\r\nHost: a\r\n\r\n", "close"),
        ("GET /livez HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", "close"),
        ("GET \(weather) HTTP/1.1\r\nHost: a\r\nConnection: Close\r\n\r\n", "close"),
        ("GET /nothing HTTP/1.1\r\nHost: a\r\nConnection: x, close\r\n\r\n", "close"),
        ("GET /livez HTTP/1.1\r\nHost: a\r\n\r\n", ""),
    ])
    func connectionPersistenceFollowsTheRequest(_ request: String, _ connection: String) throws {
        let weir = try Self.service()
        defer { weir.kill() }
        let client = try weir.client()
        client.send(request)
        let answer = try client.read()
        #expect(answer.header("Connection") ?? "" == connection)
        if connection == "close" {
            #expect(try client.waitForEnd() == .closed)
        } else {
            #expect(try client.get("/livez").status == 200)
        }
    }

    @Test func aClientThatHasFinishedSendingHasLeft() throws {
        let gate = Gate()
        let upstream = try ScriptedUpstream { _ in
            gate.pass()
            return .answer(smallForecast)
        }
        defer { upstream.stop() }
        let weir = try WeirProcess.serve(configuration([upstream.baseURL]))
        defer { weir.kill() }
        let client = try weir.client()
        client.send(Self.request(weather) + Self.request("/livez"))
        #expect(upstream.waitForRequests(1))
        client.finishSending()
        // The upstream has not answered: the fetch was cancelled.
        #expect(try client.waitForEnd() == .closed)
        gate.open()
    }

    @Test func aClientThatDisconnectsDoesNotAffectOthers() throws {
        let gate = Gate()
        let upstream = try ScriptedUpstream { _ in
            gate.pass()
            return .answer(smallForecast)
        }
        defer { upstream.stop() }
        let weir = try WeirProcess.serve(configuration([upstream.baseURL]))
        defer { weir.kill() }
        for _ in 1...5 {
            let client = try weir.client()
            client.send(Self.request(weather))
            client.close()
        }
        let client = try weir.client()
        client.send("GET /weather?la")
        client.close()
        gate.open()
        #expect(try weir.get(weather).status == 200)
        #expect(try weir.terminate() == 0)
    }

    @Test func connectionsBeyondTheLimitAreRefusedUntilOneCloses() throws {
        let weir = try Self.service(["maximumConnections": 3])
        defer { weir.kill() }
        let clients = try (0..<3).map { _ in try weir.client() }
        for client in clients { #expect(try client.get("/livez").status == 200) }
        for _ in 1...3 {
            let refused = try weir.client()
            let answer = try refused.read()
            #expect(answer.isLast)
            #expect(answer.header("Retry-After") != nil)
            try expectProblem(answer, 503)
            #expect(try refused.waitForEnd() == .closed)
        }
        // Health is answered, so that nobody restarts a service that is only busy.
        #expect(try weir.get("/livez").status == 200)
        #expect(try weir.get("/readyz").status == 200)
        #expect(try weir.get("/elsewhere").status == 503)
        for client in clients { #expect(try client.get("/livez").status == 200) }
        clients[0].close()
        // The server notices the closed connection a moment later.
        var status = 503
        for _ in 1...1000 where status == 503 { status = (try? weir.get("/elsewhere").status) ?? 503 }
        #expect(status == 404)
        #expect(try clients[2].get("/livez").status == 200)
    }
}
