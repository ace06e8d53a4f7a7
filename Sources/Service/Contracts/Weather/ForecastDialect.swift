public import API
public import JSONText
package import Records

/// The requests and answers of one kind of forecast upstream.
public struct ForecastDialect: Dialect {
    /// The name in configurations and in `weir normalize --as`.
    public let name: String
    /// Where a request carries the API key, if there is one.
    public let keyLocation: KeyLocation
    /// Whether requests must carry an API key.
    public internal(set) var needsKey = true
    /// Returns the host to ask instead of a host that takes no key, or nil if the host may be asked with one.
    var hostForKey: @Sendable (_ host: String) -> String? = { _ in nil }
    /// The hosts whose times are limited as those of `ForecastSite.current`.
    public let limitedHosts: [String]
    /// The addresses of the other sites that belong to the first of `limitedHosts`.
    public let sites: [ForecastSite: String]
    let coverage: @Sendable (ForecastSite, _ now: Int64) -> ClosedRange<Int64>
    let target: @Sendable (ForecastQuery, ForecastSite, _ now: Int64) -> String
    let read: Reading
    /// Corrects what the forecast says with another meaning than the contract; the days begin at midnight then.
    var correct: @Sendable (inout Forecast, inout DriftReport) -> Void = { $0.correctDays(&$1) }
    let upstreamError: @Sendable (JSONNode) -> String?
    /// Returns what to ask for if the upstream fails to make the answer to `target`; nil if there is nothing else.
    var simplerTarget: @Sendable (_ target: String) -> String? = { _ in nil }
    /// The seconds to wait after an error with a message, at a time in unix seconds.
    var pauseByMessage: @Sendable (String, _ now: Int64) -> Int? = { _, _ in nil }
    /// The fields that every good answer has, and the blocks that every good answer to a request has.
    var expected: [ExpectedField] = [], blocks: [ExpectedBlock] = []
    /// Whether answers name a place of the model's grid, and not the one that was asked for.
    var answersForGrid = false
    /// Whether requests name the client's units, because texts and scales of the answer depend on them.
    public var asksForClientUnits = false

    /// Reads an answer into a forecast, and returns the repairs.
    package typealias Reading =
        @Sendable (JSONNode, ForecastQuery?, AnswerDefaults, inout Forecast) throws -> DriftReport
    /// Whether the upstream knows the weather of other times than now.
    public internal(set) var hasPast = true

    /// All dialects of Swift.
    public static let all: [ForecastDialect] = [.darkSky, .pirateWeather, .openMeteo, .weatherKit]

    /// Returns the path and query of the request for `query` to `site` at `now`, in unix seconds, starting with `/`.
    ///
    /// The placeholder `{key}` marks the key's place in the path. Only the code that sends the request replaces it.
    public func target(for query: ForecastQuery, at site: ForecastSite = .own, now: Int64) -> String {
        target(query, site, now)
    }

    /// Returns the path and query that ask for less than `target`, for an upstream that fails to answer that; nil if there are
    /// none.
    public func simplerTarget(than target: String) -> String? { simplerTarget(target) }

    /// The names of the parameters in requests to all sites, found in requests with every option.
    public var parameterNames: Set<String> {
        let moment: Int64 = 1_767_290_400
        var query = ForecastQuery(latitude: 1, longitude: 2)
        (query.language, query.extendsHourly, query.model) = ("de", true, "icon_seamless")
        (query.timeZone, query.countryCode) = ("Europe/Berlin", "DE")
        var past = query
        past.time = .unix(moment)
        return KeyLocation.parameterNames(
            in: ForecastSite.allCases.flatMap { site in [query, past].map { target($0, site, moment) } })
    }

    /// Returns the host that takes a key in place of `host`, which takes none; nil if `host` may be asked with a key.
    public func hostForKey(insteadOf host: String) -> String? { hostForKey(host) }

    /// Reads an upstream's answer as the contract's document, complete and repaired.
    ///
    /// `query` is the request that `bytes` answer; nil keeps the complete answer. `defaults` are those of the query, unless
    /// they are given.
    /// - Throws: `JSONSyntaxError` if `bytes` are not JSON, `ContractError` if required fields are missing or wrong, or if
    ///   no point of an answer to a query has a value.
    public func normalize(
        _ bytes: [UInt8], answering query: ForecastQuery? = nil, defaults: AnswerDefaults? = nil,
        options: JSONOptions = JSONOptions()
    ) throws -> ForecastDocument {
        let defaults = defaults ?? AnswerDefaults(query)
        var parser = JSONParser(options: options.forUpstream)
        var document = ForecastDocument(size: bytes.count)
        document.drift = try parser.withDocument(bytes) { root in
            let result = Result { try read(root, query, defaults, &document.forecast) }
            // What was read in too little time lacks parts, or fails without a fault of the document.
            try options.checkTime(for: bytes)
            return try result.get()
        }
        document.drift.merge(DriftReport(parser.textRepairs))
        try document.complete(self, answering: query, defaults)
        return document
    }

