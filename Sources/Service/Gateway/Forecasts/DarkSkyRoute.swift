import API
import Proxy
import CivilDates
import Settings
import EventLoop
import Contracts
import HTTPCore
import HTTPServer
import Records
import Synchronization
import Operations

/// `GET /forecast/{anything}/{latitude},{longitude}[,{time}]`: Dark Sky's API, for its clients.
///
/// `{anything}` is the client's former key: it is neither read nor repeated.
struct DarkSkyRoute: Sendable {
    let upstreams: Upstreams<ForecastUpstream>
    let parameters: WeatherParameters
    /// Whether scripts of any site may read answers (JSONP).
    let answersJSONP: Bool
    private let known: DarkSkyParameters
    private let calls = CallCounter()

    init(upstreams: Upstreams<ForecastUpstream>, parameters: WeatherParameters, answersJSONP: Bool = false) {
        (self.upstreams, self.parameters, self.answersJSONP) = (upstreams, parameters, answersJSONP)
        known = DarkSkyParameters(parameters)
    }

    static func description(_ parameters: WeatherParameters, answersJSONP: Bool) -> RouteDescription {
        let json = RouteDescription.Answer("application/json") { components in
            components.dates = .unix
            defer { components.dates = .iso8601 }
            _ = Forecast.schema(in: &components)
            let members = components.value["\(Forecast.self)"]?["properties"]?.members ?? []
            // Its flags have Dark Sky's names.
            let properties = members.filter { $0.key != "flags" } + [.init("flags", ["type": "object"])]
            return components.reference(
                to: ["type": "object", "properties": .object(properties)], named: "DarkSkyForecast")
        }
        var description = RouteDescription(
            "forecast", "/forecast/{anything}/{latitude},{longitude}", tag: "weather",
            "The forecast for a location, as Dark Sky's API gave it; a time may follow behind another comma",
            answer: json)
        description.source = .documents
        description.requestKinds = (RequestKind.ofForecasts + [.lookup]).map(\.name)
        description.parameters = DarkSkyParameters(parameters).specs(answersJSONP: answersJSONP)
        if answersJSONP {
            description.otherAnswers = [RouteDescription.Answer("application/javascript; charset=utf-8")]
        }
        description.fields = [.calls, .responseTime, .expires]
        description.problems = [.invalidParameters, .notFound] + Problem.Kind.ofUpstreams
        description.problem = RouteDescription.Answer("application/json") { DarkSkyError.schema(in: &$0) }
        description.takesOtherParameters = true
        (description.credentials, description.ownsPrefix) = (["anything"], true)
        return description
    }

    var route: Route {
        let description = Self.description(parameters, answersJSONP: answersJSONP)
        let inner = Route(description, problem: Self.response) { call throws(Problem) in
            try request(call)
        } respond: { request, call throws(Problem) in
            try await upstreams.answer(request, request.form(sendsExpires: true), to: call.client)
        }
        let fields: @Sendable (ShardContext) -> [(name: String, value: String)] = { context in
            stamps(since: context.clock.now(), context.clock)
        }
        return Route(description, problem: Self.response, fieldsOfHits: fields) { call in
            let clock = call.context.clock, start = clock.now()
            let reply = inner.answer(call)
            switch reply {
            case .now(let response): return .now(stamped(response, since: start, clock))
            case .streamed: return reply
            case .later(let respond, _): return .later { await stamped(respond(), since: start, clock) }
            }
        }
    }

    private func request(_ call: Route.Call) throws(Problem) -> WeatherRequest {
        let segments = call.segments
        guard segments.count == 3 else { throw Problem(.notFound, "Not Found") }
        let request = try WeatherRequest(
            darkSky: segments[2][...], call.request.target.query, known)
        if request.callback != nil, !answersJSONP {
            throw Problem(
                .invalidParameters,
                "The parameter \(DarkSkyParameters.callback.spec.name) needs the setting \(Configuration.schema.path(of: \.weather.answersJSONP)), which is off. Ask for JSON without it."
            )
        }
        return request
    }

