import EventLoop
import HTTPCore
import Operations
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct AccessLogTests {
    /// Returns the lines that a shard logs about the exchanges.
    private static func lines(
        _ exchanges: [ExchangeRecord], _ change: (inout AccessLogSettings) -> Void = { _ in }
    ) async throws -> [String] {
        var settings = AccessLogSettings()
        change(&settings)
        let output = Output()
        let writer = output.writer()
        let shard = try Shard(index: 0)
        let log = ShardBound(AccessLogBuffer(settings, writer: writer, clock: .standing), to: shard)
        shard.start()
        defer { shard.stop() }
        await withCheckedContinuation { continuation in
            log.post { log in
                for exchange in exchanges {
                    log.add(exchange, exchange.note.route.map { routesOfExchanges[Int($0)] }, on: shard)
                }
                log.handOver()
                continuation.resume()
            }
        }
        #expect(await WorkQueue("flush").run { writer.flush(within: .seconds(600)) })
        return output.lines
    }

    @Test func aLineHasTheNamesOfOpenTelemetry() async throws {
        let exchange = ExchangeRecord.answered { exchange in
            exchange.client = .v4(0xC000_0207, port: 4711)
            exchange.note.path = Array("/weather".utf8)[...]
            exchange.note.upstream = "openMeteo"
            exchange.note.cache = .hit
            exchange.note.repaired = 3
            exchange.note.dropped = 1
            exchange.note.requestID = "client-id-1"
            exchange.note.trace = TraceContext(traceID: 0xABC, parentID: 1, spanID: 0xDEF)
            let (own, other) = (UpstreamTries(), UpstreamTries())
            let first = UpstreamTry(
                upstream: "a", requests: "forecast", result: "it \"failed\"", milliseconds: 7, bytes: 0, sent: 1,
                isReused: nil)
            let second = UpstreamTry(
                upstream: "b", requests: "history", result: "200", milliseconds: 12, bytes: 4096, sent: 2,
                isReused: true)
            own.end(own.begin { second }, first)
            _ = other.begin { second }
            own.share(other)
            exchange.note.tries = own
        }
        let expected = """
            {"time":"2026-11-22T08:15:30.123Z","level":"info","client.address":"192.0.2.7","http.request.method":"GET",\
            "http.route":"/weather","url.path":"/weather","http.response.status_code":200,\
            "http.server.request.duration":0.003000,"http.request.size":100,"http.response.size":2000,\
            "network.protocol.version":"1.1","weir.upstream":"openMeteo","weir.cache":"hit","weir.repaired":3,\
            "weir.dropped":1,"weir.tries":[{"upstream":"a","requests":"forecast","result":"it \\"failed\\"",\
            "milliseconds":7,"bytes":0},{"upstream":"b","requests":"history","result":"200","milliseconds":12,\
            "bytes":4096,"connection":"reused","sent":2,"shared":true}],"weir.request_id":"client-id-1",\
            "trace_id":"00000000000000000000000000000abc","span_id":"0000000000000def"}
            """
        #expect(try await Self.lines([exchange]) == [expected])
    }

    /// Each exchange copies its note, also one that the cache answers.
    @Test func theNoteOfAnExchangeStaysSmall() { #expect(MemoryLayout<ExchangeNote>.size <= 145) }

    @Test func aRequestWithoutATryHasNoList() async throws {
        let lines = try await Self.lines([.answered { $0.note.tries = UpstreamTries() }])
        #expect(try #require(lines.first).contains("weir.tries") == false)
    }

    @Test func aRefusedConnectionHasALine() async throws {
        var exchange = ExchangeRecord(start: 1)
        exchange.outcome = .refused(.connectionLimit)
        exchange.status = .serviceUnavailable
        let line = try #require(await Self.lines([exchange]).first)
        let parsed = try Parsed(line)
        #expect(parsed["error.type"].string == "connection_limit")
        #expect(parsed["level"].string == "error")
        #expect(parsed["http.request.method"].string == nil)
        #expect(parsed["http.server.request.duration"].number == 0)
    }

    @Test(arguments: [
        (ExchangeRecord.Outcome.clientLeft, "client_left"), (.timedOut, "timeout"), (.stopped, "shutdown"),
        (.refused(.malformed), "malformed"),
    ])
    func anIncompleteExchangeNamesTheReason(_ outcome: ExchangeRecord.Outcome, _ name: String) async throws {
        let lines = try await Self.lines([.answered { $0.outcome = outcome }])
        #expect(try Parsed(#require(lines.first))["error.type"].string == name)
    }

    @Test func theCommonFormatEscapesPathsAndHidesWhatCanHoldASecret() async throws {
        let exchanges = [
            ExchangeRecord.answered { exchange in
                exchange.client = .v6(1, port: 1)
                exchange.note.path = Array(#"/a"b\c"#.utf8)[...]
            },
            .answered(.head, 1, status: 404), .answered(Method("KEY"), nil, status: 404), ExchangeRecord(start: 1),
        ]
        let time = "[22/Nov/2026:08:15:30 +0000]"
        #expect(
            try await Self.lines(exchanges) { $0.format = .common } == [
                #"::1 - - \#(time) "GET /a\x22b\x5Cc HTTP/1.1" 200 2000"#,
                #"- - - \#(time) "HEAD /forecast/{anything}/{latitude},{longitude} HTTP/1.1" 404 2000"#,
                #"- - - \#(time) "_OTHER - HTTP/1.1" 404 2000"#, #"- - - \#(time) "-" - 0"#,
            ])
    }

    @Test func probesAreSilent() async throws {
        #expect(try await Self.lines([.answered(.get, 2, status: 503)]).isEmpty)
    }

    @Test(
        "Addresses are written as RFC 5952 says",
        arguments: [
            (UInt128(0), "::"), (1, "::1"), (0x2001_0db8_0000_0000_0001_0000_0000_0001, "2001:db8::1:0:0:1"),
            (0x2001_0db8_0000_0001_0001_0001_0001_0001, "2001:db8:0:1:1:1:1:1"), (0xFE80 << 112, "fe80::"),
            (0xFFFF_C000_0207, "::ffff:192.0.2.7"), (0x0001_0000_0000_0000_0000_0000_0000_0000, "1::"),
        ])
    func addresses(_ address: UInt128, _ text: String) async throws {
        let lines = try await Self.lines([.answered { $0.client = .v6(address, port: 1) }])
        #expect(try Parsed(#require(lines.first))["client.address"].string == text)
    }

    @Test func linesAreWrittenWithoutAFurtherRequest() async throws {
        let output = Output()
        let shard = try Shard(index: 0)
        let log = ShardBound(
            AccessLogBuffer(AccessLogSettings(), writer: output.writer(), clock: .standing), to: shard)
        shard.start()
        defer { shard.stop() }
        log.post { $0.add(.answered(), nil, on: shard) }
        #expect(output.text.wait { $0.isEmpty ? nil : $0.hasSuffix("}\n") } == true)
    }
}
