import Contracts
import EventLoop
import HTTPCore
import HTTPServer
import JSONText
import LenientCoding

/// `GET /forecast/{anything}/{latitude},{longitude}[,{time}]`: what Dark Sky answered, for its clients.
///
/// `{anything}` is a key of somebody's: it is neither looked at nor repeated.
struct DarkSkyRoute: Sendable {
    private static let template = "/forecast/{anything}/{latitude},{longitude}"

    let source: UpstreamOrder<ForecastUpstream>
    private let calls = CallCounter()

    init(source: UpstreamOrder<ForecastUpstream>) { self.source = source }

    var route: Route {
        Route("/forecast/{path*}", problem: Self.response) { call in
            let start = MonotonicTime.now
            do throws(Problem) {
                let request = try Self.request(call)
                return .later {
                    let response = await answer(request, call)
                    return await told(response, since: start).compressed(for: call.request.headers)
                }
            } catch {
                return .now(told(Self.response(error), since: start))
            }
        }
    }

    private static func request(_ call: Route.Call) throws(Problem) -> WeatherRequest {
        var parts = (call.values["path"] ?? "").split(separator: "/", omittingEmptySubsequences: false)
        if parts.count == 3, parts[2].isEmpty { parts.removeLast() }
        guard parts.count == 2 else { throw Problem(kind: .notFound, status: .notFound, detail: "Not Found") }
        do throws(WeatherRequest.DarkSkyRefusal) {
            return try WeatherRequest(darkSky: parts[1], call.request.target.query)
        } catch {
            throw Problem(kind: .invalidParameters, status: .badRequest, detail: error.rawValue)
        }
    }

    private func answer(_ request: WeatherRequest, _ call: Route.Call) async -> Response {
        do throws(Problem) {
            let document = try await source.find(request, route: Self.template, on: call.shard).document
            return Response(headers: WeatherRoute.headers(document), body: document.body)
        } catch {
            return Self.response(error)
        }
    }

    /// The answer with what Dark Sky said of each: the day's calls, and how long this one took.
    private func told(_ response: Response, since start: MonotonicTime) -> Response {
        var response = response
        let milliseconds = Int((MonotonicTime.now - start) / .milliseconds(1))
        response.headers.append(("X-Forecast-API-Calls", "\(calls.next())"))
        response.headers.append(("X-Response-Time", "\(milliseconds)ms"))
        return response
    }

    /// A problem as Dark Sky worded its own: `{"code":400,"error":"…"}`.
    private static func response(_ problem: Problem) -> Response {
        var writer = JSONWriter(capacity: 256)
        writer.write(raw: "{\"code\":")
        writer.write(Int64(problem.status.code))
        writer.write(raw: ",\"error\":")
        writer.write(problem.detail)
        writer.write(byte: UInt8(ascii: "}"))
        let fields = [("Content-Type", "application/json"), ("Cache-Control", "no-store")]
        return Response(status: problem.status, headers: fields + problem.headers, body: writer.bytes)
    }
}
