import API
import ContractsSupport
import JSONText
import Records
import Testing

@testable import Contracts

@Suite("Summaries in other languages")
struct SummaryLanguageTests {
    @Test("Every language has words for every code, and no others", arguments: SummaryLanguage.all.map(\.code))
    func complete(code: String) {
        let words = SummaryLanguage.named(code).words
        #expect(Set(words.keys) == Set(WeatherCode.allCodes))
        #expect(words.values.allSatisfy { !$0.isEmpty })
        // 95 and 96 are both a thunderstorm.
        #expect(Set(words.values).count == words.count - 1)
    }

    @Test("The languages are those that the documents name, each once")
    func languages() {
        #expect(SummaryLanguage.all.map(\.code) == ["en", "de", "fr", "es", "it", "pt", "nl", "pl", "ja"])
    }

    @Test(
        "Summaries are in the language that a request names, else in English, and the flags say which",
        arguments: [
            ("de", "de", "Leichter Regen"), ("ja", "ja", "小雨"), ("pt", "pt", "Chuva fraca"), ("en", "en", "Light Rain"),
            ("x-pig-latin", "en", "Light Rain"), (nil, nil, "Light Rain"),
        ] as [(String?, String?, String)])
    func summaries(lang: String?, answered: String?, summary: String) throws {
        let document = """
            {"latitude":1,"longitude":2,"timezone":"GMT","current":{"time":0,"weather_code":61},
            "hourly":{"time":[0,3600],"weather_code":[3,61]},"daily":{"time":[0],"weather_code":[61]}}
            """
        var query = ForecastQuery(latitude: 1, longitude: 2)
        query.language = lang
        let body = try ForecastDialect.openMeteo.normalize(Array(document.utf8), answering: query).shaped().body
        let answer = try #require(JSONValue(parsing: body))
        let summaries = [
            answer["currently"]?["summary"], answer["hourly"]?["summary"], answer["hourly"]?["data"]?[0]?["summary"],
            answer["daily"]?["summary"], answer["daily"]?["data"]?[0]?["summary"],
        ]
        #expect(summaries.allSatisfy { $0?.stringValue == summary }, "\(summaries)")
        #expect(answer["flags"]?["lang"]?.stringValue == answered)
    }
}
