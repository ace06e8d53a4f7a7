import HTTPCore
import TestSupport
import Testing

@Suite("HTTP/1.1 connections")
struct ConnectionTests {
    static let persistenceRows: [(version: String, connection: [String], keepsAlive: Bool)] = [
        ("1.1", [], true), ("1.1", ["close"], false), ("1.1", ["Close"], false), ("1.1", ["keep-alive"], true),
        ("1.1", ["keep-alive, close"], false), ("1.1", ["keep-alive", "close"], false), ("1.1", ["upgrade"], true),
        ("1.1", ["x,CLOSE,y"], false), ("1.1", [""], true), ("1.1", ["closed"], true),
        ("1.0", [], false), ("1.0", ["close"], false), ("1.0", ["keep-alive"], true), ("1.0", ["Keep-Alive"], true),
        ("1.0", ["keep-alive, close"], false), ("1.0", ["close", "keep-alive"], false), ("1.0", ["x"], false),
    ]

    @Test("Connection options and the version determine whether the connection stays open", arguments: persistenceRows)
    func persistence(version: String, connection: [String], keepsAlive: Bool) throws {
        let fields = connection.map { "Connection: \($0)\r\n" }.joined()
        let request = try request("GET / HTTP/\(version)\r\nHost: a\r\n\(fields)\r\n")
        #expect(request.keepsAlive == keepsAlive)
    }

    @Test("Pipelined requests are parsed one after another")
    func pipelining() {
        let input =
            "GET /1 HTTP/1.1\r\nHost: a\r\n\r\n"
            + "POST /2 HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbody\r\n"
            + "POST /3 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nX: y\r\n\r\n"
            + "GET /4?a HTTP/1.0\r\n\r\n" + "bad"
        #expect(
            verdicts(octets(input + "\u{00}")) == [
                .request("GET /1? HTTP/1.1 [Host=a]  true"),
                .request("POST /2? HTTP/1.1 [Host=a,Content-Length=4] body true"),
                .request("POST /3? HTTP/1.1 [Host=a,Transfer-Encoding=chunked] abc true"),
                .request("GET /4?a HTTP/1.0 []  false"),
                .refused(400, #"The head has the illegal control character "\x00"."#),
            ])
    }

    @Test("A request starts with the first byte that is not part of an empty line")
    func hasStarted() {
        var wire = Wire()
        #expect(!wire.parser.hasStarted)
        wire.receive(octets("\r\n"))
        #expect(!wire.parser.hasStarted)
        wire.receive(octets("\r\nG"))
        #expect(wire.parser.hasStarted)
        wire.receive(octets("ET / HTTP/1.1\r\nHost: a\r\n\r\n"))
        #expect(wire.requests.count == 1)
        #expect(!wire.parser.hasStarted)
    }

    @Test("A client that expects 100 Continue gets its answer", arguments: ["Content-Length: 3", "X: y"])
    func expectContinue(fields: String) throws {
        let head = octets("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-Continue\r\n\(fields)\r\n\r\n")
        var parser = RequestParser()
        guard case .request(_, head.count) = parser.parse(head.span) else {
            Issue.record("no request")
            return
        }
    }

    @Test(
        "Any other expectation is refused with 417",
        arguments: ["200-ok", "100-continue, x", "x, 100-continue", "100-continue\r\nExpect: x", "100-continue=1"])
    func expectationFailed(value: String) {
        let input = "POST / HTTP/1.1\r\nHost: a\r\nExpect: \(value)\r\nContent-Length: 0\r\n\r\n"
        #expect(verdicts(octets(input)).map(\.status) == [417])
        #expect(verdicts(octets(input.replacing("1.1", with: "1.0"))).map(\.status) == [nil])
    }

    @Test("Damaged requests give the same result however they are split")
    func damaged() {
        let seeds = [
            "GET /a%20b?c=d+e&f HTTP/1.1\r\nHost: a:80\r\nConnection: x, close\r\n\r\n",
            "POST http://h/ HTTP/1.1\r\nHost: [::1]\r\nTransfer-Encoding: chunked\r\n\r\n3;a=\"b\"\r\nabc\r\n0\r\nX: y\r\n\r\n",
            "\r\nPUT /x HTTP/1.0\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\nbodyGET / HTTP/1.1\r\nHost: a\r\n\r\n",
        ].map(octets)
        let replacements = octets("\0\t\n\r !\"#%&+,-/0189:;=?@AHZ[\\]^_`az{|}~\u{7F}\u{80}\u{A0}\u{FF}")
        var random = SplitMix64(seed: 1)
        func next(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
        for round in 0..<400 {
            var input = seeds[round % seeds.count]
            for _ in 0...next(3) {
                let place = next(input.count)
                switch next(3) {
                case 0: input[place] = replacements[next(replacements.count)]
                case 1: input.insert(replacements[next(replacements.count)], at: place)
                default: input.remove(at: place)
                }
            }
            _ = verdicts(input)
        }
    }

    @Test("Parsing bytes that arrive one at a time takes linear time")
    func linear() {
        // Quadratic work would take 10^11 steps.
        var limits = RequestLimits()
        limits.maximumHeadBytes = 1 << 20
        let input =
            octets("GET / HTTP/1.1\r\nHost: a\r\nX: ") + [UInt8](repeating: 0x78, count: 600_000) + octets("\r\n\r\n")
        var parser = RequestParser(limits: limits)
        var requests = 0
        for end in 1...input.count {
            switch parser.parse(input.span.extracting(..<end)) {
            case .needsMore: break
            case .request(_, let consumed): requests += consumed == input.count ? 1 : 0
            case .failure(let failure): Issue.record("\(failure)")
            }
        }
        #expect(requests == 1)
    }
}
