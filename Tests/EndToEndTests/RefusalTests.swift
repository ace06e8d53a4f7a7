import TestSupport
import Testing

/// Requests that are refused before an upstream is asked.
@Suite(.timeLimit(.minutes(10)))
struct RefusalTests {
    private static func service(_ server: [String: Int] = [:]) throws -> WeirProcess {
        try WeirProcess.serve(configuration([Checkout.sample], server: server))
    }

    @Test func anUnknownPathIsA404ThatSuggestsOthers() throws {
        let weir = try Self.service()
        defer { weir.kill() }
        let client = try weir.client()
        for path in [
            "/nothing", "/weather//", "/weather2", "/Weather", "/livez%2f", "//weather", "/a?lat=1&lon=2",
        ] {
            let problem = try expectProblem(client.get(path), 404)
            #expect(problem["detail"].string?.contains("/weather?lat=") == true)
        }
    }

    @Test func otherMethodsAreRefusedWith405() throws {
        let weir = try Self.service()
        defer { weir.kill() }
        let client = try weir.client()
        for method in ["POST", "PUT", "DELETE", "PATCH", "TRACE", "BREW", "get"] {
            for path in [weather, "/livez", "/readyz"] {
                let answer = try client.get(path, method: method, headers: ["Content-Length: 0"])
                #expect(answer.header("Allow") == "GET, HEAD, OPTIONS")
                let problem = try expectProblem(answer, 405)
                #expect(problem["detail"].string?.contains(method) == true)
            }
        }
        try expectProblem(client.get("/nothing", method: "POST", headers: ["Content-Length: 0"]), 404)
    }

    @Test func malformedRequestsAreRefusedAndTheConnectionCloses() throws {
        let weir = try Self.service()
        defer { weir.kill() }
        let long = String(repeating: "a", count: 40_000)
        let cases = [
            ("hello\r\n\r\n", 400),
            ("\u{16}\u{3}\u{1}\u{2}\u{0}\r\n\r\n", 400),
            ("GET\r\n\r\n", 400),
            ("GET weather HTTP/1.1\r\nHost: a\r\n\r\n", 400),
            ("GET /livez HTTP/1.1\r\n\r\n", 400),
            ("GET /livez HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
            ("GET /livez HTTP/1.1\r\nHost: a\r\nno colon\r\n\r\n", 400),
            ("GET /livez HTTP/1.1\r\nHost : a\r\n\r\n", 400),
            ("GET /livez HTTP/1.1\r\nHost: a\r\n folded: b\r\n\r\n", 400),
            ("GET /weather?lat=%zz HTTP/1.1\r\nHost: a\r\n\r\n", 400),
            ("GET /livez HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n", 400),
            ("GET /livez HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
            ("POST /livez HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: rot13, chunked\r\n\r\n", 501),
            ("GET /livez HTTP/2.0\r\nHost: a\r\n\r\n", 505),
            ("CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n", 501),
            ("GET /livez HTTP/1.1\r\nHost: a\r\nExpect: miracles\r\n\r\n", 417),
            ("GET /\(long) HTTP/1.1\r\nHost: a\r\n\r\n", 414),
            ("GET /livez HTTP/1.1\r\nHost: a\r\nX: \(long)\r\n\r\n", 431),
            ("GET /livez HTTP/1.1\r\nHost: a\r\n\(String(repeating: "X: y\r\n", count: 101))\r\n", 431),
            ("POST /livez HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n", 400),
        ]
        for (request, status) in cases {
            let client = try weir.client()
            client.send(request)
            let answer = try client.read()
            #expect(answer.isLast, "\(request)")
            try expectProblem(answer, status)
            #expect(try client.waitForEnd() == .closed, "\(request)")
        }
        #expect(try weir.get(weather.replacing(".8267", with: "")).status == 200)
    }

    @Test func aMalformedRequestDoesNotAffectTheAnswersBeforeIt() throws {
        let weir = try Self.service()
        defer { weir.kill() }
        let client = try weir.client()
        client.send("GET \(weather) HTTP/1.1\r\nHost: a\r\n\r\nGET /livez HTTP/1.1\r\nHost: a\r\n\r\nrubbish\r\n\r\n")
        #expect(try client.read().status == 200)
        #expect(try client.read().status == 200)
        try expectProblem(client.read(), 400)
        #expect(try client.waitForEnd() == .closed)
    }

    @Test(
        "A body is not read, because no route takes one, and the connection closes after the answer",
        arguments: [
            "Transfer-Encoding: chunked\r\n\r\nz\r\n", "Content-Length: 99999999\r\n\r\n",
            "Content-Length: 9\r\n\r\nabc",
            "Transfer-Encoding: chunked\r\n\r\n33\r\n",
        ])
    func bodies(_ rest: String) throws {
        let weir = try Self.service()
        defer { weir.kill() }
        let client = try weir.client()
        client.send("POST /livez HTTP/1.1\r\nHost: a\r\n\(rest)")
        let answer = try client.read()
        #expect(answer.isLast)
        try expectProblem(answer, 405)
        #expect(try client.waitForEnd() == .closed)
    }

    @Test(arguments: ["GET /livez HTTP/1.1\r\nHost:", "G", "POST /livez HTTP/1.1\r\nContent-Length: 9\r\n"])
    func aRequestThatDoesNotArriveInTimeIsRefusedWith408(_ beginning: String) throws {
        let weir = try Self.service()
        defer { weir.kill() }
        let client = try weir.client()
        client.send(beginning)
        let answer = try client.read()
        #expect(answer.isLast)
        try expectProblem(answer, 408)
        #expect(try client.waitForEnd() == .closed)
    }

    @Test func slowBytesDoNotExtendTheRequestTimeout() throws {
        let weir = try Self.service()
        defer { weir.kill() }
        let client = try weir.client()
        client.send("GET /livez HTTP/1.1\r\nHost: a\r\nX: ")
        let (took, _) = seconds { while !client.waitForInput(seconds: 0.02) { client.send("x") } }
        #expect(took < 30)
        try expectProblem(client.read(), 408)
    }

    @Test func anIdleConnectionIsClosedWithoutAResponse() throws {
        let weir = try Self.service(["idleTimeoutMilliseconds": 150])
        defer { weir.kill() }
        #expect(try weir.client().waitForEnd() == .closed)
        let client = try weir.client()
        #expect(try client.get("/livez").status == 200)
        #expect(try client.waitForEnd() == .closed)
    }
}
