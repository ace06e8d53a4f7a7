/// A Dark Sky answer generated from a fixed seed: compact, as the recorded ones are, and without defects.
struct GeneratedDarkSky {
    private var random = SplitMix64(seed: 1909)
    private static let start = 1_409_443_200

    static func document() -> [UInt8] {
        var generator = GeneratedDarkSky()
        return generator.forecast().compact
    }

    private mutating func forecast() -> GeneratedValue {
        [
            "latitude": 41.8843, "longitude": -87.6324, "timezone": "America/Chicago", "offset": -5,
            "currently": .object(
                moment(at: Self.start) + [
                    ("nearestStormDistance", .init(random.number(0...300))),
                    ("nearestStormBearing", .init(random.number(0...359))),
                ]),
            "minutely": block("Dry for the hour.", (0..<61).map { .object(minute(at: Self.start + $0 * 60)) }),
            "hourly": block("Clouds by night.", (0..<49).map { .object(moment(at: Self.start + $0 * 3600)) }),
            "daily": block("Showers at the weekend.", (0..<8).map { .object(day(at: Self.start + $0 * 86400)) }),
            "alerts": [
                [
                    "title": "Heavy rain", "regions": ["Cook", "Lake"], "severity": "watch",
                    "time": .init(Self.start), "expires": .init(Self.start + 7200),
                    "description": "Streams may rise.\nKeep away from low bridges.",
                    "uri": "https://alerts.example.org/1",
                ]
            ],
            "flags": [
                "sources": ["gfs", "hrrr", "isd", "madis"], "units": "us", "nearest-station": 1.839,
                "isd-stations": ["725340-14819", "725346-94866", "999999-94846"],
            ],
        ]
    }

    private func block(_ summary: String, _ points: [GeneratedValue]) -> GeneratedValue {
        ["summary": .text(summary), "icon": "rain", "data": .array(points)]
    }

    private mutating func minute(at time: Int) -> [(String, GeneratedValue)] {
        [("time", .init(time)), ("precipIntensity", 0), ("precipProbability", 0)]
    }

    private mutating func air() -> [(String, GeneratedValue)] {
        [
            ("dewPoint", .init(random.decimal(30...70, places: 2))),
            ("humidity", .init(random.decimal(0.3...1, places: 2))),
            ("windSpeed", .init(random.decimal(0...20, places: 2))), ("windBearing", .init(random.number(0...359))),
            ("visibility", .init(random.decimal(2...10, places: 2))),
            ("cloudCover", .init(random.decimal(0...1, places: 2))),
            ("pressure", .init(random.decimal(990...1030, places: 2))),
            ("ozone", .init(random.decimal(260...340, places: 2))),
            ("windGust", .init(random.decimal(20...30, places: 2))), ("uvIndex", .init(random.number(0...9))),
            ("precipIntensityError", .init(random.decimal(0...1, places: 4))),
        ]
    }

    private mutating func rain() -> [(String, GeneratedValue)] {
        if random.happens(40) { return [("precipIntensity", 0), ("precipProbability", 0)] }
        return [
            ("precipIntensity", .init(random.decimal(0...0.1, places: 4))),
            ("precipProbability", .init(random.decimal(0...1, places: 2))), ("precipType", "rain"),
        ]
    }

    private mutating func moment(at time: Int) -> [(String, GeneratedValue)] {
        let temperature = random.decimal(50...90, places: 2)
        return [("time", .init(time)), ("summary", "Partly Cloudy"), ("icon", "partly-cloudy-day")] + rain() + [
            ("temperature", .init(temperature)), ("apparentTemperature", .init(temperature)),
        ] + air()
    }

    private mutating func day(at time: Int) -> [(String, GeneratedValue)] {
        let high = random.decimal(70...90, places: 2), low = random.decimal(40...69, places: 2)
        return [
            ("time", .init(time)), ("summary", "Rain in the morning."), ("icon", "rain"),
            ("sunriseTime", .init(time + 22500)), ("sunsetTime", .init(time + 70200)),
            ("moonPhase", .init(random.decimal(0...1, places: 2))),
        ] + rain() + [
            ("precipIntensityMax", .init(random.decimal(0...0.2, places: 4))),
            ("precipIntensityMaxTime", .init(time + 36000)), ("temperatureMin", .init(low)),
            ("temperatureMinTime", .init(time + 21600)), ("temperatureMax", .init(high)),
            ("temperatureMaxTime", .init(time + 54000)), ("apparentTemperatureMin", .init(low)),
            ("apparentTemperatureMinTime", .init(time + 21600)), ("apparentTemperatureMax", .init(high)),
            ("apparentTemperatureMaxTime", .init(time + 54000)),
        ] + air()
    }
}
