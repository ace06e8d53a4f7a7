import HTTPCore
import Operations
import TestSupport
import Testing

struct MetricsTests {
    private static func text(_ metrics: RequestMetrics) -> String {
        let figures = RequestFigures(metrics, routes: routesOfExchanges)
        return String(decoding: RequestFigures.table.text(of: figures), as: UTF8.self)
    }

    private static func samples(_ metrics: RequestMetrics, _ prefix: String) -> [String] {
        text(metrics).split(separator: "\n").map(String.init).filter { $0.hasPrefix(prefix) }
    }

    @Test func durationsAreCountedByRouteMethodAndStatus() {
        var metrics = RequestMetrics()
        for milliseconds: UInt64 in [1, 3, 3, 20_000] {
            metrics.noteStart()
            metrics.note(.answered(milliseconds: milliseconds))
        }
        let labels = #"http_request_method="GET",http_response_status_code="200",http_route="/weather""#
        let name = "http_server_request_duration_seconds"
        let lines = Self.samples(metrics, name)
        for (bound, count) in [("0.0005", 0), ("0.001", 1), ("0.0025", 1), ("0.005", 3), ("10.0", 3), ("+Inf", 4)] {
            #expect(lines.contains(#"\#(name)_bucket{\#(labels),le="\#(bound)"} \#(count)"#))
        }
        #expect(lines.contains("\(name)_sum{\(labels)} 20.007"))
        #expect(lines.contains("\(name)_count{\(labels)} 4"))
    }

    @Test func everyMetricHasAHelpAndAType() {
        let lines = Self.text(RequestMetrics()).split(separator: "\n")
        let typed = Set(lines.filter { $0.hasPrefix("# TYPE ") }.map { $0.split(separator: " ")[2] })
        let helped = Set(lines.filter { $0.hasPrefix("# HELP ") }.map { $0.split(separator: " ")[2] })
        #expect(typed == helped)
        for line in lines where !line.hasPrefix("#") {
            #expect(typed.contains(line.prefix { $0 != "{" && $0 != " " }), "\(line)")
        }
    }

    @Test func countersRiseAndGaugesFall() {
        var metrics = RequestMetrics()
        metrics.noteConnections(1)
        metrics.noteConnections(1)
        metrics.noteConnections(-1)
        metrics.noteStart()
        metrics.noteStart()
        metrics.note(.answered { $0.outcome = .clientLeft })
        metrics.note(.answered(status: 503) { $0.outcome = .refused(.connectionLimit) })
        for line in [
            "http_server_active_requests 1", "http_server_open_connections 1",
            "http_server_accepted_connections_total 2", "http_server_received_bytes_total 200",
            "http_server_sent_bytes_total 4000", #"http_server_refusals_total{reason="connection_limit"} 1"#,
            #"http_server_refusals_total{reason="malformed"} 0"#,
            #"http_server_incomplete_total{outcome="client_left"} 1"#,
        ] {
            #expect(Self.samples(metrics, "http_server").contains(line), "\(line)")
        }
    }

    @Test func theCountersOfShardsAreAdded() {
        var (first, second, both) = (RequestMetrics(), RequestMetrics(), RequestMetrics())
        let exchanges: [ExchangeRecord] = [
            .answered(), .answered(.head), .answered(status: 404), .answered(.get, nil, status: 404),
            .answered(milliseconds: 700), .answered { $0.outcome = .timedOut },
            .answered { $0.outcome = .refused(.headTooLarge) },
        ]
        for exchange in exchanges {
            first.note(exchange)
            both.note(exchange)
        }
        for exchange in exchanges.reversed() {
            second.note(exchange)
            both.note(exchange)
        }
        first.add(second)
        #expect(Self.text(first).split(separator: "\n").sorted() == Self.text(both).split(separator: "\n").sorted())
    }

    @Test("100,000 random paths, methods and statuses add no series beyond the known ones")
    func boundedSeries() {
        var metrics = RequestMetrics()
        var random = SplitMix64(seed: 7)
        let known = ["GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH"]
        var count: Int?
        for requests in [20, 100_000] {
            for index in 0..<requests {
                let method = index % 10 < 9 ? known[index % 10] : "M\(random.next())"
                metrics.note(
                    .answered(Method(method), nil, status: 404) { exchange in
                        exchange.note.path = Array("/\(random.next())".utf8)[...]
                    })
            }
            let series = Self.samples(metrics, "http_server_request_duration_seconds_count").count
            #expect(series == count ?? series)
            count = series
        }
        #expect(count == 10)
        for status in 100..<600 { metrics.note(.answered(status: status)) }
        // 22 known statuses and the others, for GET and one route, and what was there before.
        #expect(Self.samples(metrics, "http_server_request_duration_seconds_count").count == 10 + 23)
    }

    @Test func labelsAreEscaped() {
        let figure = Figure<[FigureSample]>("a_total", .counter, ["name", "empty"], "Help.") { $0 }
        let samples = [FigureSample(1, "a\"b\\c\nd", ""), FigureSample(Double.infinity)]
        #expect(
            String(decoding: [figure].text(of: samples), as: UTF8.self)
                == "# HELP a_total Help.\n# TYPE a_total counter\na_total{name=\"a\\\"b\\\\c\\nd\"} 1\na_total +Inf\n")
    }

    @Test func theFiguresOfThisProcessArePlausible() {
        let text = ProcessMetrics.table.text(of: .read())
        var values: [String: Double] = [:]
        for line in String(decoding: text, as: UTF8.self).split(separator: "\n") where !line.hasPrefix("#") {
            let parts = line.split(separator: " ")
            values[String(parts[0])] = Double(parts[1])
        }
        #expect(values["process_resident_memory_bytes"] ?? 0 > 1_000_000)
        #expect(values["process_virtual_memory_bytes"] ?? 0 > values["process_resident_memory_bytes"] ?? .infinity)
        #expect(values["process_start_time_seconds"] ?? 0 > 1_700_000_000)
        #expect(values["process_open_fds"] ?? 0 >= 3)
        #expect(values["process_max_fds"] ?? 0 >= values["process_open_fds"] ?? .infinity)
        #expect(values["process_cpu_seconds_total"] ?? 0 >= 0)
    }
}
