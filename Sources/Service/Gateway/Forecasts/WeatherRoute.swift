import API
import CivilDates
import Contracts
import HTTPCore
import JSONText
import Proxy
import Records

/// `GET /weather?lat=&lon=`: the forecast for a place.
struct WeatherRoute: Sendable {
    let upstreams: Upstreams<ForecastUpstream>
    let parameters: WeatherParameters

    static func description(_ parameters: WeatherParameters) -> RouteDescription {
        var description = RouteDescription(
            "weather", "/weather", tag: "weather", "The forecast for a location",
            answer: .document(of: Forecast.self, dates: .unix))
        description.source = .documents
        description.requestKinds = (RequestKind.ofForecasts + [.lookup]).map(\.name)
        description.parameters = parameters.specs
        description.problems = [.invalidParameters] + Problem.Kind.ofUpstreams
        description.isExample = true
        return description
    }

    var route: Route {
        Route(Self.description(parameters)) { call throws(Problem) in
            try WeatherRequest(call.parameters, parameters)
        } respond: { request, call throws(Problem) in
            try await upstreams.answer(request, request.form(), to: call.client)
        }
    }
}

/// The parameters of requests for forecasts; a class, because each request holds them.
final class WeatherParameters: Sendable {
    static let latitudes = -90.0...90
    static let longitudes = -180.0...180
    /// The languages that Dark Sky and Pirate Weather document for summaries.
    static let languages = """
        ar az be bg bn bs ca cs cy da de el en eo es et fa fi fr ga gd he hi hr hu id is it ja ka kn ko kw lv \
        ml mr nb nl no pa pl pt ro ru sk sl sr sv ta te tet tr uk ur vi x-pig-latin zh zh-tw
        """.split(separator: " ").map(String.init)

    let latitude = Parameter(
        "lat", .number(in: latitudes, "degrees"), isRequired: true, "The latitude.", example: "37.8267")
    let longitude = Parameter(
        "lon", .number(in: longitudes, "degrees"), isRequired: true, "The longitude.", example: "-122.4233")
    static let time = Parameter(
        "time", MomentText.type, orElse: "now",
        "Another time than now. Without an offset, a date is in local time of the location; in a query, + is written %2B."
    )
    let units: Parameter<Shaping.Units>
    let language = Parameter(
        "lang", .oneOf(languages.map { ($0, $0) }), orElse: "the upstream's",
        "The language of summaries, if the upstream supports it.", example: "de")
    let exclude = Parameter(
        "exclude", .list(of: ForecastBlock.self), orElse: "none", "The blocks to omit.", example: "minutely,flags")
    let extend = Parameter(
        "extend", .oneOf([("hourly", true)]), orElse: "two days", "All hours that the upstream has.",
        example: "hourly")
    let shaping: ShapingParameters
    private let defaultUnits: Shaping.Units
    /// The blocks that answers of upstreams must have.
    let requires: [ForecastBlock]

    /// The parameters, with the units of answers without any, and the blocks that upstreams must answer.
    init(units name: String, requires: [String] = [], showsUpstream: Bool = false) {
        self.requires = requires.compactMap(ForecastBlock.init)
        shaping = ShapingParameters(
            of: Forecast.self, example: "currently,hourly.data.temperature", dates: .unix, showsUpstream: showsUpstream)
        // Units were validated at load; this fallback is unreachable.
        defaultUnits = Shaping.Units(name) ?? .system(.si)
        units = Parameter(
            "units", .oneOf(Shaping.Units.names.compactMap { name in Shaping.Units(name).map { (name, $0) } }),
            orElse: name, "The units of the answer; auto stands for those of the location's country.", example: "si")
    }

    var specs: [ParameterSpec] {
        [
            latitude.spec, longitude.spec, Self.time.spec, units.spec, language.spec, exclude.spec, extend.spec,
        ] + shaping.specs
    }

    fileprivate func units(_ units: Shaping.Units?) -> Shaping.Units { units ?? defaultUnits }
}

/// A client's request for a forecast, by either route.
struct WeatherRequest: Sendable {
    var query: ForecastQuery
    var shaping = Shaping()
    /// The parts of the answer beside the document.
    var explanation = Explanation.none
    /// The function that a script calls with the document; nil for JSON.
    var callback: String?
    /// The blocks that the upstream's answer must have.
    private(set) var requires: [ForecastBlock] = []
    /// The fields that the client wants, as it wrote them.
    fileprivate(set) var fields: [String] = []

    init(query: ForecastQuery) { self.query = query }

