import TestSupport
import Testing

/// Upstreams that send bytes which belong to no answer; the client's own tests show that nobody gets them.
@Suite("Surplus bytes of upstreams", .timeLimit(.minutes(10)))
struct SurplusTests {
    @Test("The log says once that connections are not reused because of surplus bytes", arguments: [false, true])
    func warning(sendsSurplus: Bool) throws {
        let count = Watched(0)
        let upstream = try ScriptedUpstream { _ in
            .play { connection in
                let number = count.increase()
                repeat {
                    let head = "HTTP/1.1 200 OK\r\nContent-Length: \(smallForecast.utf8.count)\r\n\r\n"
                    let surplus = sendsSurplus && number == 1 ? "\r\n" : ""
                    guard connection.send(Array((head + smallForecast + surplus).utf8), seconds: 60),
                        case .bytes = connection.receive(seconds: 60)
                    else { return }
                } while true
            }
        }
        defer { upstream.stop() }
        // Each event loop has connections of its own.
        let text = configuration([upstream.baseURL]).replacing(#""shards": 2"#, with: #""shards": 1"#)
        let weir = try WeirProcess.serve(text)
        defer { weir.kill() }
        for _ in 1...4 { #expect(try weir.get(weather).status == 200) }
        #expect(count.current == (sendsSurplus ? 4 : 1))
        #expect(try weir.terminate() == 0)
        let lines = weir.errors.split(separator: "\n").filter { $0.contains("upstream sends surplus bytes") }
        #expect(lines.count == (sendsSurplus ? 1 : 0))
        #expect(lines.allSatisfy { $0.contains(#""upstream":"upstream-0""#) })
    }
}