    /// Returns the response with Dark Sky's own header fields: the day's calls, and how long this one took.
    private func stamped(_ response: Response, since start: MonotonicTime, _ clock: Clock) -> Response {
        var response = response
        response.headers += stamps(since: start, clock)
        // A document that is not kept is never fresh.
        if response.status == .ok, !response.headers.contains(where: { $0.name == "Expires" }) {
            let now = HTTPDate.format(secondsSinceEpoch: clock.seconds)
            response.headers.append(("Expires", String(decoding: now, as: UTF8.self)))
        }
        return response
    }

    private func stamps(since start: MonotonicTime, _ clock: Clock) -> [(name: String, value: String)] {
        [
            (AnswerField.calls.name, "\(calls.next(now: clock.seconds))"),
            (AnswerField.responseTime.name, "\((clock.now() - start).wholeMilliseconds)ms"),
        ]
    }

    /// Returns a problem in Dark Sky's form: `{"code":400,"error":"…"}`.
    private static func response(_ problem: Problem) -> Response {
        let error = DarkSkyError(code: problem.status.code, error: problem.detail)
        return Response(error, "application/json", problem.status, problem.headers)
    }
}

private struct DarkSkyError: Record {
    var code = 0, error = ""

    static let schema = Schema<DarkSkyError> {
        Field(\.code)
        Field(\.error)
    }
}

/// Counts the calls since midnight in UTC.
final class CallCounter: Sendable {
    private static let secondsPerDay = 86_400

    private let today = Mutex((day: 0, calls: 0))

    /// Counts a call at `now`, in unix seconds, and returns the number of calls on its day.
    func next(now: Int) -> Int {
        today.withLock { today in
            let day = now / Self.secondsPerDay
            today = today.day == day ? (day, today.calls + 1) : (day, 1)
            return today.calls
        }
    }
}

/// The parameters of Dark Sky's API; wrong ones get Dark Sky's own errors.
final class DarkSkyParameters: Sendable {
    static let extended = "2"
    static let halfDays = "day_night_forecast"
    static let callback = Parameter(
        "callback",
        ParameterType(
            "a name of up to 128 letters and digits of ASCII, \"_\" and \"$\", or several with \".\" between two",
            schema: [
                "type": "string", "maxLength": 128,
                "pattern": #"^([A-Za-z_$][A-Za-z0-9_$]*(\.[A-Za-z_$][A-Za-z0-9_$]*)*)?$"#,
            ]
        ) { text in
            // Anything else would make a script that does not run.
            let names = text.split(separator: ".", omittingEmptySubsequences: false)
            return text.utf8.count <= 128 && names.allSatisfy { $0.wholeMatch(of: /[A-Za-z_$][A-Za-z0-9_$]*/) != nil }
                ? text : nil
        },
        orElse: "JSON", "The function that the answer calls with the document, if the setting answersJSONP is on.")

    let key = Parameter(
        "anything", .text(atMost: 500), in: .path, "The client's former key, which is ignored.", example: "KEY")
    let latitude = Parameter(
        "latitude", .number(in: WeatherParameters.latitudes, "degrees"), in: .path, "The latitude.",
        example: "37.8267")
    let longitude = Parameter(
        "longitude", .number(in: WeatherParameters.longitudes, "degrees"), in: .path, "The longitude.",
        example: "-122.4233")
    let version = Parameter(
        "version", .oneOf([(extended, true)]), orElse: "Dark Sky's fields alone",
        "Also the fields, icons and types of precipitation that Dark Sky did not have.", example: extended)
    let include = Parameter(
        "include", .oneOf([(halfDays, true)]), orElse: "`dayNight`",
        "With version 2, the half days are `day_night`, as from Pirate Weather.", example: halfDays)
    let weather: WeatherParameters

    init(_ weather: WeatherParameters) { self.weather = weather }

    func specs(answersJSONP: Bool) -> [ParameterSpec] {
        [
            key.spec.ignoringOthers, latitude.spec, longitude.spec, weather.units.spec.with(default: "us"),
            weather.language.spec,
            weather.exclude.spec.ignoringOthers, weather.extend.spec.ignoringOthers, version.spec.ignoringOthers,
            include.spec.ignoringOthers,
        ] + (answersJSONP ? [Self.callback.spec] : [])
    }
}

extension WeatherRequest {
    /// The longest text of a place and a time, in bytes.
    private static let longestPlace = 200

