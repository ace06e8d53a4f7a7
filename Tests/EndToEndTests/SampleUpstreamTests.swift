import Gateway
import TestSupport
import Testing

/// The sample upstream as an upstream of its own, stopped and stalled.
@Suite(.timeLimit(.minutes(10)))
struct SampleUpstreamTests {
    @Test func aSampleThatStopsIsUnavailable() async throws {
        let sample = try SampleUpstream(folder: Checkout.sample)
        let weir = try WeirProcess.serve(configuration([sample.baseURL]))
        defer { weir.kill() }
        let client = try weir.client()
        #expect(try client.get(weather).status == 200)
        await sample.stop()
        let answer = try client.get(weather)
        try expectProblem(answer, 503)
        #expect(answer.header("Retry-After") != nil)
        #expect(try client.get("/livez").status == 200)
        #expect(try weir.terminate() == 0)
    }

    @Test func aSampleThatStallsIsTooSlow() throws {
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

    @Test func aSlowSampleIsWaitedFor() throws {
        let folder = try sample(delayMilliseconds: 100)
        defer { folder.remove() }
        let weir = try WeirProcess.serve(configuration([folder.path]))
        defer { weir.kill() }
        let (took, answer) = try seconds { try weir.get(weather) }
        #expect(took >= 0.1)
        #expect(answer.status == 200)
    }

    @Test func itSpeaksLikeTheRealOne() async throws {
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
}
