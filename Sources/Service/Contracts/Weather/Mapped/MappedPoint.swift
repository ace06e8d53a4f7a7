import API
import JSONText
import Records

/// The weather of a span in the words of a mapping: the contract's fields, and words from which Weir makes others.
struct MappedPoint: Record {
    var point = DataPoint()
    private var time = MappedTime.unknown
    private var code: WeatherNumber?, condition: OpenEnum<Condition>?, isDay: Bool?
    private var rain: Double?, snow: Double?, ice: Double?
    /// The length of the span in seconds.
    private(set) var period: Double?

    static let schema = Schema<MappedPoint>(.absent(-999), .absent("")) {
        Field(\.time, .note("The start of the span; a local time without an offset."))
        Included(\.point, after: "time")
        Field(\.code, .note("The weather as a number of WMO code table 4677."))
        Field(\.condition, .note("The weather as an icon without day or night."))
        Field(\.isDay, .note("Whether the sun is up."))
        Field(\.rain, .plausible(0...3000), .note("The rain of the period, in mm."))
        Field(\.snow, .plausible(0...3000), .note("The snow of the period, in mm of water."))
        Field(\.ice, .plausible(0...3000), .note("The freezing rain and ice pellets of the period, in mm of water."))
        Field(\.period, .plausible(60...86_400), .note("The length of the span in seconds; an hour without it."))
    }

    /// The contract's fields that the words give, for reports.
    static let fields = [
        "code": "icon", "condition": "icon", "isDay": "icon", "rain": "liquidAccumulation", "snow": "snowAccumulation",
        "ice": "iceAccumulation", "period": "time",
    ]

    /// A number of the table of weather that Weir knows; nil for another one, which is reported.
    private struct WeatherNumber: WireValue {
        let code: Int?

        static var expectation: String { Int.expectation }

        static func schema(in components: inout SchemaComponents) -> JSONValue {
            ["type": "integer", "examples": .array(WeatherCode.allCodes.filter { $0 < 100 }.map { .number("\($0)") })]
        }

        static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> WeatherNumber? {
            guard let number = Int.read(node, rules, &reader) else { return nil }
            let code = WeatherCode.code(Int64(number), tellsHail: false)
            if code == nil { reader.noteUnrecognized(expected: "a number of WMO code table 4677") }
            return WeatherNumber(code: code)
        }
    }

    /// An icon without day or night.
    private struct Condition: RawRepresentable, CaseIterable, Hashable, Sendable {
        let rawValue: String
        /// The icon by day.
        let icon: Icon

        init?(rawValue: String) {
            guard let icon = Icon(rawValue: rawValue + "-day") ?? Icon(rawValue: rawValue),
                icon.atNight == icon || icon.rawValue != rawValue
            else { return nil }
            (self.rawValue, self.icon) = (rawValue, icon)
        }

        static let allCases = Icon.allCases.compactMap { icon in
            icon.rawValue.hasSuffix("-night") ? nil : Condition(rawValue: icon.rawValue.replacing("-day", with: ""))
        }
    }

    /// Sets the point's time by the clock of the place.
    mutating func setTime(_ clock: LocalClock, after previous: UnixSeconds? = nil) {
        point.time = time.moment(clock, after: previous)
    }

    /// 7 cm of snow are 10 mm of water.
    private static let snowOfWater = 0.7
    private static let rate = DataPoint.schema.field(\.precipIntensity)

