import Contracts

/// The JSON engine against its peers: `JSONText` and `LenientCoding` in one process with Foundation, and beside orjson.
struct JSONSuite: Suite {
    static let name = "json"
    static let names =
        ["twitter", "darksky"].flatMap { document in
            ["records.vsFoundation", "records.vsTransform", "codable.vsFoundation", "transform.vsOrjson"]
                .map { "json.\(document).\($0)" }
        } + ["json.bad20k.vsBad2k", "json.records.encode.allocations"]

    private let seconds: Double
    private let twitter: ModelContest<TwitterRecords.Search, TwitterCodable.Search>
    private let darkSky: ModelContest<Forecast, DarkSkyCodable.Forecast>
    private let badElements = BadElements()

    init(_ options: SuiteOptions) throws {
        seconds = options.seconds
        twitter = ModelContest("twitter", .twitter(options), foundation: .twitter, lenient: .twitter)
        darkSky = ModelContest("darksky", .darkSky(options), foundation: .darkSky, lenient: .darkSky)
        try twitter.check()
        try darkSky.check()
    }

    func contestants() throws -> [Contestant] {
        try twitter.profiles() + darkSky.profiles()
            + badElements.contestants.map { Contestant(elsewhere: "bad.\($0.name)", run: $0.run) }
    }

    func run(_ tell: (Figure) -> Void) throws {
        try twitter.run(seconds: seconds * 0.5, bars: Bars(codableToFoundation: .atLeast(10)), tell)
        try darkSky.run(seconds: seconds * 0.3, bars: Bars(codableToFoundation: .atLeast(5.5)), tell)
        let growth = try badElements.run(seconds: seconds * 0.2)
        tell(Figure(name: "json.bad20k.vsBad2k", value: growth, bar: .atMost(12)))
        guard let twitterCount = try twitter.encodeAllocations(), let darkSkyCount = try darkSky.encodeAllocations()
        else { return Terminal.say("skipped: json.records.encode.allocations, this C library cannot count them") }
        Terminal.say("json.records.encode: \(twitterCount) allocations for twitter, \(darkSkyCount) for darksky")
        let count = Double(twitterCount + darkSkyCount)
        tell(Figure(name: "json.records.encode.allocations", value: count, bar: .atMost(0)))
    }
}
