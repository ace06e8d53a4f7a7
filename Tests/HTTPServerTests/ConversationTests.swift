import EventLoop
import HTTPCore
import HTTPServer
import Testing

@Suite("A connection", .timeLimit(.minutes(10)))
struct ConversationTests {
    @Test("answers one request after the other and stays open")
    func keepAlive() async throws {
        try await Harness.run { harness in
            let peer = try harness.connect()
            for path in ["/a", "/b", "/c"] {
                try await peer.get(path)
                let answer = try await peer.answer()
                #expect(answer.status == 200)
                #expect(answer.text == "GET \(path) ")
                #expect(answer.headers["connection"] == nil)
                #expect(answer.headers["date"] != nil)
            }
        }
    }

    @Test(
        "ends after its answer where the client asks for it",
        arguments: [
            ("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", "close"),
            ("GET / HTTP/1.0\r\n\r\n", "close"),
        ])
    func closing(request: String, connection: String) async throws {
        try await Harness.run { harness in
            let peer = try harness.connect()
            try await peer.send(request)
            #expect(try await peer.answer().headers["connection"] == connection)
            #expect(try await peer.rest().isEmpty)
        }
    }

    @Test("stays open for an HTTP/1.0 client that asks for it")
    func keepAlive10() async throws {
        try await Harness.run { harness in
            let peer = try harness.connect()
            for _ in 0..<2 {
                try await peer.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
                #expect(try await peer.answer().headers["connection"] == "keep-alive")
            }
        }
    }

    @Test("answers HEAD without a body")
    func head() async throws {
        try await Harness.run { harness in
            let peer = try harness.connect()
            try await peer.send("HEAD /x HTTP/1.1\r\nHost: a\r\n\r\nGET /y HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await peer.answer(to: "HEAD").headers["content-length"] == "8")
            #expect(try await peer.answer().text == "GET /y ")
        }
    }

    @Test("reads a request that arrives byte by byte")
    func bytewise() async throws {
        try await Harness.run { harness in
            let peer = try harness.connect()
            for byte
                in "POST /slow HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhelloGET / HTTP/1.1\r\nHost: a\r\n\r\n"
                .utf8
            {
                try await peer.send([byte])
            }
            #expect(try await peer.answer().text == "POST /slow hello")
            #expect(try await peer.answer().text == "GET / ")
        }
    }

    @Test(
        "answers pipelined requests in their order, however long each takes",
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
        "answers all that a client has asked before it closed its side",
        arguments: [
            ["/now"], ["/later"], ["/now1", "/later2", "/now3"], ["/big1", "/big2", "/big3", "/later4", "/now5"],
        ])
    func halfClose(paths: [String]) async throws {
        let answer: @Sendable (Request) -> Reply = { request in
            if request.target.path.hasPrefix("/big") { return .now(Response(bytes: 5 << 20)) }
            return Harness.mixed(request)
        }
        try await Harness.run(answer: answer) { harness in
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

    @Test("gives a slow reader its big answers whole, and those behind them")
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

    @Test("takes no more requests from a client that does not take its answers")
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
            let taken = try await peer.sendWithoutEnd(requests, atMost: limit)
            // What the two kernels' buffers hold, and no more than a little of ours.
            #expect(taken < 32 << 20)
            #expect(served.value < 500)
        }
    }

    @Test("lets others in while one client floods it")
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
            _ = try await flood
        }
    }

    @Test("tells a client that waits to send its body to go on")
    func expectContinue() async throws {
        try await Harness.run { harness in
            let peer = try harness.connect()
            try await peer.send("POST /p HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n")
            #expect(try await peer.answer().status == 100)
            try await peer.send("hello")
            #expect(try await peer.answer().text == "POST /p hello")
        }
    }

    @Test("refuses a body that is too large before it is sent")
    func expectTooLarge() async throws {
        try await Harness.run { harness in
            let peer = try harness.connect()
            try await peer.send(
                "POST /p HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999\r\nExpect: 100-continue\r\n\r\n")
            let answer = try await peer.answer()
            #expect(answer.status == 413)
            #expect(answer.closes)
            #expect(try await peer.rest().isEmpty)
        }
    }

    @Test("answers what is no request and closes, without a reset that could overtake the answer")
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

    @Test("works the same over a Unix socket")
    func unixSocket() async throws {
        let path = "/tmp/weir-conversation-\(UInt32.random(in: 0...UInt32.max)).sock"
        try await Harness.run(at: .unix(path: path), shards: 2, answer: Harness.mixed) { harness in
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
        #expect(throws: PeerError.self) { try Peer(.unix(path: path)) }
    }

    @Test("answers clients of all its loops")
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