    /// Returns the message in the body of an upstream's error response, or nil if there is none.
    ///
    /// A message is the dialect's JSON member, of any length, or one short line of plain text. HTML has none.
    public func errorMessage(in bytes: [UInt8]) -> String? {
        do { return try readError(bytes, upstreamError) } catch { return Self.plainMessage(in: bytes) }
    }

    /// Returns the seconds to wait before the next request if the message of an error names a limit, or nil.
    public func pause(after message: String, now: Int64) -> Int? { pauseByMessage(message, now) }

    /// Returns `bytes` without surrounding white space if they are one line of at most 200 bytes of UTF-8.
    ///
    /// Returns nil for markup and broken JSON.
    private static func plainMessage(in bytes: [UInt8]) -> String? {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || 0x09...0x0D ~= $0 }
        guard let first = bytes.firstIndex(where: { !isSpace($0) }),
            let last = bytes.lastIndex(where: { !isSpace($0) }),
            last - first < 200, !"{[\"".utf8.contains(bytes[first]),
            !bytes[first...last].contains(where: { $0 < 0x20 || $0 == UInt8(ascii: "<") || $0 == 0x7F })
        else { return nil }
        return String(validating: bytes[first...last], as: UTF8.self)
    }
}

extension ForecastDialect {
    /// A dialect that a mapping describes; the mapping makes its requests.
    ///
    /// `covers` are the days before and after today that the upstream knows, if it knows the weather of other times than now.
    package init(
        mapped name: String, keyLocation: KeyLocation, needsKey: Bool, covers: (pastDays: Int, futureDays: Int)?,
        parameterNames: Set<String>, upstreamError: @escaping @Sendable (JSONNode) -> String?, read: @escaping Reading
    ) {
        (self.name, self.keyLocation, self.read, self.upstreamError) = (name, keyLocation, read, upstreamError)
        (limitedHosts, sites) = ([], [:])
        let past = Int64(covers?.pastDays ?? 0), future = Int64(covers?.futureDays ?? 0)
        coverage = { _, now in
            let today = max(0, min(253_402_300_799, now)) / 86_400 * 86_400
            return today - past * 86_400...today + (future + 1) * 86_400 - 1
        }
        // Only the names of the parameters are asked for: a key cannot have one of them.
        target = { _, _, _ in "/?" + parameterNames.sorted().map { "\($0)=" }.joined(separator: "&") }
        (self.needsKey, hasPast) = (needsKey, covers != nil)
    }
}

/// What a request says about its answer, for answers that do not say it themselves.
public struct AnswerDefaults: Sendable {
    /// The latitude and the longitude in degrees; nil if they are not known.
    public var place: (latitude: Double, longitude: Double)?
    /// The units that were requested; nil if they are not known.
    public var units: Shaping.Units?
    /// Whether the answer must have all fields that Weir's requests ask for; absent ones are reported as missing.
    public var expectsFields = false

    /// No defaults.
    public init() {}

    /// The place, the units and the fields of a request; no defaults without one.
    public init(_ query: ForecastQuery?) {
        guard let query else { return }
        expectsFields = true
        place = (query.latitude, query.longitude)
        units = query.unitsAreAutomatic ? .automatic : .system(query.units)
    }
}

/// A block that every good answer of a dialect to a request has.
///
/// Minutes, half days and alerts that depend on the place or the weather are none.
struct ExpectedBlock: Sendable {
    private let block: ForecastBlock
    /// The member of the upstream's documents.
    private let from: String
    /// Whether only requests for now ask for the block.
    private let isOfNow: Bool

    private init(_ block: ForecastBlock, at from: String, isOfNow: Bool = false) {
        (self.block, self.from, self.isOfNow) = (block, from, isOfNow)
    }

    /// The blocks of Dark Sky and Pirate Weather.
    static let darkSky = [ForecastBlock.currently, .hourly, .daily].map { ExpectedBlock($0, at: $0.rawValue) }

