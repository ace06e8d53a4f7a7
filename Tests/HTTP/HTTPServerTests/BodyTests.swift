import EventLoop
import Glibc
import HTTPCore
import TestSupport
import Testing

@testable import HTTPServer

@Suite("Bodies of requests", .timeLimit(.minutes(10)))
struct BodyTests {
    @Test("A body has time according to its minimum rate, from the end of the head on")
    func bodyRate() {
        let options = ServerOptions.patient.with {
            $0.requestTimeout = .seconds(2)
            $0.minimumBodyRate = 1000
        }
        let arriving = ArrivingRequest(limits: RequestLimits())
        arriving.progress.start = 5_000_000_000
        #expect(arriving.deadline(options) == MonotonicTime(nanoseconds: 7_000_000_000))
        arriving.progress.headComplete = 6_000_000_000
        #expect(arriving.deadline(options) == MonotonicTime(nanoseconds: 8_000_000_000))
        arriving.progress.bodyBytes = 3500
        #expect(arriving.deadline(options) == MonotonicTime(nanoseconds: 11_500_000_000))
    }

    @Test(
        "A request whose body is not wanted is answered without it",
        arguments: ["Content-Length: 60000", "Transfer-Encoding: chunked", "Content-Length: 9\r\nExpect: 100-continue"])
    func unwantedBody(fields: String) async throws {
        struct Handler: RequestHandler {
            func reply(to request: Request, on shard: Shard) -> Reply { Harness.echo(request) }
            func refusal(of failure: RequestFailure, to request: RefusedRequest, on shard: Shard) -> Response {
                Response(status: failure.status)
            }
            func maximumBodyBytes(of request: Request) -> Int { request.target.path == "/none" ? 0 : .max }
        }
        let loopback = SocketAddress.network(host: "127.0.0.1", port: 0)
        try await Harness.run([Listener(loopback, handler: Handler())]) { harness in
            let peer = try harness.connect()
            try await peer.send("POST /none HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\r\n")
            let answer = try await peer.answer()
            #expect(answer.text == "POST /none ")
            #expect(answer.isLast)
            try await peer.send("5\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await peer.rest().isEmpty)
        }
    }

    @Test("A body above the handler's limit is refused before it is sent")
    func bodyLimit() async throws {
        struct Handler: RequestHandler {
            func reply(to request: Request, on shard: Shard) -> Reply { Harness.echo(request) }
            func refusal(of failure: RequestFailure, to request: RefusedRequest, on shard: Shard) -> Response {
                Response(status: failure.status)
            }
            func maximumBodyBytes(of request: Request) -> Int { 4 }
        }
        let loopback = SocketAddress.network(host: "127.0.0.1", port: 0)
        try await Harness.run([Listener(loopback, handler: Handler())]) { harness in
            for (size, status) in [(4, 200), (5, 413)] {
                let peer = try harness.connect()
                try await peer.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(size)\r\n\r\n")
                if size == 4 { try await peer.send("body") }
                #expect(try await peer.answer().status == status)
            }
        }
    }

    // In a process of its own, because other tests need memory at the same time.
    @Test("The memory of many bodies is returned", .disabled(if: Sanitizer.isPresent))
    func bodyMemory() async throws {
        await #expect(processExitsWith: .success) {
            OpenFileLimit.raise()
            FreedMemory.keep()
            try await Harness.run { harness in
                let before = try ProcessMemory.resident
                var peers = try (0..<800).map { _ in try harness.connect() }
                let most = [UInt8](repeating: 65, count: 60_000)
                for peer in peers {
                    try await peer.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 60001\r\n\r\n")
                    try await peer.send(most)
                }
                // The last bytes of the last body have arrived when another request is answered.
                let witness = try harness.connect()
                try await witness.get("/")
                #expect(try await witness.answer().status == 200)
                #expect(try ProcessMemory.resident - before > 40 << 20)
                peers = []
                let start = MonotonicTime.now
                while try ProcessMemory.resident - before > 25 << 20 {
                    try #require(MonotonicTime.now - start < .seconds(60))
                    await harness.wait(milliseconds: 20)
                }
            }
        }
    }
}
