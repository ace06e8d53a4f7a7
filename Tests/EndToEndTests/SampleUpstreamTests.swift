import Foundation
import Gateway
import TestSupport
import Testing

/// Sample upstreams: their answers, and what happens if they stop or stall.
@Suite(.timeLimit(.minutes(10)))
struct SampleUpstreamTests {
    @Test func aStoppedSampleIsUnavailable() async throws {
        let sample = try SampleUpstream(folder: Checkout.sample)
        let weir = try WeirProcess.serve(configuration([sample.baseURL]))
        defer { weir.kill() }
        // On connections of their own: the stop can take longer than a connection may be idle.
        #expect(try weir.get(weather).status == 200)
        await sample.stop()
        let answer = try weir.get(weather)
        try expectProblem(answer, 503)
        #expect(answer.header("Retry-After") != nil)
        #expect(try weir.get("/livez").status == 200)
        #expect(try weir.terminate() == 0)
    }

    @Test("A sample follows the time of a request", arguments: ["darkSky", "pirateWeather", "openMeteo", "weatherKit"])
    func time(_ dialect: String) throws {
        let weir = try WeirProcess.serve(
            configuration(["\(Checkout.root)/Config/samples/\(dialect)"], dialect: dialect))
        defer { weir.kill() }
        let client = try weir.client()
        // Also on the days on which the clock changes, and in the other season.
        for moment in [1_508_630_400, 1_772_996_400, 1_793_563_200, 1_751_400_000] {
            let forecast = try client.get("\(weather)&time=\(moment)").json()
            #expect(forecast["currently"]["time"].integer == moment, "\(moment)")
            let day = try #require(forecast["daily"]["data"][0]["time"].integer)
            #expect(day...(day + 90_000) ~= moment, "\(moment)")
            let minute = forecast["minutely"]["data"][0]["time"].integer ?? moment
            #expect(abs(minute - moment) <= 60, "\(moment)")
        }
    }

    @Test func aStalledSampleIsTooSlow() throws {
        let folder = try sample(delayMilliseconds: 3_600_000)
        defer { folder.remove() }
        let weir = try WeirProcess.serve(configuration([folder.path], deadline: 500))
        defer { weir.kill() }
        let client = try weir.client()
        let (took, answer) = try seconds { try client.get(weather) }
        #expect(0.45...8 ~= took)
        try expectProblem(answer, 504)
        #expect(try client.get("/livez").status == 200)
        #expect(try weir.terminate() == 0)
    }

    @Test func aSlowSampleIsAwaited() throws {
        let folder = try sample(delayMilliseconds: 100)
        defer { folder.remove() }
        let weir = try WeirProcess.serve(configuration([folder.path]))
        defer { weir.kill() }
        let (took, answer) = try seconds { try weir.get(weather) }
        #expect(took >= 0.1)
        #expect(answer.status == 200)
    }

    @Test func theDarkSkySampleAnswersLikeDarkSky() async throws {
        let sample = try SampleUpstream(folder: Checkout.sample)
        let client = try RawClient(sample.baseURL.replacing("http://", with: ""))
        let answer = try client.get("/forecast/any/1.5,-2.25")
        #expect(answer.status == 200)
        #expect(answer.header("Content-Type") == "application/json; charset=utf-8")
        #expect(answer.header("X-Forecast-API-Calls") == "1")
        #expect(answer.header("X-Response-Time")?.hasSuffix("ms") == true)
        #expect(answer.header("Expires")?.hasSuffix(" +0000") == true)
        #expect(try answer.json()["latitude"].number == 1.5)
        #expect(try answer.json()["longitude"].number == -2.25)
        for (target, status, message) in [
            ("/forecast/any/91,0", 400, "The given location is invalid."),
            ("/forecast/any/a,b", 400, "The given location is invalid."),
            ("/forecast/any", 404, "Not Found"), ("/", 404, "Not Found"),
        ] {
            let answer = try client.get(target)
            #expect(answer.status == status)
            #expect(try answer.json()["code"].integer == status)
            #expect(try answer.json()["error"].string == message)
        }
        await sample.stop()
    }

