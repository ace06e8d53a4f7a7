import Routing
import Upstreams
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
    private let calls = CallCounter()

    var route: Route {
        let inner = Route(.forecast, problem: Self.response, read: Self.request) {
            request, call throws(Problem) in
            try await path.answer(request, request.form, to: call.client)
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

    private static func request(_ call: Route.Call) throws(Problem) -> WeatherRequest {
        let parts = call.segments
        guard parts.count == 2 else { throw Problem(.notFound, "Not Found") }
        return try WeatherRequest(darkSky: parts[1][...], call.request.target.query)
    }

    /// Returns the response with Dark Sky's own header fields: the day's calls, and how long this one took.
    private func stamped(_ response: Response, since start: MonotonicTime, _ clock: Clock) -> Response {
        var response = response
        response.headers += stamps(since: start, clock)
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
    /// Reads Dark Sky's path and parameters; `place` is `{latitude},{longitude}[,{time}]`.
    ///
    /// Of other parameters, `version=2` asks for the fields that Dark Sky did not send; the rest and empty values are
    /// ignored. A `Problem` has Dark Sky's own text.
    init(darkSky place: Substring, _ query: Query) throws(Problem) {
        let invalidPlace = Problem(.invalidParameters, "The given location (or time) is invalid.")
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
        shaping.darkSky = Self.word("version", query) == "2" ? .extended : .documented
    }

    /// Returns the first value called `name` that is not empty, in lower case.
    private static func word(_ name: String, _ query: Query) -> String? {
        query.values(name).map { trimmed($0[...]).lowercased() }.first { !$0.isEmpty }
    }

    /// Dark Sky's documentation wrote `exclude=[blocks]`, and some clients send the brackets.
    private static func blocks(_ lists: [String]) -> Set<ForecastBlock> {
        let names = lists.flatMap { $0.split { ", []".contains($0) } }.map { $0.lowercased() }
        return Set(ForecastBlock.allCases.filter { names.contains($0.rawValue.lowercased()) })
    }

    private static func trimmed(_ text: Substring) -> String {
        guard let last = text.lastIndex(where: { $0 != " " }) else { return "" }
        return String(text[...last].drop { $0 == " " })
    }
}
