/// An answer with observations of weather stations, generated from a fixed seed: compact and without defects.
struct GeneratedObservations {
    private var random = SplitMix64(seed: 4141)

    /// Returns a document of `count` observations, each of about 1 KB.
    static func document(of count: Int) -> [UInt8] {
        var generator = GeneratedObservations()
        let observations = (0..<count).map { generator.observation($0) }
        let answer: GeneratedValue = [
            "meta": ["source": "observations", "count": .init(count), "next": nil],
            "observations": .array(observations),
        ]
        return answer.compact
    }

    private mutating func observation(_ index: Int) -> GeneratedValue {
        let station = "K" + random.code().prefix(3).uppercased()
        return [
            "id": .init(4_100_000_000_000 + index),
            "station": [
                "station_id": .text(station), "name": .text("\(random.name()) Airport"), "network": nil,
                "location": [
                    "latitude": .init(random.decimal(25...49, places: 4)),
                    "longitude": .init(random.decimal(-124 ... -67, places: 4)),
                    "elevation": measured(.init(random.number(0...2500)), "m"),
                ],
            ],
            "timestamp": .text(random.timestamp(year: 2026).replacing(".000Z", with: "Z")),
            "quality": random.happens(80) ? "good" : "suspect",
            "text_description": .text(
                random.pick(["Clear", "Mostly Cloudy", "Light Rain", "Fog/Mist", "A Few Clouds"])),
            "temperature": measured(random.happens(5) ? nil : .init(random.decimal(-20...40, places: 1)), "degC"),
            "dewpoint": measured(.init(random.decimal(-20...20, places: 1)), "degC"),
            "relative_humidity": .text("\(random.decimal(10...100, places: 1))"),
            "wind": [
                "direction": measured(.init(random.number(0...359)), "degree_(angle)"),
                "speed": measured(.init(random.decimal(0...60, places: 2)), "km_h-1"), "gust": measured(nil, "km_h-1"),
            ],
            "pressure": measured(.init(random.number(98_000...103_000)), "Pa"),
            "cloud_layers": .array((0..<random.number(0...3)).map { _ in cloudLayer() }),
            "present_weather": [], "is_automatic": .init(random.happens(70)),
            "raw_message": .text(
                "\(station) AUTO 10SM \"FEW\" \(random.number(10...30))/08 A\(random.number(2900...3100))"),
            "remarks": random.happens(60) ? nil : .text(random.sentence(words: 3...9)),
        ]
    }

    private mutating func cloudLayer() -> GeneratedValue {
        [
            "base": ["value": .init(random.number(1...120) * 100), "unit_code": "wmoUnit:m"],
            "amount": .text(random.pick(["FEW", "SCT", "BKN", "OVC"])),
        ]
    }

    private func measured(_ value: GeneratedValue, _ unit: String) -> GeneratedValue {
        ["value": value, "unit_code": .text("wmoUnit:\(unit)"), "quality_control": "V"]
    }
}