    /// The samples, their targets for a place, and their messages for a place that does not exist.
    @Test(arguments: [
        ("darkSky", "/forecast/any/", ",", "The given location is invalid."),
        ("pirateWeather", "/forecast/any/", ",", "Invalid Location Specification"),
        ("openMeteo", "/v1/forecast?latitude=", "&longitude=", "Latitude must be in range of -90 to 90°."),
    ])
    func everyWeatherSampleAnswersLikeItsUpstream(
        _ name: String, _ start: String, _ middle: String, _ complaint: String
    ) async throws {
        let sample = try SampleUpstream(folder: "\(Checkout.root)/Config/samples/\(name)")
        let client = try RawClient(sample.baseURL.replacing("http://", with: ""))
        let answer = try client.get("\(start)1.5\(middle)-2.25")
        #expect(answer.status == 200)
        #expect(try answer.json()["latitude"].number == 1.5)
        #expect(try answer.json()["longitude"].number == -2.25)
        let now = Date().timeIntervalSince1970
        let times = try answer.json().leaves().filter { $0.path.hasSuffix("time") || $0.path.contains(".time[") }
        #expect(times.count > 100)
        for (path, time) in times.compactMap({ leaf in leaf.value.number.map { (leaf.path, $0) } }) {
            #expect(abs(time - now) < 10 * 86_400, "\(path)")
        }
        let error = try client.get("\(start)91\(middle)0")
        #expect(error.status == 400)
        #expect(error.text.contains(complaint))
        #expect(try client.get("/nothing").status == 404)
        await sample.stop()
    }

    /// A target, and the status and the start of the sample's answer.
    @Test(arguments: [
        ("twitter", "/1.1/statuses/show.json?id=2&tweet_mode=extended", 200, #"{"created_at":"Thu Jan 01 06:55:02"#),
        ("twitter", "/1.1/statuses/show.json?id=0", 404, #"{"errors":[{"code":144,"#),
        ("twitter", "/1.1/statuses/show.json", 404, #"{"errors":[{"code":144,"#),
        ("twitter", "/1.1/search/tweets.json?q=rain&max_id=1", 200, #"{"statuses":[],"#),
        ("twitter", "/1.1/search/tweets.json", 404, #"{"errors":[{"code":34,"#),
        ("twitterV2", "/2/tweets/0", 200, #"{"errors":[{"#),
        ("mastodon", "/api/v1/statuses/0", 404, #"{"error":"Record not found"}"#),
    ])
    func aSampleChoosesItsAnswerByTheQuery(
        _ name: String, _ target: String, _ status: Int, _ start: String
    ) async throws {
        let sample = try SampleUpstream(folder: "\(Checkout.root)/Config/samples/\(name)")
        let answer = try RawClient(sample.baseURL.replacing("http://", with: "")).get(target)
        #expect(answer.status == status)
        #expect(answer.text.hasPrefix(start), "\(answer.text)")
        await sample.stop()
    }

    @Test func anAnswersHeadersReplaceThoseOfTheSample() async throws {
        let sample = try SampleUpstream(folder: "\(Checkout.root)/Config/samples/twitter")
        let client = try RawClient(sample.baseURL.replacing("http://", with: ""))
        let (good, limited) = (
            try client.get("/1.1/statuses/show.json?id=1"), try client.get("/1.1/statuses/show.json?id=9")
        )
        #expect(good.header("x-rate-limit-remaining") == "899")
        #expect(limited.header("x-rate-limit-remaining") == "0")
        for answer in [good, limited] {
            let reset = try #require(answer.header("x-rate-limit-reset").flatMap { Double($0) })
            #expect(880...901 ~= reset - Date().timeIntervalSince1970)
            #expect(answer.headers.filter { $0.name.lowercased() == "x-rate-limit-remaining" }.count == 1)
        }
        await sample.stop()
    }

    /// Time machine requests, and the time of the current weather in the answer; the sample's clocks are those of Los
    /// Angeles.
    @Test(arguments: [
        ("/forecast/any/1,2,1508630400", 1_508_630_400.0), ("/forecast/any/1,2,-86400", -86_400),
        ("/forecast/any/1,2,2017-10-22T00:00:00Z", 1_508_630_400),
        ("/forecast/any/1,2,2017-10-22T00:00:00", 1_508_655_600),
        ("/forecast/any/1,2,2017-12-22T00:00:00", 1_513_929_600),
        ("/forecast/any/1,2,2017-10-22T00:00:00+0200", 1_508_623_200), ("/forecast/any/1,2,99999999999999", 1e11),
    ])
    func theSampleAnswersTimeMachineRequests(_ target: String, _ time: Double) async throws {
        let sample = try SampleUpstream(folder: Checkout.sample)
        let client = try RawClient(sample.baseURL.replacing("http://", with: ""))
        let answer = try client.get(target)
        #expect(try answer.json()["currently"]["time"].number == time)
        await sample.stop()
    }
}
