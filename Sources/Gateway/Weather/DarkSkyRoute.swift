import Contracts
import EventLoop
import HTTPCore
import HTTPServer
import JSONText
import LenientCoding
import Synchronization

/// `GET /forecast/{anything}/{latitude},{longitude}[,{time}]`: Dark Sky's API, for its clients.
///
/// `{anything}` is the client's former key: it is neither read nor repeated.
struct DarkSkyRoute: Sendable {
    private static let template = "/forecast/{anything}/{latitude},{longitude}"

    let chain: FailoverChain<ForecastUpstream>
    private let calls = CallCounter()

    init(chain: FailoverChain<ForecastUpstream>) { self.chain = chain }

    var route: Route {
        let inner = Route("/forecast/{path*}", problem: Self.response, read: Self.request) {
            request, call throws(Problem) in
            try await chain.find(request, route: Self.template, on: call.shard).response()
        }
        return Route("/forecast/{path*}", problem: Self.response) { call in
            let start = MonotonicTime.now
            switch inner.answer(call) {
            case .now(let response): return .now(stamped(response, since: start))
            case .later(let respond):
                return .later { await stamped(respond(), since: start).compressed(for: call.request.headers) }
            }
        }
    }

    private static func request(_ call: Route.Call) throws(Problem) -> WeatherRequest {
        var parts = (call.values["path"] ?? "").split(separator: "/", omittingEmptySubsequences: false)
        if parts.count == 3, parts[2].isEmpty { parts.removeLast() }
        guard parts.count == 2 else { throw Problem(.notFound, "Not Found") }
        do throws(WeatherRequest.DarkSkyRefusal) {
            return try WeatherRequest(darkSky: parts[1], call.request.target.query)
        } catch {
            throw Problem(.invalidParameters, error.rawValue)
        }
    }

    /// Returns the response with Dark Sky's own header fields: the day's calls, and how long this one took.
    private func stamped(_ response: Response, since start: MonotonicTime) -> Response {
        var response = response
        let milliseconds = Int((MonotonicTime.now - start) / .milliseconds(1))
        response.headers.append(("X-Forecast-API-Calls", "\(calls.next())"))
        response.headers.append(("X-Response-Time", "\(milliseconds)ms"))
        return response
    }

    /// Returns a problem in Dark Sky's form: `{"code":400,"error":"…"}`.
    private static func response(_ problem: Problem) -> Response {
        var body = DarkSkyError()
        (body.code, body.error) = (problem.status.code, problem.detail)
        let fields = [("Content-Type", "application/json"), ("Cache-Control", "no-store")]
        return Response(
            status: problem.status, headers: fields + problem.headers,
            body: JSONWriter.bytes(expecting: 256) { body.write(to: &$0) })
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
    func next(now: Int = WallClock.seconds) -> Int {
        today.withLock { today in
            let day = now / Self.secondsPerDay
            today = today.day == day ? (day, today.calls + 1) : (day, 1)
            return today.calls
        }
    }
}