    /// Reads the parameters of `/weather`.
    /// - Throws: `Problem` naming every invalid parameter.
    init(_ parameters: Parameters, _ known: WeatherParameters) throws(Problem) {
        var parameters = parameters
        let latitude = parameters.read(known.latitude), longitude = parameters.read(known.longitude)
        self.init(query: ForecastQuery(latitude: latitude ?? 0, longitude: longitude ?? 0))
        query.time = parameters.read(WeatherParameters.time)
        query.language = parameters.read(known.language)
        query.extendsHourly = parameters.read(known.extend) ?? false
        shaping.units = known.units(parameters.read(known.units))
        shaping.dates = parameters.read(known.shaping.dates) ?? .unix
        shaping.excluded = parameters.read(known.exclude) ?? []
        let selected = parameters.read(known.shaping.fields)
        (shaping.fields, fields) = (selected?.selection, selected?.paths ?? [])
        explanation = parameters.read(known.shaping.explain) ?? .none
        require(known.requires)
        try parameters.finish()
    }

    /// Requires blocks, unless the client excludes them; minutes are those of now.
    mutating func require(_ blocks: [ForecastBlock]) {
        requires = blocks.filter { !shaping.excluded.contains($0) && ($0 != .minutely || query.time == nil) }
    }

    /// The form of the answer.
    func form(sendsExpires: Bool = false) -> AnswerForm {
        let key = WeatherForm(self)
        return AnswerForm(
            FormOf(key, textBytes: key.textBytes), explanation: explanation, sendsExpires: sendsExpires,
            callback: callback)
    }
}

/// Everything that tells the forms of forecasts from each other.
///
/// Parts of the query are among it, because a dialect can ask the upstream for more than the client wants.
private struct WeatherForm: Hashable {
    let units: Shaping.Units?
    let dates: DateForm
    let darkSky: DarkSkyForm?
    let language: Name?
    let extendsHourly: Bool
    let time: ForecastQuery.Moment?
    let excluded: Set<ForecastBlock>
    let fields: Set<Name>
    let requires: [ForecastBlock]

    init(_ request: WeatherRequest) {
        let (shaping, query) = (request.shaping, request.query)
        (units, dates, darkSky, excluded) = (shaping.units, shaping.dates, shaping.darkSky, shaping.excluded)
        language = query.language.map(Name.init(text:))
        (extendsHourly, time) = (query.extendsHourly, query.time)
        fields = Set(request.fields.map(Name.init(text:)))
        requires = request.requires
    }

    /// The bytes of its texts and collections.
    var textBytes: Int { fields.reduce(32 * excluded.count) { $0 + 48 + $1.text.utf8.count } }
}

extension Shaping.Units {
    /// The units that clients can request.
    static let names = ["si", "us", "ca", "uk2", "auto"]

    init?(_ name: String) {
        if name == "auto" {
            self = .automatic
        } else if let system = UnitSystem(rawValue: name) {
            self = .system(system)
        } else {
            return nil
        }
    }
}

/// The time of a time machine request, as clients write it.
enum MomentText {
    /// The years 0001 to 9999, as seconds since 1970.
    private static let seconds = -62_135_596_800...253_402_300_799

    static let type = ParameterType(
        expectation,
        schema: [
            "type": "string",
            "pattern":
                "^(-?[0-9]{1,12}|[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(Z|[+-][0-9]{2}:?[0-9]{2})?)$",
        ], hint: hint, convert: read)

    private static let expectation = """
        seconds since 1970 from \(seconds.lowerBound) to \(seconds.upperBound), or YYYY-MM-DDThh:mm:ss, \
        optionally followed by Z, ±hhmm or ±hh:mm
        """

    /// Returns the moment in `text`; nil if the text has another form or the date does not exist.
    static func read(_ text: String) -> ForecastQuery.Moment? {
        if isNumber(text) { return Int(text).flatMap { seconds.contains($0) ? .unix(Int64($0)) : nil } }
        guard hasForm(text), let timestamp = ISO8601Timestamp(text.utf8.span),
            let moment = timestamp.instant?.seconds, seconds.contains(moment)
        else { return nil }
        if timestamp.offset != nil { return .unix(Int64(moment)) }
        // Formatted again, because 23:59:60 is the first second of the next minute.
        return ISO8601Timestamp.format(secondsSinceEpoch: Double(moment)).map { .local(String($0.dropLast())) }
    }

    /// Returns why `read` may have returned nil.
    private static func hint(_ text: String) -> String {
        if isNumber(text) { return "; that is too far away" }
        guard text.utf8.count <= longestDate else { return "" }
        if hasForm(text) { return "; there is no such date" }
        return hasForm(text.replacing(" ", with: "+")) ? "; a + is written %2B in a query" : ""
    }

    /// The bytes of `YYYY-MM-DDThh:mm:ss±hh:mm`.
    private static let longestDate = 25

    private static func isNumber(_ text: String) -> Bool {
        PlainNumber.isDigits(text.first == "-" ? text.dropFirst() : text[...])
    }

    private static func hasForm(_ text: String) -> Bool {
        // First, because a regular expression takes 100 ns a byte.
        text.utf8.count <= longestDate
            && text.wholeMatch(
                of: /[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(Z|[+\-][0-9]{2}:?[0-9]{2})?/) != nil
    }
}
