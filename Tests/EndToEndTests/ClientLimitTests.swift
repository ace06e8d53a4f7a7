import Foundation
import TestSupport
import Testing

/// Limits of the requests of each client.
@Suite(.timeLimit(.minutes(10)))
struct ClientLimitTests {
    private static let forecast = ScriptedUpstream.Reaction.answer(
        smallForecast, headers: ["Cache-Control: max-age=600"])

    /// A service with limits, behind a proxy at the loopback address unless `isProxied` is false.
    private static func serve(
        _ limits: String, isProxied: Bool = true, upstream: String = Checkout.sample, cache: String = "",
        routes: String = ""
    ) throws -> WeirProcess {
        let proxies = isProxied ? #", "trustedProxies": ["127.0.0.1"]"# : ""
        return try WeirProcess.serve(
            configuration([upstream], cache: cache)
                .replacing(#""server": {"#, with: #""server": {"limits": [\#(limits)]\#(proxies), "#)
                .replacing(#""upstreams": [{"#, with: #"\#(routes)"upstreams": [{"#))
    }

    private static func from(_ address: String) -> [String] { ["X-Forwarded-For: \(address)"] }

    @Test("A client beyond its limit gets 429 with the limit and the time to wait, and the others lose nothing")
    func limited() throws {
        let weir = try Self.serve(#"{"by": "address", "requests": 1, "perSeconds": 3600, "burst": 3}"#)
        defer { weir.kill() }
        for _ in 0..<3 { #expect(try weir.get(weather, headers: Self.from("192.0.2.1")).status == 200) }
        let answer = try weir.get(weather, headers: Self.from("192.0.2.1"))
        let problem = try expectProblem(answer, 429)
        #expect(problem["type"].string == "urn:weir:problem:too-many-requests")
        #expect(problem["detail"].string?.hasPrefix("More than 1 requests of the client in 3600 s.") == true)
        let seconds = try #require(answer.header("Retry-After").flatMap { Int($0) })
        #expect(3590...3600 ~= seconds)
        #expect(answer.header("RateLimit-Policy") == #""address";q=1;w=3600;weir-burst=3"#)
        #expect(answer.header("RateLimit") == #""address";r=0;t=\#(seconds)"#)
        #expect(answer.header("X-Request-Id") != nil)
        // An address that begins like the other one is another client; so is each network of 64 bits.
        for client in ["192.0.2.10", "192.0.2.2", "2001:db8::1", "2001:db8:0:1::1"] {
            #expect(try weir.get(weather, headers: Self.from(client)).status == 200, "\(client)")
        }
        // The addresses of one network of 64 bits are one client.
        for last in 2...3 { #expect(try weir.get(weather, headers: Self.from("2001:db8::\(last)")).status == 200) }
        #expect(try weir.get(weather, headers: Self.from("2001:db8::4")).status == 429)
        // A path without a route counts too, and the paths for operators do not.
        #expect(try weir.get("/nothing", headers: Self.from("192.0.2.1")).status == 429)
        for path in ["/livez", "/readyz", "/healthz", "/metrics"] {
            for _ in 0..<4 { #expect(try weir.get(path, headers: Self.from("192.0.2.1")).status == 200, "\(path)") }
        }
        let metrics = try weir.get("/metrics").text
        #expect(
            metrics.contains(
                #"weir_limited_requests_total{limit="address",reason="rate",action="refused"} 3"# + "\n"))
        let line = try weir.logLine("client limited")
        #expect(line["limit"].string == "address" && line["reason"].string == "rate")
        #expect(line["client"].string == "192.0.2.0/24" && line["route"].string == "/weather")
        #expect(line["count"].integer == 1 && line["action"].string == "refused")
    }

    @Test("Nobody has another client's name by a field that is not the trusted proxy's")
    func forged() throws {
        let limit = #"{"by": "address", "requests": 1, "perSeconds": 3600, "burst": 2}"#
        // Without a trusted proxy, the field is nobody's.
        let direct = try Self.serve(limit, isProxied: false)
        defer { direct.kill() }
        let statuses = try (1...4).map { try direct.get(weather, headers: Self.from("192.0.2.\($0)")).status }
        #expect(statuses == [200, 200, 429, 429])
        // Behind the proxy, what the client wrote stands before what the proxy wrote.
        let proxied = try Self.serve(limit)
        defer { proxied.kill() }
        let others = try (1...4).map { number in
            try proxied.get(weather, headers: Self.from("198.51.100.\(number), 192.0.2.1")).status
        }
        #expect(others == [200, 200, 429, 429])
        #expect(try proxied.get(weather, headers: Self.from("198.51.100.1")).status == 200)
    }

    @Test("On Dark Sky's route, 429 has Dark Sky's form")
    func darkSky() throws {
        let weir = try Self.serve(
            #"{"by": "address", "requests": 1, "perSeconds": 60, "routes": ["/forecast/{anything}/{latitude},{longitude}"]}"#
        )
        defer { weir.kill() }
        #expect(try weir.get(darkSkyWeather).status == 200)
        let answer = try weir.get(darkSkyWeather)
        #expect(answer.status == 429 && answer.header("Content-Type") == "application/json")
        let error = try answer.json()
        #expect(error["code"].integer == 429 && error["error"].string?.hasPrefix("More than 1 requests") == true)
        #expect(answer.header("Retry-After") != nil && answer.header("RateLimit") != nil)
        // The other route has no limit.
        for _ in 0..<3 { #expect(try weir.get(weather).status == 200) }
        let document = try weir.get("/openapi.json").json()
        let fields = document["paths"]["/forecast/{anything}/{latitude},{longitude}"]["get"]["responses"]["429"][
            "headers"]
        #expect(fields["RateLimit"].members.keys.contains("$ref") && fields["Retry-After"].members.count == 1)
        #expect(document["paths"]["/weather"]["get"]["responses"]["429"]["headers"]["RateLimit"].isAbsent)
        #expect(document["paths"]["/openapi.json"]["get"]["responses"]["429"].isAbsent)
    }

    @Test("A refused request costs nothing: not at other limits, and not of the miss that it would have been")
    func refusedForNothing() throws {
        // The network has twenty; one of its addresses asks far beyond its own two.
        let weir = try Self.serve(
            #"{"by": "network", "requests": 1, "perSeconds": 3600, "burst": 20}, "#
                + #"{"by": "address", "requests": 1, "perSeconds": 3600, "burst": 2}"#)
        defer { weir.kill() }
        let greedy = try (1...25).map { _ in try weir.get(weather, headers: Self.from("192.0.2.1")).status }
        #expect(greedy.count { $0 == 200 } == 2)
        let neighbours = try (2...10).flatMap { last in
            try (1...2).map { _ in try weir.get(weather, headers: Self.from("192.0.2.\(last)")).status }
        }
        #expect(neighbours.allSatisfy { $0 == 200 })
        // Of ten, three are left after a miss: too few for another one, and hits have them all.
        let costly = try Self.serve(
            #"{"by": "address", "requests": 1, "perSeconds": 3600, "burst": 10, "missCost": 6}"#,
            cache: #""maximumBytes": 1048576"#)
        defer { costly.kill() }
        #expect(try costly.get(weather).status == 200)
        for place in 1...5 {
            let refused = try costly.get("/weather?lat=\(place)&lon=2")
            #expect(refused.status == 429)
            #expect(refused.header("RateLimit")?.contains(";r=3;") == true)
        }
        #expect(try (1...4).map { _ in try costly.get(weather).status } == [200, 200, 200, 429])
    }

    @Test("With dryRun, requests beyond the limit are answered, counted and logged")
    func dryRun() throws {
        let weir = try Self.serve(
            #"{"by": "network", "requests": 1, "perSeconds": 3600, "missCost": 0, "misses": 1, "dryRun": true}"#)
        defer { weir.kill() }
        for last in 1...5 { #expect(try weir.get(weather, headers: Self.from("192.0.2.\(last)")).status == 200) }
        let line = try weir.logLine("client limited")
        #expect(line["limit"].string == "network" && line["action"].string == "counted")
        let metrics = try weir.get("/metrics").text
        #expect(
            metrics.contains(
                #"weir_limited_requests_total{limit="network",reason="rate",action="counted"} 4"# + "\n"))
        #expect(!metrics.contains(#"action="refused""#))
    }

    @Test("A field of the proxy tells clients apart, and clients that come without the proxy cannot write it")
    func header() throws {
        let limit = #"{"by": {"header": "X-Client"}, "requests": 1, "perSeconds": 3600, "burst": 2}"#
        let weir = try Self.serve(limit)
        defer { weir.kill() }
        func statuses(_ clients: [String]) throws -> [Int] {
            try clients.map { try weir.get(weather, headers: Self.from("192.0.2.1") + ["X-Client: \($0)"]).status }
        }
        #expect(try statuses(["ada", "ada", "ada", "bob", "bob", "bob"]) == [200, 200, 429, 200, 200, 429])
        let answer = try weir.get(weather, headers: ["X-Client: ada"])
        #expect(answer.header("RateLimit-Policy") == #""x-client";q=1;w=3600;weir-burst=2"#)
        // Without the field, the address counts.
        #expect(try weir.get(weather, headers: Self.from("192.0.2.1")).status == 200)
        let untrusted = try WeirProcess.serve(
            configuration([Checkout.sample], cache: "").replacing(
                #""server": {"#, with: #""server": {"limits": [\#(limit)], "trustedProxies": ["192.0.2.1"], "#))
        defer { untrusted.kill() }
        let forged = try (1...3).map { try untrusted.get(weather, headers: ["X-Client: \($0)"]).status }
        #expect(forged == [200, 200, 429])
    }

    @Test("A credential tells clients apart: that of a route, or Authorization")
    func credential() throws {
        let routes = #"""
            "routes": [{"path": "/mine", "parameters": {"token": {"header": "PRIVATE-TOKEN", "credential": true}},
              "fetch": {"upstream": "upstream-0", "headers": {"PRIVATE-TOKEN": "{token}"}}},
             {"path": "/ours", "parameters": {"key": {"credential": true}},
              "fetch": {"upstream": "upstream-0", "query": {"key": "{key}"}}}],
            """#
        let upstream = try ScriptedUpstream { _ in Self.forecast }
        defer { upstream.stop() }
        let text = """
            {"listen": "127.0.0.1:0", "shards": 2,
             "server": {"limits": [{"by": "credential", "requests": 1, "perSeconds": 3600}], "drainTimeoutMilliseconds": 3000},
             \(routes) "upstreams": [{"name": "upstream-0", "baseURL": "\(upstream.baseURL)"}]}
            """
        let weir = try WeirProcess.serve(text)
        defer { weir.kill() }
        func statuses(_ path: String, _ values: [String], _ field: String? = nil) throws -> [Int] {
            try values.map { value in
                try weir.get(field == nil ? path + value : path, headers: field.map { ["\($0): \(value)"] } ?? [])
                    .status
            }
        }
        let values = ["s3ntinel-one", "s3ntinel-one", "s3ntinel-two"]
        #expect(try statuses("/mine", values, "PRIVATE-TOKEN") == [200, 429, 200])
        #expect(try statuses("/ours?key=", ["a1-s3ntinel", "a1-s3ntinel", "a2-s3ntinel"]) == [200, 429, 200])
        #expect(
            try statuses("/openapi.json", ["Basic one", "Basic one", "Basic two"], "Authorization") == [200, 429, 200])
        // Without a credential, the address counts.
        #expect(try statuses("/openapi.json", ["", ""]) == [200, 429])
        _ = try weir.terminate()
        #expect(!weir.errors.contains("s3ntinel"))
    }

    @Test("A request for which an upstream is asked costs more, and one that the cache answers does not")
    func missCost() throws {
        let upstream = try ScriptedUpstream { _ in Self.forecast }
        defer { upstream.stop() }
        let weir = try Self.serve(
            #"{"by": "address", "requests": 1, "perSeconds": 3600, "burst": 12, "missCost": 4}"#,
            upstream: upstream.baseURL)
        defer { weir.kill() }
        func status(_ latitude: Int) throws -> Int { try weir.get("/weather?lat=\(latitude)&lon=1").status }
        // Two misses are ten of twelve.
        #expect(try [status(1), status(2)] == [200, 200])
        #expect(try status(1) == 200)
        let answer = try weir.get("/weather?lat=3&lon=1")
        let problem = try expectProblem(answer, 429)
        #expect(problem["detail"].string?.contains("It counts as 5 requests, because an upstream is asked.") == true)
        #expect(answer.header("RateLimit")?.hasPrefix(#""address";r=1;t="#) == true)
        #expect(upstream.requests.count == 2)
        let metrics = try weir.get("/metrics").text
        #expect(metrics.contains(#"{limit="address",reason="miss_cost",action="refused"} 1"# + "\n"))
    }

    @Test("A client has so many misses under way, and the others and its hits do not wait")
    func misses() throws {
        let gate = Gate()
        let upstream = try ScriptedUpstream { head in
            if head.contains("/9.1,") || head.contains("/8.1,") { gate.pass(seconds: 60) }
            return Self.forecast
        }
        defer { upstream.stop() }
        let weir = try Self.serve(
            #"{"by": "address", "requests": 1000, "misses": 2}"#, upstream: upstream.baseURL)
        defer { weir.kill() }
        func target(_ latitude: String) -> String { "/weather?lat=\(latitude)&lon=1" }
        #expect(try weir.get(target("1"), headers: Self.from("192.0.2.1")).status == 200)
        // Three clients wait for two documents: the third waits for the call of another one.
        let waiting = try ["9.1", "8.1"].map { latitude in
            let client = try weir.client()
            client.send("GET \(target(latitude)) HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 192.0.2.1\r\n\r\n")
            return client
        }
        #expect(upstream.waitForRequests(3))
        let joined = try weir.client()
        joined.send("GET \(target("9.1")) HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 192.0.2.1\r\n\r\n")
        let answer = try weir.get(target("2"), headers: Self.from("192.0.2.1"))
        let problem = try expectProblem(answer, 429)
        #expect(problem["detail"].string?.hasPrefix("More than 2 requests of the client wait for upstreams.") == true)
        #expect(answer.header("RateLimit-Policy") == #""address-misses";q=2;qu="concurrent-requests""#)
        #expect(answer.header("RateLimit") == #""address-misses";r=0;t=1"#)
        #expect(answer.header("Retry-After") == "1")
        #expect(try weir.get(target("1"), headers: Self.from("192.0.2.1")).status == 200)
        #expect(try weir.get(target("3"), headers: Self.from("192.0.2.2")).status == 200)
        gate.open()
        for client in waiting + [joined] { #expect(try client.read().status == 200) }
        #expect(try weir.get(target("2"), headers: Self.from("192.0.2.1")).status == 200)
    }

    @Test("The log has a line a second about a limit, with the number of requests since the last one")
    func oneLine() throws {
        let weir = try Self.serve(#"{"by": "address", "requests": 1, "perSeconds": 3600}"#)
        defer { weir.kill() }
        let client = try weir.client()
        let (seconds, _) = try seconds { for _ in 0..<500 { _ = try client.get(weather) } }
        _ = try weir.logLine("client limited")
        _ = try weir.terminate()
        let lines = weir.errors.split(separator: "\n").filter { $0.contains("client limited") }
        #expect(lines.count <= Int(seconds) + 2)
    }

    @Test("A reload takes other limits over, and clients keep what they have used")
    func reload() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        func text(_ limits: String) -> String {
            configuration([Checkout.sample], cache: "").replacing(
                #""server": {"#, with: #""server": {"limits": [\#(limits)], "#)
        }
        let file = try folder.write(text(#"{"by": "address", "requests": 1, "perSeconds": 3600}"#), to: "weir.json")
        let weir = try WeirProcess(["serve", "--config", file])
        defer { weir.kill() }
        _ = try weir.address()
        #expect(try [weir.get(weather).status, weir.get(weather).status] == [200, 429])
        try folder.write(text(#"{"by": "address", "requests": 1, "perSeconds": 3600, "burst": 2}"#), to: "weir.json")
        weir.send(signal: SIGHUP)
        let first = try weir.logLine("configuration reloaded")["number"].integer
        #expect(try [weir.get(weather).status, weir.get(weather).status] == [200, 429])
        // A client has used nothing of another rate.
        try folder.write(text(#"{"by": "address", "requests": 2, "perSeconds": 60}"#), to: "weir.json")
        weir.send(signal: SIGHUP)
        let second = try weir.logLine("configuration reloaded") { $0["number"].integer != first }["number"].integer
        #expect(try (1...3).map { _ in try weir.get(weather).status } == [200, 200, 429])
        try folder.write(text(""), to: "weir.json")
        weir.send(signal: SIGHUP)
        _ = try weir.logLine("configuration reloaded") { ![first, second].contains($0["number"].integer) }
        for _ in 0..<3 { #expect(try weir.get(weather).status == 200) }
    }

    @Test(
        "Faults of limits are found",
        arguments: [
            (#"{"by": "adress", "requests": 1}"#, "server.limits[0].by"),
            (#"{"by": {"header": "X-Client"}, "requests": 1}"#, "server.limits[0].by needs server.trustedProxies"),
            (#"{"by": {"header": "Content-Length"}, "requests": 1}"#, "server.limits[0].by must name a header field"),
            (#"{"by": {"field": "X"}, "requests": 1}"#, "server.limits[0].by must be"),
            (#"{"by": "address"}"#, "server.limits[0].requests"),
            (#"{"by": "address", "requests": 0}"#, "server.limits[0].requests"),
            (#"{"by": "address", "requests": 5, "missCost": 5}"#, "server.limits[0].missCost must be less than burst"),
            (
                #"{"by": "address", "requests": 5, "routes": ["/wether"]}"#,
                #"server.limits[0].routes[0] must be the path of a route, not "/wether"; did you mean "/weather"?"#
            ),
            (
                #"{"by": "address", "requests": 5, "routes": ["/metrics"]}"#,
                "server.limits[0].routes[0] must be the path"
            ),
            (#"{"by": "address", "requests": 5, "routes": []}"#, "server.limits[0].routes must name a route"),
        ])
    func faults(_ limit: String, _ fault: String) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let text = configuration([Checkout.sample]).replacing(
            #""server": {"#, with: #""server": {"limits": [\#(limit)], "#)
        let file = try folder.write(text, to: "weir.json")
        let result = try WeirProcess.run(["check", "--config", file])
        #expect(result.status != 0)
        #expect((result.output + result.errors).contains(fault), "\(result.errors)")
    }
}
