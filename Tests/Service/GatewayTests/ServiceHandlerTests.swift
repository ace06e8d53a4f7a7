import EventLoop
import HTTPClient
import HTTPCore
import HTTPServer
import Operations
import TestSupport
import Testing

@testable import Gateway
@testable import API
@testable import Proxy

/// What the handler tells the server, the log and the counters about requests.
@Suite(.timeLimit(.minutes(10)))
struct ServiceHandlerTests {
    private static let key = "s3ntinel-KEY_0123456789"

    /// A handler with a shard, whose access log is collected.
    private struct Service {
        let shard: Shard
        let context: ShardContext
        let handler: ServiceHandler
        let writer: LineWriter
        let output = Watched("")

        init(_ change: (inout AccessLogSettings) -> Void = { _ in }) throws {
            var settings = AccessLogSettings()
            change(&settings)
            shard = try Shard(index: 0)
            writer = LineWriter(
                "test", maximumBytes: 64 << 20,
                write: { [output] bytes in
                    output.update { $0 += String(decoding: bytes, as: UTF8.self) }
                    return true
                })
            let log = AccessLogBuffer(settings, writer: writer, clock: .system)
            context = ShardContext(shard, client: Client(on: shard), log: log)
            let answer: @Sendable (Route.Call) -> Reply = { call in
                .later { Response(body: Array("{\"value\":\"\(call.segments.count)\"}".utf8)) }
            }
            let weather = WeatherParameters(units: "si")
            let descriptions = [
                WeatherRoute.description(weather), DarkSkyRoute.description(weather, answersJSONP: false),
                RouteDescription("tweet", "/tweets/{id}", tag: "tweets", "A tweet", answer: .init("application/json")),
            ]
            let routes = descriptions.map { Route($0, answer: answer) }
            let cors = CrossOrigin(["https://app.example"], maximumAgeSeconds: 60)
            handler = ServiceHandler(
                Router(
                    routes + HealthRoutes.all(Lifecycle()), labels: context.labels, crossOrigin: cors, notesPaths: true),
                on: [context])
            shard.start()
        }

        /// Has a request answered and its exchange recorded, as the server does.
        func ask(
            _ target: String, _ method: HTTPCore.Method = .get, _ headers: [(name: String, value: String)] = []
        ) async throws -> Response {
            let request = Request(method: method, target: try RequestTarget(target), headers: HeaderFields(headers))
            return try await Task(executorPreference: shard) { try #require(await answers([request]).last) }.value
        }

        /// Has requests answered one after another; call it on the shard.
        func answers(_ requests: [Request]) async -> [Response] {
            var responses: [Response] = []
            for request in requests {
                let response: Response
                switch handler.reply(to: request, from: RequestSource(client: .unix), on: shard) {
                case .now(let ready): response = ready
                case .later(let work, _): response = await work()
                case .streamed(let head, _): response = head
                }
                var exchange = ExchangeRecord(
                    start: 1, method: request.method, version: .http11, note: response.note)
                (exchange.status, exchange.end) = (response.status, 1_000_000)
                handler.finished(exchange, on: shard)
                responses.append(response)
            }
            return responses
        }

        func metrics() async -> String {
            let figures = RequestFigures(await [context].counters(), routes: context.labels.all)
            return String(decoding: RequestFigures.table.text(of: figures), as: UTF8.self)
        }

        func lines() async -> [Substring] {
            await [context].flushLogs()
            _ = await WorkQueue("flush").run { writer.flush(within: .seconds(600)) }
            return output.current.split(separator: "\n")
        }
    }

    private static func field(_ name: String, _ response: Response) -> String? {
        response.headers.first { $0.name == name }?.value
    }