    /// Enters the numbers into a row, of hours or of days; the point is not changed, but passed in its place.
    mutating func fill(_ row: Int, of series: inout Series, isDay ofDay: Bool) {
        point.fill(row, of: &series, isDay: ofDay)
        let amounts = [
            (Variable.rain, rain.map { $0 / 10 }), (.snow, snow.map { $0 * Self.snowOfWater }),
            (.ice, ice.map { $0 / 10 }),
        ]
        for case (let variable, let depth?) in amounts where series[variable, row].isNaN {
            series[variable, row] = Conversion.Step(scale: 1, places: 4)(depth)
        }
        if point.precipIntensity == nil, rain != nil || snow != nil || ice != nil {
            let water = (rain ?? 0) + (snow ?? 0) + (ice ?? 0)
            let rate = Conversion.Step(scale: 1 / series.span(row), places: 4)(water)
            series[.precipIntensity, row] = Self.rate.accepts(rate) ? rate : .nan
        }
        if let isDay { series[.isDay, row] = isDay ? 1 : 0 }
        var icon: Icon?
        switch (condition, point.icon) {
        case (.known(let condition)?, _): icon = condition.icon
        case (_, .known(let own)?): icon = own
        default: break
        }
        let rate = series[.precipIntensity, row]
        // Rain with snow is sleet for Dark Sky, and no freezing rain.
        let isMixed = series[.rain, row] > 0 && series[.snow, row] > 0 && !(series[.ice, row] > 0)
        let mixed = isMixed ? WeatherCode.code(ofCondition: "MixedRainAndSnow") : nil
        series[.code, row] =
            (code?.code ?? icon.map { WeatherCode.code(of: $0, rate: rate) } ?? mixed).map(Double.init) ?? .nan
    }
}

/// A block in the words of a mapping: an array of points, or an object with the array and the weather of all of them.
struct MappedBlock: WireValue {
    var points: [MappedPoint] = [], summary: String?, icon: OpenEnum<Icon>?

    static var expectation: String { "an array of points, or an object with data" }

    static func schema(in components: inout SchemaComponents) -> JSONValue {
        ["anyOf": [[MappedPoint].schema(in: &components), Whole.schema(in: &components)]]
    }

    static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> MappedBlock? {
        guard node.kind == .array else {
            return Whole.read(node, rules, &reader).map {
                MappedBlock(points: $0.data ?? [], summary: $0.summary, icon: $0.icon)
            }
        }
        return [MappedPoint].read(node, rules, &reader).map { MappedBlock(points: $0) }
    }

    /// A block as an object.
    private struct Whole: Record {
        var summary: String?, icon: OpenEnum<Icon>?, data: [MappedPoint]?

        static let schema = Schema<Whole>(.absent("")) {
            Field(\.summary, .note("The weather of the block in words."))
            Field(\.icon, .note("The weather of the block as the name of an icon."))
            Field(\.data, .dropInvalid, .note("The points."))
        }
    }

    /// Sets the times of the points by the clock of the place, and puts the points in their order.
    ///
    /// Of points at the same time, the first one stays; returns the number of the others.
    mutating func setTimes(_ clock: LocalClock, ofDays: Bool = false) -> Int {
        for index in points.indices {
            points[index].setTime(clock, after: index > 0 ? points[index - 1].point.time : nil)
        }
        if ofDays { beginAtMidnight(clock) }
        let isSorted = zip(points, points.dropFirst()).allSatisfy { $0.point.time < $1.point.time }
        if isSorted { return 0 }
        let count = points.count
        var seen: Set<UnixSeconds> = []
        points = points.filter { seen.insert($0.point.time).inserted }.sorted { $0.point.time < $1.point.time }
        return count - points.count
    }

    /// Moves each day to the midnight at which its local day begins.
    ///
    /// Days that all begin at midnight in UTC are dates that the upstream writes so.
    private mutating func beginAtMidnight(_ clock: LocalClock) {
        let areDates = points.allSatisfy { $0.point.time.seconds.truncatingRemainder(dividingBy: 86_400) == 0 }
        for index in points.indices {
            let time = points[index].point.time.seconds
            let start = areDates ? clock.moment(ofLocal: time) : clock.day(at: time)?.lowerBound
            points[index].point.time = UnixSeconds(start ?? time)
        }
    }

    /// The points as a series, whose rows have the lengths of their periods.
    mutating func series(ofDays: Bool = false) -> Series {
        var series = Series(
            times: points.map(\.point.time.seconds), variables: ofDays ? Variable.ofDays : Variable.ofMoments,
            hours: ofDays ? 24 : 1)
        if !ofDays, points.contains(where: { $0.period != nil }) {
            series.spans = points.map { ($0.period ?? 3600) / 3600 }
        }
        for row in points.indices { points[row].fill(row, of: &series, isDay: ofDays) }
        return series
    }
}
