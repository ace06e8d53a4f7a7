import TestSupport
import Testing

@testable import Gateway
@testable import Proxy

/// For how long answers come from memory, as clients see it.
@Suite("The cache", .timeLimit(.minutes(10)))
struct CacheFreshnessTests {
    @Test("The second client gets its answer from memory")
    func hit() async throws {
        let upstream = try CountingUpstream()
        defer { upstream.stop() }
        try await CachedService([upstream.baseURL]).run { service throws in
            let first = try service.get(place)
            #expect(first.cacheStatus == "Weir; fwd=uri-miss; ttl=300; stored")
            #expect(
                first.header("Cache-Control") == "max-age=300, stale-while-revalidate=30, stale-if-error=86400")
            #expect(first.header("Age") == nil)
            for age in [0, 7, 14] {
                let next = try service.get(place)
                #expect(next.cacheStatus.hasPrefix("Weir; hit"))
                #expect(next.header("Age") ?? "0" == "\(age)")
                #expect(next.body == first.body)
                #expect(next.header("ETag") == first.header("ETag"))
                service.hands.move(seconds: 7)
            }
        }
        #expect(upstream.requests == 1)
    }

    @Test("After the clock has gone back, a document of the future is asked for again", arguments: [(60, 1), (61, 2)])
    func future(seconds: Int, requests: Int) async throws {
        let upstream = try CountingUpstream()
        defer { upstream.stop() }
        try await CachedService([upstream.baseURL], shards: 1).run { service throws in
            for _ in 0..<2 { #expect(try service.get(place).temperature == 1) }
            service.hands.move(seconds: -seconds)
            for _ in 0..<2 { #expect(try service.get(place).temperature == requests) }
        }
        #expect(upstream.requests == requests)
    }

    @Test("An answer from memory says so in Server-Timing, and a 304 too")
    func serverTiming() async throws {
        let upstream = try CountingUpstream()
        defer { upstream.stop() }
        try await CachedService([upstream.baseURL], shards: 1).run { service throws in
            let first = try service.get(place)
            #expect(first.header("Server-Timing")?.hasPrefix("total;dur=") == true)
            let second = try service.get(place)
            #expect(second.header("Server-Timing") == "cache;desc=hit")
            let third = try service.get(place, headers: ["If-None-Match: \(second.header("ETag") ?? "")"])
            #expect(third.status == 304)
            #expect(third.header("Server-Timing") == "cache;desc=hit")
        }
    }

    @Test("Requests that mean the same share one document, however they are written")
    func spellings() async throws {
        let upstream = try CountingUpstream()
        defer { upstream.stop() }
        let same = [
            "lat=37.80&lon=-122.40", "lat=37.8&lon=-122.4", "lon=-122.4&lat=37.8", "l%61t=37.8&lon=-122.4000",
            "lat=37.80000&lon=-122.40001", "lat=37.8&lon=-122.4&units=us", "lat=37.8&lon=-122.4&fields=currently",
            "lat=37.8&lon=-122.4&exclude=hourly,daily&dates=iso8601", "lat=37.8&lon=-122.4&explain=true",
        ]
        let zero = ["lat=0&lon=0", "lat=-0.0&lon=0.00", "lat=-0&lon=-0.0001"]
        try await CachedService([upstream.baseURL]).run { service throws in
            for query in same + same { #expect(try service.get("/weather?\(query)").status == 200) }
            #expect(try service.get("/forecast/key/37.8,-122.4").status == 200)
            #expect(upstream.requests == 1)
            for query in zero { #expect(try service.get("/weather?\(query)").status == 200) }
            #expect(upstream.requests == 2)
        }
    }

    @Test("An answer from memory is the one that a service without a cache makes")
    func forms() async throws {
        let upstream = try ScriptedUpstream { _ in .answer(forecast(12)) }
        defer { upstream.stop() }
        let forms = [
            "", "&units=us", "&units=ca&dates=iso8601", "&fields=currently.temperature", "&exclude=currently",
            "&explain=true", "&fields=latitude&units=auto",
        ]
        let cached = try CachedService([upstream.baseURL])
        let plain = try CachedService([upstream.baseURL], cache: #""maximumBytes": 0"#)
        try await cached.run { cached throws in
            // Explained when it is fetched, too.
            for target in ["/weather?lat=1&lon=1&explain=true", "/weather?lat=1&lon=1"] {
                #expect(try cached.get(target).body == plain.get(target).body)
            }
            for form in forms + forms.reversed() {
                for target in [place + form, "/forecast/key/37.8267,-122.4233?" + form.dropFirst()] {
                    for coding in ["identity", "gzip", "br"] {
                        let fields = ["Accept-Encoding: \(coding)"]
                        let (one, other) = (
                            try cached.get(target, headers: fields), try plain.get(target, headers: fields)
                        )
                        #expect(one.body == other.body, "\(target)")
                        #expect(one.header("ETag") == other.header("ETag"))
                        #expect(one.header("Content-Encoding") == other.header("Content-Encoding"))
                        #expect(one.header("Weir-Drift") == other.header("Weir-Drift"))
                    }
                }
            }
        }
        await plain.stop()
    }

    @Test(
        "A document is fresh for as long as the upstream says, within the bounds of the route",
        arguments: [
            (["Cache-Control: max-age=60"], "", 60), ([], "", 300), (["Cache-Control: max-age=60", "Age: 50"], "", 10),
            (["Cache-Control: max-age=9999"], "", 3600), (["Cache-Control: s-maxage=9, max-age=60"], "", 9),
            (["Cache-Control: max-age=9999"], #""defaultSeconds": 7200"#, 7200),
            ([], #""defaultSeconds": 11"#, 11), (["Cache-Control: max-age=60"], #""obeysUpstream": false"#, 300),
        ])
    func lifetime(_ headers: [String], _ settings: String, _ seconds: Int) async throws {
        let upstream = try CountingUpstream(headers: headers)
        defer { upstream.stop() }
        let cache = #""weather": {"staleWhileRevalidateSeconds": 0\#(settings.isEmpty ? "" : ", ")\#(settings)}"#
        try await CachedService([upstream.baseURL], cache: cache).run { service throws in
            #expect(try service.get(place).temperature == 1)
            service.hands.move(seconds: seconds - 1)
            #expect(try service.get(place).temperature == 1)
            service.hands.move(seconds: 1)
            let next = try service.get(place)
            #expect(try next.temperature == 2)
            #expect(next.cacheStatus.hasPrefix("Weir; fwd=stale"))
        }
    }

    @Test(
        "What the upstream forbids to keep is fetched each time",
        arguments: ["no-store", "private", "max-age=60, no-store", "no-cache"])
    func forbidden(_ control: String) async throws {
        let upstream = try CountingUpstream(headers: ["Cache-Control: \(control)"])
        defer { upstream.stop() }
        try await CachedService([upstream.baseURL]).run { service throws in
            for number in 1...3 {
                let answer = try service.get(place)
                #expect(try answer.temperature == number)
                #expect(
                    answer.header("Cache-Control")?.hasPrefix(control == "no-cache" ? "no-cache" : "no-store") == true)
            }
        }
    }

    @Test("A stale document is validated, and a 304 keeps it and its variants")
    func validation() async throws {
        let upstream = try CountingUpstream { number, head in
            let fields = ["ETag: \"v1\"", "Cache-Control: max-age=60, stale-while-revalidate=0"]
            if head.contains("If-None-Match: \"v1\"") { return .answer(304, "", headers: fields) }
            return .answer(forecast(number), headers: fields)
        }
        defer { upstream.stop() }
        try await CachedService([upstream.baseURL]).run { service throws in
            let first = try service.get(place)
            let other = try service.get(place + "&units=us")
            for round in 2...4 {
                service.hands.move(seconds: 61)
                let answer = try service.get(place)
                #expect(answer.body == first.body)
                #expect(answer.header("ETag") == first.header("ETag"))
                #expect(answer.cacheStatus == "Weir; fwd=stale; fwd-status=304; ttl=60; stored")
                #expect(try service.get(place + "&units=us").body == other.body)
                #expect(upstream.requests == round)
            }
        }
    }

    @Test("A 304 about another version leads to a request without a condition")
    func wrongValidation() async throws {
        let upstream = try CountingUpstream { number, head in
            if head.contains("If-None-Match") { return .answer(304, "", headers: ["ETag: \"other\""]) }
            return .answer(forecast(number), headers: ["ETag: \"v\(number)\"", "Cache-Control: max-age=1"])
        }
        defer { upstream.stop() }
        let cache = #""weather": {"staleWhileRevalidateSeconds": 0}"#
        try await CachedService([upstream.baseURL], cache: cache).run { service throws in
            #expect(try service.get(place).temperature == 1)
            service.hands.move(seconds: 2)
            #expect(try service.get(place).temperature == 3)
        }
        #expect(upstream.requests == 3)
    }

    @Test("A document that does not exist is not asked for again for a minute")
    func negative() async throws {
        let upstream = try CountingUpstream { number, _ in number == 1 ? .answer(404, #"{"error":"no"}"#) : nil }
        defer { upstream.stop() }
        try await CachedService([upstream.baseURL]).run { service throws in
            for (target, status) in [
                (place, "Weir; fwd=uri-miss; fwd-status=404; ttl=60; stored"), (place, "Weir; hit; ttl=60"),
                ("/forecast/key/37.8267,-122.4233", "Weir; hit; ttl=60"),
            ] {
                let answer = try service.get(target)
                #expect(answer.status == 404)
                #expect(answer.header("Cache-Control") == "no-store")
                #expect(answer.cacheStatus == status)
            }
            #expect(upstream.requests == 1)
            let metrics = try service.get("/metrics").text
            #expect(metrics.contains("weir_cache_answers_total{result=\"hit\"} 2\n"))
            #expect(metrics.contains("weir_cache_answers_total{result=\"miss\"} 1\n"))
            service.hands.move(seconds: 61)
            #expect(try service.get(place).status == 200)
        }
    }

    @Test(
        "A failure says whether the upstream was asked, and what it answered",
        arguments: [
            (ScriptedUpstream.Reaction.answer(500, "{}"), "", "Weir; fwd=uri-miss; fwd-status=500"),
            (.answer("<html>"), "", "Weir; fwd=uri-miss; fwd-status=200"),
            (.close, "", #"Weir; fwd=uri-miss; detail="the upstream failed""#),
            (.answer(404, "{}", headers: ["Cache-Control: no-store"]), "", "Weir; fwd=uri-miss; fwd-status=404"),
            (.answer(404, "{}"), "no-store", "Weir; fwd=uri-miss; fwd-status=404"),
            (.answer(404, "{}"), "only-if-cached", nil),
        ] as [(ScriptedUpstream.Reaction, String, String?)])
    func failures(_ reaction: ScriptedUpstream.Reaction, _ control: String, _ status: String?) async throws {
        let upstream = try ScriptedUpstream { _ in reaction }
        defer { upstream.stop() }
        let cache = #""weather": {"obeysClients": true}"#
        try await CachedService([upstream.baseURL], cache: cache).run { service throws in
            for target in [place, "/forecast/key/1,1"] {
                let answer = try service.get(target, headers: control.isEmpty ? [] : ["Cache-Control: \(control)"])
                #expect(answer.status >= 400)
                #expect(answer.header("Cache-Control") == "no-store")
                #expect(answer.header("Cache-Status") == status)
            }
        }
    }

    @Test(
        "A 404 is kept for as long as it says",
        arguments: [
            ("no-store", [404, 200]), ("max-age=1", [404, 404, 404, 200]), ("max-age=600", [404, 404, 404, 404]),
        ])
    func negativeFields(_ control: String, _ expected: [Int]) async throws {
        let upstream = try CountingUpstream { number, _ in
            number == 1 ? .answer(404, #"{"error":"no"}"#, headers: ["Cache-Control: \(control)"]) : nil
        }
        defer { upstream.stop() }
        try await CachedService([upstream.baseURL]).run { service throws in
            for (index, status) in expected.enumerated() {
                if index == 3 { service.hands.move(seconds: 2) }
                #expect(try service.get(place).status == status)
            }
        }
    }

    @Test("A document that is too large for the cache is not said to be stored")
    func tooLarge() async throws {
        let upstream = try CountingUpstream { number, _ in
            .answer(forecast(number, summary: String(repeating: "x", count: 2 << 20)), headers: [])
        }
        defer { upstream.stop() }
        try await CachedService([upstream.baseURL]).run { service throws in
            for number in 1...2 {
                let answer = try service.get(place)
                #expect(try answer.temperature == number)
                #expect(answer.cacheStatus.hasPrefix("Weir; fwd=uri-miss"))
                #expect(!answer.cacheStatus.contains("stored"))
            }
        }
    }

    @Test("Languages have documents of their own, and so have units where the upstream's texts depend on them")
    func texts() async throws {
        let upstream = try CountingUpstream()
        defer { upstream.stop() }
        for (dialect, requests) in [("darkSky", 3), ("pirateWeather", 4)] {
            let before = upstream.requests
            let service = try CachedService(
                """
                "upstreams": [{"name": "one", "dialect": "\(dialect)", "baseURL": "\(upstream.baseURL)",
                               "key": {"environment": "PATH"}}],
                "weather": {"upstreams": ["one"]}
                """)
            try await service.run { service throws in
                for parameters in ["&lang=de", "&units=us", "&units=us&lang=en", "&lang=de&units=si", "&units=si"] {
                    #expect(try service.get(place + parameters).status == 200)
                }
            }
            #expect(upstream.requests - before == requests)
        }
    }

    @Test("Every answer from memory has an age")
    func age() async throws {
        let upstream = try CountingUpstream()
        defer { upstream.stop() }
        try await CachedService([upstream.baseURL], shards: 1).run { service throws in
            #expect(try service.get(place).header("Age") == nil)
            // The first one with a target takes another way than the next.
            for _ in 0..<2 { #expect(try service.get(place + "&units=us").header("Age") == "0") }
        }
    }

    @Test("Only where the route allows it, a client can ask for another document", arguments: [false, true])
    func directives(_ isAllowed: Bool) async throws {
        let upstream = try CountingUpstream()
        defer { upstream.stop() }
        let cache = #""weather": {"obeysClients": \#(isAllowed)}"#
        try await CachedService([upstream.baseURL], cache: cache, shards: 1).run { service throws in
            #expect(try service.get(place).temperature == 1)
            #expect(try service.get(place, headers: ["Cache-Control: no-cache"]).temperature == (isAllowed ? 2 : 1))
            #expect(try service.get(place, headers: ["Pragma: no-cache"]).temperature == (isAllowed ? 3 : 1))
            let other = "/weather?lat=1&lon=1"
            let only = try service.get(other, headers: ["Cache-Control: only-if-cached"])
            #expect(only.status == (isAllowed ? 504 : 200))
            #expect(only.text.contains("urn:weir:problem:not-in-cache") == isAllowed)
        }
    }

    @Test("A client that has the version gets a 304, which costs no upstream call")
    func notModified() async throws {
        let upstream = try CountingUpstream(headers: ["Last-Modified: Thu, 01 Jan 2026 00:00:00 GMT"])
        defer { upstream.stop() }
        try await CachedService([upstream.baseURL], shards: 1).run { service throws in
            let tag = try #require(try service.get(place).header("ETag"))
            for field in [
                "If-None-Match: \(tag)", "If-None-Match: *", "If-Modified-Since: Fri, 02 Jan 2026 00:00:00 GMT",
            ] {
                let answer = try service.get(place, headers: [field])
                #expect(answer.status == 304)
                #expect(answer.body.isEmpty)
                #expect(answer.header("ETag") == tag)
                #expect(answer.header("Cache-Control") != nil)
                #expect(answer.header("Vary") == "Accept-Encoding")
            }
            #expect(try service.get(place, headers: ["If-None-Match: \"other\""]).status == 200)
            #expect(try service.get(place, headers: ["If-Modified-Since: Wed, 31 Dec 2025 00:00:00 GMT"]).status == 200)
        }
        #expect(upstream.requests == 1)
    }

    @Test("A large answer stays the same however often it is sent, also to a client that reads late")
    func largeAnswers() async throws {
        let document = try Checkout.forecast()
        let upstream = try ScriptedUpstream { _ in .answer(200, document) }
        defer { upstream.stop() }
        try await CachedService([upstream.baseURL], shards: 1).run { service throws in
            let first = try service.get(place)
            #expect((16 << 10)...(64 << 10) ~= first.body.count)
            let client = try RawClient(service.address)
            // Many more bytes than the sockets take at once.
            let count = 400
            client.send(String(repeating: "GET \(place) HTTP/1.1\r\nHost: weir.test\r\n\r\n", count: count))
            for _ in 0..<count { #expect(try client.read().body == first.body) }
            client.close()
            // One that leaves while it is sent to.
            for _ in 0..<20 {
                let other = try RawClient(service.address)
                other.send(String(repeating: "GET \(place) HTTP/1.1\r\nHost: weir.test\r\n\r\n", count: 40))
                other.close()
            }
            #expect(try service.get(place).body == first.body)
        }
        #expect(upstream.requests.count == 1)
    }
}
