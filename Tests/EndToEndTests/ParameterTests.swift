import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ParameterTests {
    struct BadQuery: Sendable {
        let query: String
        /// The parameters that are wrong, each with what must be said of it.
        let faults: [String: String]

        init(_ query: String, _ faults: [String: String]) {
            self.query = query
            self.faults = faults
        }
    }

    private static let latitude = "a number from -90 to 90 degrees"
    private static let longitude = "a number from -180 to 180 degrees"

    private static let queries = [
        BadQuery("", ["lat": latitude, "lon": longitude]),
        BadQuery("lat=95&lon=abc", ["lat": latitude, "lon": longitude]),
        BadQuery("lat=37.8", ["lon": longitude]),
        BadQuery("lon=-122.4", ["lat": latitude]),
        BadQuery("lat=&lon=", ["lat": latitude, "lon": longitude]),
        BadQuery("lat&lon", ["lat": latitude, "lon": longitude]),
        BadQuery("lat=90.0001&lon=0", ["lat": latitude]),
        BadQuery("lat=-90.0001&lon=0", ["lat": latitude]),
        BadQuery("lat=0&lon=180.0001", ["lon": longitude]),
        BadQuery("lat=0&lon=-181", ["lon": longitude]),
        BadQuery("lat=nan&lon=0", ["lat": latitude]),
        BadQuery("lat=0&lon=inf", ["lon": longitude]),
        BadQuery("lat=0&lon=-infinity", ["lon": longitude]),
        BadQuery("lat=1e400&lon=0", ["lat": latitude]),
        BadQuery("lat=0x1F&lon=0", ["lat": latitude]),
        BadQuery("lat=37,8&lon=0", ["lat": latitude]),
        BadQuery("lat=%2037.8&lon=0", ["lat": latitude]),
        BadQuery("lat=37.8%20&lon=0", ["lat": latitude]),
        BadQuery("lat=%D9%A3%D9%A7&lon=0", ["lat": latitude]),
        BadQuery("lat=--1&lon=1-", ["lat": latitude, "lon": longitude]),
        BadQuery("lat=1&lat=2&lon=3", ["lat": "2 times"]),
        BadQuery("lat=1&lon=2&units=si", ["units": "\"lat\", \"lon\""]),
        BadQuery("lat=1&lno=2", ["lno": "did you mean \"lon\"?", "lon": longitude]),
        BadQuery("LAT=1&Lon=2", ["LAT": "\"lat\"", "Lon": "\"lon\"", "lat": latitude, "lon": longitude]),
        BadQuery("lat=1;lon=2", ["lat": latitude, "lon": longitude]),
        BadQuery("=5&lat=1&lon=2", ["": "no parameter"]),
        BadQuery("lat=%22%0d%0aX:1&lon=%01", ["lat": latitude, "lon": longitude]),
        BadQuery("lat=\(String(repeating: "9", count: 4000))&lon=0", ["lat": latitude]),
        BadQuery("\(String(repeating: "x", count: 4000))=1&lat=1&lon=2", [String(repeating: "x", count: 40): "lat"]),
    ]

    @Test func everyWrongParameterIsNamedAndNothingIsFetched() throws {
        let upstream = try ScriptedUpstream { _ in .answer(smallForecast) }
        defer { upstream.stop() }
        let weir = try WeirProcess.serve(configuration([upstream.baseURL]))
        defer { weir.kill() }
        let client = try weir.client()
        for bad in Self.queries {
            let answer = try client.get("/weather?\(bad.query)")
            let problem = try expectProblem(answer, 400)
            #expect(problem["type"].string == "urn:weir:problem:invalid-parameters")
            var named: [String: String] = [:]
            for fault in problem["errors"].elements {
                let name = try #require(fault["parameter"].string)
                named[name] = fault["detail"].string
                #expect(problem["detail"].string?.contains(name) == true)
            }
            #expect(Set(named.keys) == Set(bad.faults.keys), "\(bad.query)")
            for (name, expected) in bad.faults {
                #expect(named[name]?.contains(expected) == true, "\(bad.query): \(named[name] ?? "")")
            }
            #expect(answer.body.count < 2000)
        }
        #expect(upstream.requests == [])
        #expect(try client.get(weather).status == 200)
        #expect(upstream.requests.count == 1)
    }

    @Test func aBadPlaceNamesBothParametersAndTheirRanges() throws {
        let weir = try WeirProcess.demo()
        defer { weir.kill() }
        let problem = try expectProblem(weir.get("/weather?lat=95&lon=abc"), 400)
        let detail = """
            lat must be a number from -90 to 90 degrees, not "95"; \
            lon must be a number from -180 to 180 degrees, not "abc"
            """
        #expect(problem["detail"].string == detail)
    }
}
