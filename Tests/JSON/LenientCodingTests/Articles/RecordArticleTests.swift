import Foundation
import JSONText
import LenientCoding
import Testing

/// Records read the same values as the hand-written models, from the tape and through any decoder.
@Suite("The articles' models as records")
struct RecordArticleTests {
    private func read<Model: Record>(_ type: Model.Type, _ document: String) throws -> Model {
        var parser = JSONParser()
        return try parser.withDocument(Array(document.utf8)) { try Model.read($0).record }
    }

    @Test("A forecast, its current weather and its hours", arguments: Coder.allCases)
    func forecast(coder: Coder) throws {
        let record = try read(RecordModels.Weather.self, DarkSkyModels.document)
        let flat = try coder.decode(DarkSkyModels.FlatWeather.self, DarkSkyModels.document)
        #expect(record.latitude == flat.latitude)
        #expect(record.longitude == flat.longitude)
        #expect(record.currently.summary == flat.summaryDescription)
        #expect(record.currently.icon == flat.icon)
        #expect(record.currently.precipProbability == flat.precipProbability)
        #expect(record.currently.temperature == flat.temperature)
        #expect(record.currently.humidity == flat.humidity)
        #expect(record.currently.windspeed == flat.windspeed)
        let nested = try coder.decode(DarkSkyModels.Weather.self, DarkSkyModels.document)
        #expect(record.currently.uvIndex == nested.currentWeather.uvIndex)
        let hours = try coder.decode(DarkSkyModels.HourlyWeather.self, DarkSkyModels.document).hourData
        #expect(record.hourly?.data.map(\.time.date) == hours.map(\.time))
        #expect(record.hourly?.data.map(\.windSpeed) == hours.map(\.windSpeed))
        #expect(record.hourly?.data.map(\.temperature) == hours.map(\.temperature))
        #expect(record.hourly?.data.map(\.precipitation) == hours.map(\.precipitation))
    }

    @Test("A tweet, the tweet that it quotes, and their colours", arguments: Coder.allCases)
    func tweet(coder: Coder) throws {
        let record = try read(RecordModels.Tweet.self, TwitterModels.document)
        let model = try coder.decode(
            TwitterModels.Tweet.self, TwitterModels.document, .init(convertsSnakeCase: true))
        #expect(lines(of: record) == lines(of: model))
        #expect(record.id == model.id)
        #expect(record.createdAt?.date == model.createdAt)
        #expect(record.displayTextRange == model.displayTextRange)
        #expect(record.hashtags?.hashtags.map(\.text) == model.entities.hashtags.map(\.text))
        #expect(record.hashtags?.hashtags.map(\.indices) == model.entities.hashtags.map(\.indices))
        #expect(record.user?.profileBackgroundColor == model.user.profileBackgroundColor)
        #expect(record.user?.profileLinkColor == model.user.profileLinkColor)
        #expect(record.quotedStatus?.createdAt?.date == model.quotedStatus?.createdAt)
        #expect(record.quotedStatus?.user?.profileLinkColor == model.quotedStatus?.user.profileLinkColor)
        #expect(record.quotedStatus?.possiblySensitive == model.quotedStatus?.possiblySensitive)
        #expect(record.isQuoteStatus == model.isQuoteStatus)
    }

    @Test("A record has the same values from any decoder as from the tape", arguments: Coder.allCases)
    func decoded(coder: Coder) throws {
        let decoded = try coder.decode(RecordModels.Weather.self, DarkSkyModels.document)
        #expect(try decoded == read(RecordModels.Weather.self, DarkSkyModels.document))
        #expect(
            try coder.drift(of: RecordModels.Weather.self, DarkSkyModels.document).filter { $0.hasPrefix("dropped") }
                == ["dropped hourly.data[] invalid 1 hourly.data[1]"])
        struct Places: Codable, Equatable {
            var places: [RecordModels.Weather]
        }
        let places = try coder.decode(Places.self, #"{"places":[\#(DarkSkyModels.document)]}"#)
        #expect(places == Places(places: [decoded]))
        #expect(
            try coder.drift(of: Places.self, #"{"places":[\#(DarkSkyModels.document)]}"#)
                .filter { $0.hasPrefix("dropped") }
                == ["dropped places[].hourly.data[] invalid 1 places[0].hourly.data[1]"])
    }

    @Test("A record is encoded by any encoder with the keys of its table", arguments: Coder.allCases)
    func encoded(coder: Coder) throws {
        let record = try read(RecordModels.Weather.self, DarkSkyModels.document)
        let again = try coder.decode(RecordModels.Weather.self, coder.encode(record))
        #expect(again == record)
        let hour = RecordModels.Hour(time: UnixSeconds(1), windSpeed: 2, temperature: 3.5, precipitation: 0)
        let text = try coder.encode([hour])
        #expect(
            text
                == (coder == .lenient
                    ? #"[{"time":1,"windSpeed":2,"temperature":3.5,"precipIntensity":0}]"#
                    : #"[{"precipIntensity":0,"temperature":3.5,"time":1,"windSpeed":2}]"#))
    }

    @Test("Missing required fields are one decoding error that names all of them", arguments: Coder.allCases)
    func failing(coder: Coder) throws {
        let error = #expect(throws: DecodingError.self) {
            try coder.decode([RecordModels.Weather].self, #"[{"latitude":"x","currently":{}}]"#)
        }
        guard case .dataCorrupted(let context) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(context.codingPath.map(\.stringValue).suffix(2) == ["currently", "summary"])
        #expect(context.codingPath.map(\.intValue) == [0, nil, nil])
        let contract = try #require(context.underlyingError as? ContractError)
        #expect(
            contract.failures.map(\.path).prefix(3) == [
                "currently.summary", "currently.icon", "currently.precipProbability",
            ])
        #expect(contract.failures.map(\.path).suffix(2) == ["latitude", "longitude"])
    }
}