    /// The blocks of Open-Meteo, which has interpolated minutes where it has no others.
    static let openMeteo = [
        ExpectedBlock(.currently, at: "current", isOfNow: true),
        ExpectedBlock(.minutely, at: "minutely_15", isOfNow: true),
        ExpectedBlock(.hourly, at: "hourly"), ExpectedBlock(.daily, at: "daily"),
    ]

    /// The blocks of WeatherKit, which has the next hour in some countries.
    static let weatherKit = [
        ExpectedBlock(.currently, at: "currentWeather", isOfNow: true), ExpectedBlock(.hourly, at: "forecastHourly"),
        ExpectedBlock(.daily, at: "forecastDaily"),
    ]

    /// Notes the block as missing if the document has no point of it; a block that was left out for another reason is in the
    /// report already.
    func check(_ document: inout ForecastDocument, answering query: ForecastQuery) {
        if document.has(block) || isOfNow && query.time != nil { return }
        let name = block.rawValue
        let isReported = document.drift.entries.contains { entry in
            (entry.kind == .dropped || entry.kind == .missing)
                && (entry.path == name || entry.path.hasPrefix(name + ".") || entry.from == from)
        }
        if !isReported { document.drift.noteMissing(name, from: from) }
    }
}

/// A field that every good answer of a dialect has in a block, if the answer has the block at all.
///
/// The recorded answers of Dark Sky and Pirate Weather have all fields of the list; fields that depend on the place, the
/// season or the model, such as sunrise and UV index, are not expected.
struct ExpectedField: Sendable {
    private let block: ForecastBlock
    /// The pattern of the path in answers, and in the upstream's documents.
    private let path: String, from: String
    private let property: OptionalProperty<DataPoint>

    /// A field of a block, whose points an upstream has at `place`; nil if that is their path in answers.
    private init<Value>(
        _ block: ForecastBlock, _ property: any KeyPath<DataPoint, Value?> & Sendable, at place: String? = nil
    ) {
        let own = block == .currently ? "currently" : "\(block.rawValue).data[]"
        let name = DataPoint.schema.path(of: property)
        (self.block, path, from) = (block, "\(own).\(name)", "\(place ?? own).\(name)")
        self.property = DataPoint.schema.optional(property)
    }

    /// The fields of moments and hours of all dialects.
    private static func ofMoments(_ block: ForecastBlock, at place: String? = nil) -> [ExpectedField] {
        [
            ExpectedField(block, \.temperature, at: place), ExpectedField(block, \.humidity, at: place),
            ExpectedField(block, \.windSpeed, at: place),
        ]
    }

    /// The fields of Dark Sky and Pirate Weather.
    static let darkSky: [ExpectedField] =
        [.currently, .hourly].flatMap {
            ofMoments($0) + [ExpectedField($0, \.precipIntensity), ExpectedField($0, \.icon)]
        } + [
            ExpectedField(.minutely, \.precipIntensity), ExpectedField(.daily, \.temperatureMax),
            ExpectedField(.daily, \.temperatureMin), ExpectedField(.daily, \.icon),
        ]

    /// The fields of WeatherKit.
    ///
    /// Extremes of days and icons are none of them, because Weir computes absent ones from other values.
    static let weatherKit =
        ofMoments(.currently, at: "currentWeather") + ofMoments(.hourly, at: "forecastHourly.hours[]")

    /// Notes the field as missing if the forecast has the block, and no point of the block has the field; a field that was
    /// left out for another reason is in the report already.
    ///
    /// The forecast is not changed: its points are passed in their place.
    func check(_ forecast: inout Forecast, _ drift: inout DriftReport) {
        let isMissing =
            switch block {
            case .currently: forecast.currently?.has(property) == false
            case .minutely: forecast.minutely?.data?.lack(property)
            case .hourly: forecast.hourly?.data?.lack(property)
            case .daily: forecast.daily?.data?.lack(property)
            case .dayNight, .alerts, .flags: false
            }
        guard isMissing == true else { return }
        if !drift.entries.contains(where: { $0.path == path }) { drift.noteMissing(path, from: from) }
    }
}

extension DataPoint {
    fileprivate mutating func has(_ property: OptionalProperty<DataPoint>) -> Bool { property.hasValue(in: &self) }
}

extension [DataPoint] {
    /// Whether there are points, and none of them has a value of the property.
    fileprivate mutating func lack(_ property: OptionalProperty<DataPoint>) -> Bool {
        for index in indices where self[index].has(property) { return false }
        return !isEmpty
    }
}
