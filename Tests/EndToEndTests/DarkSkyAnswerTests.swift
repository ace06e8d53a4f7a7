import Foundation
import TestSupport
import Testing

/// Answers of the drop-in route beside the document: scripts (JSONP), Expires, and the half days of Pirate Weather.
@Suite(.timeLimit(.minutes(10)))
struct DarkSkyAnswerTests {
    private static func serve(isAllowed: Bool, _ text: String = smallForecast) throws -> (WeirProcess, ScriptedUpstream)
    {
        let upstream = try ScriptedUpstream { _ in .answer(text) }
        let setting = isAllowed ? #", "answersJSONP": true"# : ""
        return (try WeirProcess.serve(configuration([upstream.baseURL], weather: setting, cache: "")), upstream)
    }

    @Test func aScriptCallsTheFunctionWithTheDocument() throws {
        let text = smallForecast.replacing(
            #""temperature""#, with: "\"summary\":\"Rain\u{2028}\u{2029}\",\"temperature\"")
        let (weir, upstream) = try Self.serve(isAllowed: true, text)
        defer {
            weir.kill()
            upstream.stop()
        }
        let client = try weir.client()
        let document = try client.get("\(darkSkyWeather)?units=si")
        for _ in 0..<2 {
            let answer = try client.get("\(darkSkyWeather)?units=si&callback=jQuery1_2.done$")
            #expect(answer.status == 200)
            #expect(answer.header("Content-Type") == "application/javascript; charset=utf-8")
            #expect(answer.header("X-Content-Type-Options") == "nosniff")
            #expect(answer.header("X-Forecast-API-Calls") != nil && answer.header("Expires") != nil)
            let escaped = document.text.replacing("\u{2028}", with: "\\u2028").replacing("\u{2029}", with: "\\u2029")
            #expect(answer.text == "/**/jQuery1_2.done$(\(escaped));")
        }
        // The document is that of the cache, and the next client without a callback gets JSON.
        #expect(try client.get("\(darkSkyWeather)?units=si").body == document.body)
        #expect(upstream.requests.count == 1)
        let packed = try client.get("\(darkSkyWeather)?callback=f", headers: ["Accept-Encoding: gzip"])
        #expect(packed.status == 200)
    }

    @Test(arguments: [
        "1f", "..", "a..b", "a.", "f(", "a-b", "a%20b", "%C3%A9", "%3Cscript%3E", String(repeating: "f", count: 129),
    ])
    func anotherNameIsRefused(_ name: String) throws {
        let (weir, upstream) = try Self.serve(isAllowed: true)
        defer {
            weir.kill()
            upstream.stop()
        }
        let answer = try weir.get("\(darkSkyWeather)?callback=\(name)")
        #expect(answer.status == 400 && answer.header("Content-Type") == "application/json")
        #expect(upstream.requests.isEmpty)
    }

    @Test func withoutTheSettingACallbackIsRefusedWithTheReason() throws {
        let (weir, upstream) = try Self.serve(isAllowed: false)
        defer {
            weir.kill()
            upstream.stop()
        }
        let answer = try weir.get("\(darkSkyWeather)?callback=f")
        #expect(answer.status == 400)
        #expect(try answer.json()["error"].string?.contains("weather.answersJSONP") == true)
        #expect(upstream.requests.isEmpty)
    }

    @Test("With version=2, include=day_night_forecast gives Pirate Weather's name to the block of half days")
    func halfDays() throws {
        let (weir, upstream) = try Self.serve(
            isAllowed: false,
            smallForecast.replacing(
                #","flags""#, with: #","day_night":{"data":[{"time":1767290400,"temperature":1}]},"flags""#))
        defer {
            weir.kill()
            upstream.stop()
        }
        let client = try weir.client()
        for (query, present) in [
            ("?version=2&include=day_night_forecast", "day_night"), ("?version=2", "dayNight"),
            ("?include=day_night_forecast", ""), ("?version=2&include=day_night_forecast&exclude=dayNight", ""),
        ] {
            let forecast = try client.get(darkSkyWeather + query).json()
            let found = ["dayNight", "day_night"].filter { !forecast[$0].isAbsent }
            #expect(found == (present.isEmpty ? [] : [present]), "\(query)")
        }
    }

    @Test("Expires is the time until which an answer is fresh, on a hit too, and now for one that is not kept")
    func expires() throws {
        let (weir, upstream) = try Self.serve(isAllowed: false)
        defer {
            weir.kill()
            upstream.stop()
        }
        let client = try weir.client()
        let answers = try (0..<2).map { _ in try client.get(darkSkyWeather) }
        let ends = answers.compactMap { $0.header("Expires") }
        #expect(ends.count == 2 && Set(ends).count == 1)
        #expect(answers[1].header("Cache-Status") == "Weir; hit")
        #expect(try client.get(weather).header("Expires") == nil)
        let uncached = try WeirProcess.serve(configuration([upstream.baseURL]))
        defer { uncached.kill() }
        let answer = try uncached.get(darkSkyWeather)
        #expect(answer.header("Expires") != nil)
    }
}
