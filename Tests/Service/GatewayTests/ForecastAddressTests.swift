import Contracts
import Testing

@testable import Gateway
@testable import Settings

@Suite("Addresses of forecast upstreams")
struct ForecastAddressTests {
    private static func addresses(_ dialect: ForecastDialect, _ baseURL: String, _ history: String?, _ archive: String?)
        -> [String]
    {
        var settings = UpstreamConfiguration()
        (settings.baseURL, settings.historyURL, settings.archiveURL) = (baseURL, history, archive)
        return settings.forecastSites(of: dialect, at: baseURL).map { "\($0.site) \($0.baseURL)" }
    }

    @Test("Open-Meteo's hosts have others for the past, which settings replace")
    func openMeteo() {
        #expect(
            Self.addresses(.openMeteo, "https://api.open-meteo.com", nil, nil) == [
                "current https://api.open-meteo.com", "history https://historical-forecast-api.open-meteo.com",
                "archive https://archive-api.open-meteo.com",
            ])
        #expect(
            Self.addresses(.openMeteo, "https://customer-api.open-meteo.com/", nil, "http://a") == [
                "current https://customer-api.open-meteo.com/",
                "history https://customer-historical-forecast-api.open-meteo.com", "archive http://a",
            ])
    }

    @Test("Pirate Weather's host has a time machine")
    func pirateWeather() {
        #expect(
            Self.addresses(.pirateWeather, "https://api.pirateweather.net", nil, nil) == [
                "current https://api.pirateweather.net", "history https://timemachine.pirateweather.net",
            ])
    }

    @Test("WeatherKit's host answers all times that it has")
    func weatherKit() {
        #expect(
            Self.addresses(.weatherKit, "https://weatherkit.apple.com", nil, nil) == [
                "current https://weatherkit.apple.com"
            ])
    }

    @Test("Another server is asked about any time, unless settings name addresses for the past")
    func own() {
        #expect(Self.addresses(.openMeteo, "http://localhost:8080", nil, nil) == ["own http://localhost:8080"])
        #expect(Self.addresses(.darkSky, "https://api.open-meteo.com", nil, nil) == ["own https://api.open-meteo.com"])
        #expect(
            Self.addresses(.pirateWeather, "http://a", "http://b", nil) == ["current http://a", "history http://b"])
    }

    @Test("Open-Meteo's free host gets four requests at a time by default")
    func concurrency() throws {
        func limit(_ url: String, _ settings: String = "") throws -> Int {
            let text = """
                {"upstreams": [{"name": "a", "dialect": "openMeteo", "baseURL": "\(url)"\(settings)}],
                 "weather": {"upstreams": ["a"]}}
                """
            let file = ConfigurationFile(path: "weir.json", bytes: Array(text.utf8))
            return try file.configuration().upstreams[0].maximumConcurrent
        }
        #expect(try limit("https://api.open-meteo.com") == 4)
        #expect(try limit("https://api.open-meteo.com", #", "maximumConcurrent": 9"#) == 9)
        #expect(try limit("https://customer-api.open-meteo.com") == 64)
    }
}
