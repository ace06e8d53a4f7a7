import Foundation
import LenientCoding
import Testing

@Suite("Hand-written models of the articles")
struct ArticleTests {
    @Test("A forecast in one struct, through nested containers", arguments: Coder.allCases)
    func nestedContainers(coder: Coder) throws {
        let weather = try coder.decode(DarkSkyModels.FlatWeather.self, DarkSkyModels.document)
        #expect(weather.latitude == 52.52)
        #expect(weather.longitude == 13.405)
        #expect(weather.summaryDescription == "Light Drizzle")
        #expect(weather.icon == "rain")
        #expect(weather.precipProbability == 0.35)
        #expect(weather.temperature == 8.5)
        #expect(weather.humidity == 0.9)
        #expect(weather.windspeed == 4.25)
        let error = errorPath {
            try coder.decode(DarkSkyModels.FlatWeather.self, #"{"latitude":1,"longitude":2,"currently":{}}"#)
        }
        #expect(error == "currently.summary")
    }

    @Test("A forecast in a struct for each level", arguments: Coder.allCases)
    func nestedStructs(coder: Coder) throws {
        let weather = try coder.decode(DarkSkyModels.Weather.self, DarkSkyModels.document)
        let current = DarkSkyModels.CurrentWeather(
            summary: "Light Drizzle", temperature: 8.5, windspeed: 4.25, uvIndex: 1)
        #expect(weather == DarkSkyModels.Weather(latitude: 52.52, longitude: 13.405, currentWeather: current))
        #expect(try coder.decode(DarkSkyModels.Weather.self, coder.encode(weather)) == weather)
    }

    @Test("The hours of a forecast, as Codable models and as JSONDecodable models", arguments: Coder.allCases)
    func hours(coder: Coder) throws {
        let weather = try coder.decode(DarkSkyModels.HourlyWeather.self, DarkSkyModels.document)
        #expect(weather.hourData.map(\.time.timeIntervalSince1970) == [1_700_000_000, 1_700_007_200])
        #expect(weather.hourData.map(\.windSpeed) == [4, 5])
        #expect(weather.hourData.map(\.precipitation) == [0.02, 0])
        let json = try DarkSkyModels.JSONHourlyWeather(json: coder.decode(JSONValue.self, DarkSkyModels.document))
        #expect(json.lat == weather.lat)
        #expect(json.long == weather.long)
        #expect(json.hourData.map(\.time) == weather.hourData.map(\.time))
        #expect(json.hourData.map(\.windSpeed) == weather.hourData.map(\.windSpeed))
        #expect(json.hourData.map(\.temperature) == weather.hourData.map(\.temperature))
        #expect(json.hourData.map(\.precipitation) == weather.hourData.map(\.precipitation))
        #expect(
            try coder.drift(of: DarkSkyModels.HourlyWeather.self, DarkSkyModels.document)
                == ["dropped hourly.data[] invalid 1 hourly.data[1]"])
    }

    @Test("A tweet and the tweet that it quotes are printed through one protocol", arguments: Coder.allCases)
    func tweets(coder: Coder) throws {
        let tweet = try coder.decode(
            TwitterModels.Tweet.self, TwitterModels.document, .init(convertsSnakeCase: true))
        #expect(lines(of: tweet) == ["Reading this again", "> Compilers are fun"])
        #expect(ISO8601.string(from: tweet.createdAt) == "2019-06-01T08:05:09Z")
        let quoted = try #require(tweet.quotedStatus)
        #expect(ISO8601.string(from: quoted.createdAt) == "2019-06-01T07:00:00Z")
        #expect(tweet.id == 1_134_737_590_098_059_264)
        #expect(tweet.inReplyToStatusId == nil)
        #expect(tweet.entities.hashtags == [.init(text: "swift", indices: [3, 9])])
        #expect(quoted.entities.urls.map(\.url.absoluteString) == ["https://example.org/a?b=c"])
        #expect(tweet.user.profileBackgroundColor == HexColor(red: 192 / 255, green: 222 / 255, blue: 237 / 255))
        #expect(quoted.user.profileBackgroundColor == HexColor(red: 0, green: 0, blue: 0))
        #expect(quoted.user.profileLinkColor.description == "#FF000080")
        #expect(quoted.possiblySensitive == false)
        let text = try coder.encode(tweet, convertsSnakeCase: true)
        #expect(text.contains(##""profile_background_color":"#C0DEED""##))
        #expect(text.contains(#""created_at":"Sat Jun 01 08:05:09 +0000 2019""#))
        #expect(try coder.decode(TwitterModels.Tweet.self, text, .init(convertsSnakeCase: true)) == tweet)
    }
}