    @Test func aRequestIsLoggedAndCountedUnderItsRoute() async throws {
        let service = try Service()
        defer { service.shard.stop() }
        let response = try await service.ask("/tweets/7?key=\(Self.key)")
        let line = try Parsed(String(try #require(await service.lines().first)))
        #expect(line["http.route"].string == "/tweets/{id}")
        #expect(line["url.path"].string == "/tweets/7")
        #expect(line["http.response.status_code"].integer == 200)
        #expect(line["trace_id"].string == Self.field("X-Request-Id", response))
        let metrics = await service.metrics()
        let labels = #"http_request_method="GET",http_response_status_code="200",http_route="/tweets/{id}""#
        #expect(metrics.contains("http_server_request_duration_seconds_count{\(labels)} 1\n"))
        #expect(metrics.contains("http_server_active_requests 0\n"))
    }

    @Test func probesAreNeitherLoggedNorGivenAnID() async throws {
        let service = try Service()
        defer { service.shard.stop() }
        for target in ["/livez", "/readyz", "/livez/"] {
            #expect(try await Self.field("X-Request-Id", service.ask(target)) == nil)
        }
        #expect(await service.lines().isEmpty)
        #expect(await service.metrics().contains(#"http_route="/readyz",le="+Inf"} 1"#))
    }

    @Test("A client's key is in no line and in no metric")
    func secrets() async throws {
        for format in [AccessLogSettings.Format.json, .common] {
            let service = try Service { $0.format = format }
            defer { service.shard.stop() }
            let key = Self.key
            let targets = [
                "/forecast/\(key)/1,2", "/forecast/\(key)", "/forecast/1,2/\(key)", "/forecast/\(key)/1,2?key=\(key)",
                "/\(key)/forecast/1,2", "/weather?key=\(key)&\(key)=1", "/forcast/\(key)/1,2", "/forecast/\(key)/../x",
                "/forecast%2f\(key)/1,2", "http://\(key)/weather",
            ]
            for target in targets {
                for method in [HTTPCore.Method.get, .post, .options, HTTPCore.Method(key)] {
                    let headers = [
                        ("Authorization", key), ("Cookie", key), ("Origin", "https://\(key)"), ("User-Agent", key),
                        ("traceparent", key), ("X-Request-Id", "a \(key)"), ("Referer", "https://a/\(key)"),
                    ]
                    _ = try await service.ask(target, method, headers)
                }
            }
            let lines = await service.lines()
            #expect(lines.count == targets.count * 4)
            let isSeen = (lines.joined() + (await service.metrics())).contains(key.prefix(8))
            #expect(!isSeen)
        }
    }

    @Test("100,000 random paths, methods and hosts add no series")
    func boundedSeries() async throws {
        let service = try Service { $0.format = .none }
        defer { service.shard.stop() }
        var random = SplitMix64(seed: 11)
        func series() async -> Int { await service.metrics().split(separator: "\n").count { $0.contains("_count{") } }
        for method in [HTTPCore.Method.get, HTTPCore.Method("X")] { _ = try await service.ask("/nothing", method) }
        let before = await series()
        for _ in 0..<100 {
            let requests = try (0..<1000).map { _ in
                Request(
                    method: random.next() % 2 == 0 ? .get : HTTPCore.Method("M\(random.next())"),
                    target: try RequestTarget("/r\(random.next())"),
                    headers: HeaderFields([("Host", "h\(random.next()).example")]))
            }
            _ = await Task(executorPreference: service.shard) { await service.answers(requests) }.value
        }
        #expect(await series() == before)
    }

    @Test(arguments: [("client-id-77", "client-id-77"), ("no\"t an id", nil), (nil, nil)] as [(String?, String?)])
    func aRequestIDIsEchoedOrMade(_ sent: String?, _ expected: String?) async throws {
        let service = try Service()
        defer { service.shard.stop() }
        let response = try await service.ask("/weather", .get, sent.map { [("X-Request-Id", $0)] } ?? [])
        let identifier = try #require(Self.field("X-Request-Id", response))
        if let expected { #expect(identifier == expected) } else { #expect(identifier.count == 32) }
        #expect(Self.field("Server-Timing", response)?.hasPrefix("total;dur=") == true)
    }

    @Test func everyRouteTakesGetHeadAndOptionsOnly() async throws {
        let service = try Service()
        defer { service.shard.stop() }
        for target in ["/weather", "/tweets/1", "/forecast/k/1,2", "/livez", "/readyz"] {
            let options = try await service.ask(target, .options)
            #expect(options.status == .noContent)
            #expect(Self.field("Allow", options) == "GET, HEAD, OPTIONS")
            for method in ["POST", "PUT", "DELETE", "PATCH", "TRACE", "get"] {
                let refused = try await service.ask(target, HTTPCore.Method(method))
                #expect(refused.status == .methodNotAllowed)
                #expect(Self.field("Allow", refused) == "GET, HEAD, OPTIONS")
            }
        }
        let all = try await service.ask("*", .options)
        #expect(all.status == .noContent)
        #expect(Self.field("Allow", all) == "GET, HEAD, OPTIONS")
        #expect(try await service.ask("/nothing", .options).status == .notFound)
    }

    @Test func aScriptOfAListedOriginMayAskAndRead() async throws {
        let service = try Service()
        defer { service.shard.stop() }
        let origin = ("Origin", "https://app.example")
        let preflight = try await service.ask("/weather", .options, [origin, ("Access-Control-Request-Method", "GET")])
        #expect(Self.field("Access-Control-Allow-Origin", preflight) == "https://app.example")
        #expect(Self.field("Access-Control-Allow-Methods", preflight) == "GET, HEAD, OPTIONS")
        for target in ["/weather", "/nothing"] {
            let response = try await service.ask(target, .get, [origin])
            #expect(Self.field("Access-Control-Allow-Origin", response) == "https://app.example")
            #expect(Self.field("Vary", response)?.hasPrefix("Origin") == true)
        }
    }

    @Test func anUnchangedAnswerIsA304WithItsTag() async throws {
        let service = try Service()
        defer { service.shard.stop() }
        let first = try await service.ask("/weather")
        let tag = try #require(Self.field("ETag", first))
        let second = try await service.ask("/weather", .get, [("If-None-Match", tag)])
        #expect(second.status == .notModified)
        #expect(second.body.isEmpty)
        #expect(Self.field("ETag", second) == tag)
        #expect(Self.field("X-Request-Id", second) != Self.field("X-Request-Id", first))
    }
}
