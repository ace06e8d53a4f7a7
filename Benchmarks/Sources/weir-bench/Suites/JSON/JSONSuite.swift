import Contracts

/// Records, the Codable coders and the untyped transform, compared with Foundation and with orjson.
struct JSONSuite: Suite {
    static let name = "json"
    static let names =
        ["twitter", "darksky"].flatMap { document in
            ["records.vsFoundation", "records.vsTransform", "codable.vsFoundation", "transform.vsOrjson"]
                .map { "json.\(document).\($0)" }
        } + ["json.bad20k.vsBad2k", "json.empty.nanoseconds", "json.records.encode.allocations"]

    private let seconds: Double
    private let twitter: ModelContest<TwitterRecords.Search, TwitterCodable.Search>
    private let darkSky: ModelContest<Forecast, DarkSkyCodable.Forecast>
    private let twitterCodable: CodableContest<TwitterCodable.Search>
    private let darkSkyCodable: CodableContest<DarkSkyBlocks.Forecast>
    private let badElements = BadElements()

    init(_ options: SuiteOptions) throws {
        seconds = options.seconds
        let (tweets, forecast) = (Document.twitter(options), Document.darkSky(options))
        twitter = ModelContest("twitter", tweets, foundation: .twitter)
        darkSky = ModelContest("darksky", forecast, foundation: .darkSky)
        twitterCodable = CodableContest("twitter", tweets, foundation: .twitter, lenient: .twitter)
        darkSkyCodable = CodableContest("darksky", forecast, foundation: .darkSkyBothWays, lenient: .darkSky)
        try twitter.check()
        try darkSky.check()
        try twitterCodable.check()
        try darkSkyCodable.check()
    }

    func contestants() throws -> [Contestant] {
        try twitter.profiles() + darkSky.profiles() + twitterCodable.profiles() + darkSkyCodable.profiles()
            + badElements.contestants.map { Contestant(elsewhere: "bad.\($0.name)", run: $0.run) }
    }

    func run(_ report: (Figure) -> Void) throws {
        try twitter.run(seconds: seconds * 0.3, bars: Bars(), report)
        try darkSky.run(seconds: seconds * 0.2, bars: Bars(), report)
        try twitterCodable.run(seconds: seconds * 0.2, bar: .atLeast(9), report)
        try darkSkyCodable.run(seconds: seconds * 0.1, bar: .atLeast(5), report)
        let growth = try badElements.run(seconds: seconds * 0.2)
        report(Figure(name: "json.bad20k.vsBad2k", value: growth, bar: .atMost(12)))
        let nanoseconds = try EmptyElements().run(seconds: seconds * 0.1)
        report(Figure(name: "json.empty.nanoseconds", value: nanoseconds, bar: .atMost(100)))
        guard let twitterCount = try twitter.encodeAllocations(), let darkSkyCount = try darkSky.encodeAllocations()
        else { return Terminal.say("skipped: json.records.encode.allocations, this C library does not allow counting") }
        Terminal.say("json.records.encode: \(twitterCount) allocations for twitter, \(darkSkyCount) for darksky")
        let count = Double(twitterCount + darkSkyCount)
        report(Figure(name: "json.records.encode.allocations", value: count, bar: .atMost(0)))
    }
}
