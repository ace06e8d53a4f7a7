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

    /// A document about the number in a request, with the temperature or the id of that number; `note` makes it another one.
    private static func document(_ dialect: String, _ head: String, note: Int = 0) throws -> String {
        let pattern = try Regex(
            "/forecast/[^/]*/([0-9]+),|latitude=([0-9]+)&|/statuses/([0-9]+) ",
            as: (
                Substring, Substring?, Substring?, Substring?
            ).self)
        let parts = try #require(try pattern.firstMatch(in: head)).output
        let number = try #require(parts.1 ?? parts.2 ?? parts.3)
        return switch dialect {
        case "mastodon":
            #"{"id":"\#(number)","created_at":"2026-01-01T18:00:37Z","content":"<p>\#(note)</p>"}"#
        case "openMeteo":
            """
            {"latitude":\(number).25,"longitude":\(number),"timezone":"GMT","utc_offset_seconds":0,"generationtime_ms":\(note),\
            "current_units":{"time":"unixtime","temperature_2m":"°C"},\
            "current":{"time":1767290400,"temperature_2m":\(number)}}
            """
        default:
            """
            {"latitude":\(number),"longitude":\(number),"timezone":"GMT","flags":{"units":"si","note":"\(note)"},\
            "currently":{"time":1767290437,"temperature":\(number)}}
            """
        }
    }

    private static func serve(_ dialect: String, _ upstream: ScriptedUpstream) throws -> WeirProcess {
        if dialect == "mastodon" {
            return try WeirProcess.serve(TweetRouteTests.configuration([(dialect, upstream.baseURL)]))
        }
        let text = configuration([upstream.baseURL], dialect: dialect)
        return try WeirProcess.serve(text.replacing(#""shards": 2"#, with: #""shards": 1"#))
    }

    private static func expect(_ number: Int, _ dialect: String, from weir: WeirProcess) throws {
        let path = dialect == "mastodon" ? "/tweets/\(number)" : "/weather?lat=\(number)&lon=\(number)"
        let answer = try weir.get(path)
        #expect(answer.status == 200)
        let document = try Parsed(answer.text)
        if dialect == "mastodon" {
            #expect(document["id"].string == "\(number)")
        } else {
            #expect(document["currently"]["temperature"].number == Double(number))
        }
    }

    /// The second answer to a request comes when the next one has been sent, and is another document.
    @Test("Nobody gets a late second answer to another request", arguments: ["darkSky", "openMeteo", "mastodon"])
    func lateAnswer(dialect: String) throws {
        let connections = Watched(0)
        let upstream = try ScriptedUpstream { head in
            .play { connection in
                let isFirst = connections.increase() == 1
                func send(_ head: String, note: Int) {
                    guard let body = try? Self.document(dialect, head, note: note) else { return }
                    let text = "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
                    _ = connection.send(Array(text.utf8), seconds: 60)
                }
                send(head, note: 1)
                while case .bytes(let bytes) = connection.receive(seconds: 60) {
                    send(isFirst ? head : String(decoding: bytes, as: UTF8.self), note: 2)
                }
            }
        }
        defer { upstream.stop() }
        let weir = try Self.serve(dialect, upstream)
        defer { weir.kill() }
        for number in 1...4 { try Self.expect(number, dialect, from: weir) }
        // The second request is made again on a new connection, and connections are not reused from then on.
        #expect(connections.current == 4)
        #expect(try weir.terminate() == 0)
        let lines = weir.errors.split(separator: "\n").filter { $0.contains("upstream sends surplus bytes") }
        #expect(lines.count == 1)
    }

    /// An upstream that answers the second request with the document of the first one, or one that rounds to two decimals.
    @Test("Neighbouring places are told apart, and an upstream may round", arguments: [(3, 4), (2, 3)])
    func neighbours(digits: Int, requests: Int) throws {
        let heads = Watched<[String]>([])
        let upstream = try ScriptedUpstream { head in
            .play { connection in
                var head = head
                while true {
                    let before = heads.update { heads -> String? in
                        heads.append(head)
                        return digits == 3 && heads.count == 2 ? heads[0] : nil
                    }
                    // The second request gets a second answer to the first one.
                    guard
                        let latitude = (before ?? head).split(separator: "/").dropFirst(3).first?.split(separator: ",")
                            .first,
                        let degrees = Double(latitude)
                    else { return }
                    let body = smallForecast.replacing("37.8267", with: degrees.formatted(digits)).replacing(
                        "-122.4233", with: "2")
                    let text = "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
                    guard connection.send(Array(text.utf8), seconds: 60),
                        case .bytes(let bytes) = connection.receive(seconds: 60)
                    else { return }
                    head = String(decoding: bytes, as: UTF8.self)
                }
            }
        }
        defer { upstream.stop() }
        let weir = try Self.serve("darkSky", upstream)
        defer { weir.kill() }
        for latitude in ["1.004", "1.001", "1.002"] {
            let document = try Parsed(weir.get("/weather?lat=\(latitude)&lon=2").text)
            #expect(document["latitude"].number == Double(latitude)?.rounded(digits))
        }
        #expect(heads.current.count == requests)
    }

    @Test("An upstream with a fixed document is asked once more at most", arguments: [(5, 4, 2), (1, 3, 1)])
    func fixedDocument(first: Int, requests: Int, connections: Int) throws {
        let requestCount = Watched(0), connectionCount = Watched(0)
        let body = try Self.document("darkSky", "/forecast/a/5,5")
        let upstream = try ScriptedUpstream { _ in
            .play { connection in
                connectionCount.increase()
                let text = "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
                repeat {
                    requestCount.increase()
                    guard connection.send(Array(text.utf8), seconds: 60) else { return }
                } while connection.hasMore
            }
        }
        defer { upstream.stop() }
        let weir = try Self.serve("darkSky", upstream)
        defer { weir.kill() }
        for number in [first, 2, 3] {
            #expect(try weir.get("/weather?lat=\(number)&lon=\(number)").status == 200)
        }
        #expect(requestCount.current == requests)
        #expect(connectionCount.current == connections)
        #expect(try weir.terminate() == 0)
        #expect(!weir.errors.contains("surplus"))
    }
}

extension Descriptor {
    /// Waits for another request; false at the end of the connection.
    fileprivate var hasMore: Bool {
        if case .bytes = receive(seconds: 60) { return true }
        return false
    }
}

extension Double {
    fileprivate func rounded(_ digits: Int) -> Double {
        let scale = digits == 3 ? 1000.0 : 100.0
        return (self * scale).rounded() / scale
    }

    fileprivate func formatted(_ digits: Int) -> String { "\(rounded(digits))" }
}
