import EventLoop
import HTTPCore
import HTTPServer
import TestSupport
import Testing

@Suite("Server connections", .timeLimit(.minutes(10)))
struct ConnectionTests {
    @Test("Requests on one connection are answered in turn")
    func keepAlive() async throws {
        try await Harness.run { harness in
            let peer = try harness.connect()
            for path in ["/a", "/b", "/c"] {
                try await peer.get(path)
                let answer = try await peer.answer()
                #expect(answer.status == 200)
                #expect(answer.text == "GET \(path) ")
                #expect(answer.header("Connection") == nil)
                #expect(answer.header("Date") != nil)
            }
        }
    }

    @Test("The Date field has the time that the server is given")
    func date() async throws {
        let shard = try Shard(index: 0)
        let handler = ClosureHandler { request, _ in Harness.echo(request) }
        let listener = Listener(.network(host: "127.0.0.1", port: 0), handler: handler)
        let server = try Server([listener], shards: [shard], options: .patient, seconds: { 784_111_777 })
        shard.start()
        server.start()
        let peer = try Peer(server.address)
        try await peer.get("/")
        #expect(try await peer.answer().header("Date") == "Sun, 06 Nov 1994 08:49:37 GMT")
        server.cut()
        _ = await server.drain()
        shard.stop()
    }

    @Test(
        "The connection closes after the response if the client requests it",
        arguments: [
            ("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", "close"),
            ("GET / HTTP/1.0\r\n\r\n", "close"),
        ])
    func closing(request: String, connection: String) async throws {
        try await Harness.run { harness in
            let peer = try harness.connect()
            try await peer.send(request)
            #expect(try await peer.answer().header("Connection") == connection)
            #expect(try await peer.rest().isEmpty)
        }
    }

    @Test("The connection stays open for an HTTP/1.0 client that requests it")
    func keepAliveHTTP10() async throws {
        try await Harness.run { harness in
            let peer = try harness.connect()
            for _ in 0..<2 {
                try await peer.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
                #expect(try await peer.answer().header("Connection") == "keep-alive")
            }
        }
    }

