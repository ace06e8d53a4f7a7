import Routing
import Upstreams
import CivilDates
import Contracts
import EventLoop
import Forecast
import HTTPCore
import HTTPServer
import Records
import Synchronization
import Telemetry

/// `GET /forecast/{anything}/{latitude},{longitude}[,{time}]`: Dark Sky's API, for its clients.
///
/// `{anything}` is the client's former key: it is neither read nor repeated.
struct DarkSkyRoute: Sendable {
    let path: DocumentPath<ForecastUpstream>
    /// Whether scripts of any site may read answers (JSONP).
    let answersJSONP: Bool
    private let calls = CallCounter()

    init(path: DocumentPath<ForecastUpstream>, answersJSONP: Bool = false) {
        (self.path, self.answersJSONP) = (path, answersJSONP)
    }

    var route: Route {
        let inner = Route(.forecast, problem: Self.response) { call throws(Problem) in
            try request(call)
        } respond: { request, call throws(Problem) in
            var form = request.form
            form.sendsExpires = true
            return try await path.answer(request, form, to: call.client)
        }
        let fields: @Sendable (ShardContext) -> [(name: String, value: String)] = { context in
            stamps(since: context.clock.now(), context.clock)
        }
        return Route(.forecast, problem: Self.response, fieldsOfHits: fields) { call in
            let clock = call.context.clock, start = clock.now()
            let reply = inner.answer(call)
            switch reply {
            case .now(let response): return .now(stamped(response, since: start, clock))
            case .stored: return reply
            case .later(let respond, _): return .later { await stamped(respond(), since: start, clock) }
            }
        }
    }

    private func request(_ call: Route.Call) throws(Problem) -> WeatherRequest {
        let parts = call.segments
        guard parts.count == 2 else { throw Problem(.notFound, "Not Found") }
        let request = try WeatherRequest(darkSky: parts[1][...], call.request.target.query)
        if request.callback != nil, !answersJSONP {
            throw Problem(
                .invalidParameters,
                "The parameter callback needs the setting weather.answersJSONP, which is off. Ask for JSON without it.")
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
            ("X-Forecast-API-Calls", "\(calls.next(now: clock.seconds))"),
            ("X-Response-Time", "\((clock.now() - start).wholeMilliseconds)ms"),
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

extension WeatherRequest {
    /// The longest text of a place and a time, in bytes.
    private static let longestPlace = 200

    /// Reads Dark Sky's path and parameters; `place` is `{latitude},{longitude}[,{time}]`.
    ///
    /// Of other parameters, `version=2` asks for the fields that Dark Sky did not send, and `include=day_night_forecast` then
    /// for Pirate Weather's block; the rest and empty values are ignored. A `Problem` has Dark Sky's own text.
    init(darkSky place: Substring, _ query: Query) throws(Problem) {
        let invalidPlace = Problem(.invalidParameters, "The given location (or time) is invalid.")
        guard place.utf8.count <= Self.longestPlace, place.isASCII else { throw invalidPlace }
        let parts = place.split(separator: ",", omittingEmptySubsequences: false).map { Self.trimmed($0) }
        guard 2...3 ~= parts.count, let latitude = PlainNumber.read(parts[0], in: Self.latitudes),
            let longitude = PlainNumber.read(parts[1], in: Self.longitudes)
        else { throw invalidPlace }
        self.init(query: ForecastQuery(latitude: latitude, longitude: longitude))
        if parts.count == 3 {
            // Some clients send fractions of a second.
            guard let time = MomentText.read(parts[2].replacing(/\.[0-9]{1,9}/, with: "")) else { throw invalidPlace }
            self.query.time = time
        }
        if let language = Self.word("lang", query) {
            guard Self.languages.contains(language) else {
                throw Problem(.invalidParameters, "An invalid lang parameter was provided.")
            }
            self.query.language = language
        }
        self.query.extendsHourly = Self.word("extend", query) == "hourly"
        guard let units = Shaping.Units(Self.word("units", query) ?? "us") else {
            throw Problem(.invalidParameters, "An invalid units parameter was provided.")
        }
        shaping.units = units
        shaping.excluded = Self.blocks(query.values("exclude"))
        if Self.word("version", query) == "2" {
            let hasHalfDays = query.values("include").contains {
                $0.isASCII && $0.lowercased().contains("day_night_forecast")
            }
            shaping.darkSky = hasHalfDays ? .withHalfDays : .extended
        } else {
            shaping.darkSky = .documented
        }
        callback = query.values("callback").first { !$0.isEmpty }
        if let callback, !callback.isASCII || callback.wholeMatch(of: /[A-Za-z0-9_.$]{1,128}/) == nil {
            throw Problem(
                .invalidParameters,
                "The parameter callback takes 1 to 128 letters and digits of ASCII, \"_\", \".\" and \"$\".")
        }
    }

    /// Returns the first value called `name` that is not empty, in lower case; U+FFFD for one that no parameter takes.
    private static func word(_ name: String, _ query: Query) -> String? {
        query.values(name).lazy.map { text in
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