    /// Reads Dark Sky's path and parameters; `place` is `{latitude},{longitude}[,{time}]`.
    ///
    /// Of other parameters, `version=2` asks for the fields that Dark Sky did not send, and `include=day_night_forecast` then
    /// for Pirate Weather's block; the rest and empty values are ignored. A `Problem` has Dark Sky's own text.
    init(darkSky place: Substring, _ query: Query, _ known: DarkSkyParameters) throws(Problem) {
        let invalidPlace = Problem(.invalidParameters, "The given location (or time) is invalid.")
        guard place.utf8.count <= Self.longestPlace, place.isASCII else { throw invalidPlace }
        let parts = place.split(separator: ",", omittingEmptySubsequences: false).map { Self.trimmed($0) }
        guard 2...3 ~= parts.count, let latitude = PlainNumber.read(parts[0], in: WeatherParameters.latitudes),
            let longitude = PlainNumber.read(parts[1], in: WeatherParameters.longitudes)
        else { throw invalidPlace }
        self.init(query: ForecastQuery(latitude: latitude, longitude: longitude))
        if parts.count == 3 {
            // Some clients send fractions of a second.
            guard let time = MomentText.read(parts[2].replacing(/\.[0-9]{1,9}/, with: "")) else { throw invalidPlace }
            self.query.time = time
        }
        let weather = known.weather
        if Self.word(weather.language.spec, query) != nil {
            self.query.language = try Self.value(weather.language, query)
        }
        self.query.extendsHourly = (try? Self.value(weather.extend, query)) ?? false
        // Old clients ask for `uk`, which no document names any more.
        guard let units = Shaping.Units(Self.word(weather.units.spec, query) ?? "us") else {
            throw Self.invalid(weather.units.spec)
        }
        shaping.units = units
        shaping.excluded = Self.blocks(query.values(weather.exclude.spec.name))
        require(weather.requires)
        if Self.word(known.version.spec, query) == DarkSkyParameters.extended {
            let hasHalfDays = query.values(known.include.spec.name).contains {
                $0.isASCII && $0.lowercased().contains(DarkSkyParameters.halfDays)
            }
            shaping.darkSky = hasHalfDays ? .withHalfDays : .extended
        } else {
            shaping.darkSky = .documented
        }
        let callback = DarkSkyParameters.callback
        guard let function = query.values(callback.spec.name).first(where: { !$0.isEmpty }) else { return }
        guard case .value(let function) = callback.type.read(function) else {
            throw Problem(
                .invalidParameters, "The parameter \(callback.spec.name) takes \(callback.spec.expectation).")
        }
        self.callback = function
    }

    /// Returns the value of a parameter that is present.
    private static func value<Value>(_ parameter: Parameter<Value>, _ query: Query) throws(Problem) -> Value {
        if case .value(let value) = parameter.type.read(word(parameter.spec, query) ?? "") { return value }
        throw invalid(parameter.spec)
    }

    private static func invalid(_ parameter: ParameterSpec) -> Problem {
        Problem(.invalidParameters, "An invalid \(parameter.name) parameter was provided.")
    }

    /// Returns the first value of a parameter that is not empty, in lower case; U+FFFD for one that no parameter takes.
    private static func word(_ parameter: ParameterSpec, _ query: Query) -> String? {
        query.values(parameter.name).lazy.map { text in
            text.isASCII && text.utf8.count <= longestPlace ? trimmed(text[...]).lowercased() : "\u{FFFD}"
        }.first { !$0.isEmpty }
    }

    /// More bytes than the name of a block has.
    private static let longestBlock = 20

    /// Dark Sky's documentation wrote `exclude=[blocks]`, and some clients send the brackets.
    private static func blocks(_ lists: [String]) -> Set<ForecastBlock> {
        let separators = Array(", []".utf8)
        let limit = FieldSelection.maximumPaths
        let names = lists.flatMap { $0.utf8.split(maxSplits: limit) { separators.contains($0) } }.prefix(limit)
            .map { String(decoding: $0.prefix(longestBlock), as: UTF8.self).lowercased() }
        return Set(ForecastBlock.allCases.filter { names.contains($0.rawValue.lowercased()) })
    }

    private static func trimmed(_ text: Substring) -> String {
        guard let last = text.lastIndex(where: { $0 != " " }) else { return "" }
        return String(text[...last].drop { $0 == " " })
    }
}