    @Test("The response to HEAD has no body")
    func head() async throws {
        try await Harness.run { harness in
            let peer = try harness.connect()
            try await peer.send("HEAD /x HTTP/1.1\r\nHost: a\r\n\r\nGET /y HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await peer.answer(to: "HEAD").header("Content-Length") == "8")
            #expect(try await peer.answer().text == "GET /y ")
        }
    }

    @Test("A request can arrive one byte at a time")
    func bytewise() async throws {
        try await Harness.run { harness in
            let peer = try harness.connect()
            for byte
                in "POST /slow HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n"
                .utf8
            {
                try await peer.send([byte])
            }
            #expect(try await peer.answer().text == "POST /slow ")
            #expect(try await peer.answer().text == "GET / ")
        }
    }

    @Test(
        "Pipelined requests are answered in order, however long each takes",
        arguments: [
            ["/now1", "/now2", "/now3"], ["/later1", "/later2", "/later3"],
            ["/later1", "/now2", "/later3", "/now4", "/now5", "/later6"],
            (0..<500).map { "/\($0 % 3 == 0 ? "later" : "now")\($0)" },
        ])
    func pipelining(paths: [String]) async throws {
        try await Harness.run(answer: Harness.mixed) { harness in
            let peer = try harness.connect()
            try await peer.send(paths.map { "GET \($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined())
            for path in paths { #expect(try await peer.answer().text == path) }
        }
    }

    @Test(
        "All requests before the client's end of input are answered",
        arguments: [
            ["/now"], ["/later"], ["/now1", "/later2", "/now3"], ["/big1", "/big2", "/big3", "/later4", "/now5"],
        ])
    func halfClose(paths: [String]) async throws {
        let answer: @Sendable (Request) -> Reply = { request in
            if request.target.path.hasPrefix("/big") { return .now(Response(bytes: 5 << 20)) }
            return Harness.mixed(request)
        }
        try await Harness.run(.patient.with { $0.allowsHalfClose = true }, answer: answer) { harness in
            let peer = try harness.connect(receiveBuffer: 16 << 10)
            try await peer.send(paths.map { "GET \($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined())
            peer.finishSending()
            for path in paths {
                let answer = try await peer.answer()
                if path.hasPrefix("/big") {
                    #expect(answer.body.count == 5 << 20)
                } else {
                    #expect(answer.text == path)
                }
            }
            #expect(try await peer.rest().isEmpty)
        }
    }

    @Test("A slow reader gets large responses and those after them completely")
    func slowReader() async throws {
        let answer: @Sendable (Request) -> Reply = { request in
            request.target.path == "/big" ? .now(Response(bytes: 5 << 20)) : Harness.mixed(request)
        }
        try await Harness.run(answer: answer) { harness in
            let peer = try harness.connect(receiveBuffer: 4096)
            let paths = ["/big", "/now1", "/big", "/later2", "/big", "/now3"]
            try await peer.send(paths.map { "GET \($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined())
            for path in paths {
                let answer = try await peer.answer()
                #expect(path == "/big" ? answer.body.count == 5 << 20 : answer.text == path)
            }
            try await peer.get("/end")
            #expect(try await peer.answer().text == "/end")
        }
    }

    @Test("No further requests are read while a client does not read its responses")
    func flood() async throws {
        let served = Counter()
        let answer: @Sendable (Request) -> Reply = { _ in
            served.add(1)
            return .now(Response(bytes: 64 << 10))
        }
        try await Harness.run(answer: answer) { harness in
            let peer = try harness.connect(receiveBuffer: 4096)
            let requests = Array(String(repeating: "GET / HTTP/1.1\r\nHost: a\r\n\r\n", count: 5000).utf8)
            let limit = 256 << 20
            let taken = await peer.sendWithoutEnd(requests, atMost: limit)
            // The socket buffers of both sides, and little more in the server's buffer.
            #expect(taken < 32 << 20)
            #expect(served.value < 500)
        }
    }

    @Test("Other clients are served while one sends without pause")
    func fairness() async throws {
        try await Harness.run { harness in
            let flooder = try harness.connect()
            let requests = Array(String(repeating: "\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", count: 5000).utf8)
            async let flood = flooder.sendWithoutEnd(requests, atMost: 64 << 20)
            let other = try harness.connect()
            for _ in 0..<10 {
                try await other.get("/other")
                #expect(try await other.answer().text == "GET /other ")
            }
            _ = await flood
        }
    }

    @Test(
        "A request with a body is answered without it, and the connection closes without a reset",
        arguments: [
            "Content-Length: 60000", "Content-Length: 99999999", "Transfer-Encoding: chunked",
            "Content-Length: 9\r\nExpect: 100-continue",
        ], ["/now", "/later"])
    func unreadBody(fields: String, path: String) async throws {
        try await Harness.run(answer: Harness.mixed) { harness in
            for body in ["", "5\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n"] {
                let peer = try harness.connect()
                try await peer.send("POST \(path) HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\r\n\(body)")
                let answer = try await peer.answer()
                #expect(answer.text == path)
                #expect(answer.isLast)
                try await peer.send("5\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try await peer.rest().isEmpty)
            }
        }
    }

    @Test("A request with an empty body keeps the connection open")
    func emptyBody() async throws {
        try await Harness.run { harness in
            let peer = try harness.connect()
            for _ in 0..<2 {
                try await peer.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n")
                #expect(try await !peer.answer().isLast)
            }
        }
    }

    @Test("An invalid request is refused, and the connection closes without a reset that could discard the response")
    func refusal() async throws {
        try await Harness.run { harness in
            let peer = try harness.connect()
            let later = String(repeating: "x", count: 200_000)
            try await peer.send("GET / HTTP/1.1\r\nHost: a\r\n\r\nnonsense\r\n\r\n" + later)
            #expect(try await peer.answer().status == 200)
            #expect(try await peer.answer().status == 400)
            try await peer.send(later)
            #expect(try await peer.rest().isEmpty)
        }
    }

    @Test("Requests are answered over a Unix socket")
    func unixSocket() async throws {
        let path = "/tmp/weir-conversation-\(UInt32.random(in: 0...UInt32.max)).sock"
        let options = ServerOptions.patient.with { $0.allowsHalfClose = true }
        try await Harness.run(at: .unix(path: path), shards: 2, options, answer: Harness.mixed) { harness in
            for _ in 0..<20 {
                let peer = try harness.connect()
                try await peer.send("GET /now HTTP/1.1\r\nHost: a\r\n\r\nGET /later HTTP/1.1\r\nHost: a\r\n\r\n")
                peer.finishSending()
                #expect(try await peer.answer().text == "/now")
                #expect(try await peer.answer().text == "/later")
                #expect(try await peer.rest().isEmpty)
            }
            #expect(await harness.server.drain() == 0)
        }
        #expect(throws: Failure.self) { try Peer(.unix(path: path)) }
    }

    @Test("Clients of several event loops are answered")
    func manyShards() async throws {
        try await Harness.run(shards: 4, answer: Harness.mixed) { harness in
            let peers = try (0..<64).map { _ in try harness.connect() }
            for peer in peers {
                try await peer.send("GET /now HTTP/1.1\r\nHost: a\r\n\r\nGET /later HTTP/1.1\r\nHost: a\r\n\r\n")
            }
            for peer in peers {
                #expect(try await peer.answer().text == "/now")
                #expect(try await peer.answer().text == "/later")
            }
        }
    }
}
