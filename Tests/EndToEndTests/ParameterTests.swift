import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ParameterTests {
    struct BadQuery: Sendable {
        let query: String
        /// The wrong parameters, each with a part of its message.
        let faults: [String: String]

        init(_ query: String, _ faults: [String: String]) {
            self.query = query
            self.faults = faults
        }

        /// A valid place and one wrong parameter.
        init(_ name: String, _ value: String, _ fault: String) {
            self.init("lat=1&lon=2&\(name)=\(value)", [name: fault])
        }
    }

    private static let latitude = "a number from -90 to 90 degrees"
    private static let longitude = "a number from -180 to 180 degrees"
    private static let time = "YYYY-MM-DDThh:mm:ss, optionally followed by Z, ±hhmm or ±hh:mm"
    private static let units = "one of si, us, ca, uk2, auto"
    private static let blocks = "of currently, minutely, hourly, daily, dayNight, alerts, flags"

    private static let places = [
        BadQuery("", ["lat": latitude, "lon": longitude]),
        BadQuery("lat=95&lon=abc", ["lat": latitude, "lon": longitude]),
        BadQuery("lat=37.8", ["lon": longitude]),
        BadQuery("lon=-122.4", ["lat": latitude]),
        BadQuery("lat=&lon=", ["lat": "it is empty", "lon": longitude]),
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
        BadQuery("lat=%2037.8&lon=0", ["lat": "there are spaces around it"]),
        BadQuery("lat=37.8%20&lon=0", ["lat": "there are spaces around it"]),
        BadQuery("lat=%D9%A3%D9%A7&lon=0", ["lat": latitude]),
        BadQuery("lat=--1&lon=1-", ["lat": latitude, "lon": longitude]),
        BadQuery("lat=1&lat=2&lon=3", ["lat": "2 times"]),
        BadQuery("lat=1&lno=2", ["lno": "did you mean \"lon\"?", "lon": longitude]),
        BadQuery("LAT=1&Lon=2", ["LAT": "\"lat\"", "Lon": "\"lon\"", "lat": latitude, "lon": longitude]),
        BadQuery("lat=1;lon=2", ["lat": latitude, "lon": longitude]),
        BadQuery("=5&lat=1&lon=2", ["": "not a parameter"]),
        BadQuery("lat=%22%0d%0aX:1&lon=%01", ["lat": latitude, "lon": longitude]),
        BadQuery("lat=\(String(repeating: "9", count: 2000))&lon=0", ["lat": latitude]),
        BadQuery("lat=\(String(repeating: "9", count: 2001))&lon=0", ["lat": "it is too long"]),
        BadQuery("\(String(repeating: "x", count: 4000))=1&lat=1&lon=2", [String(repeating: "x", count: 40): "lat"]),
    ]

    private static let times = [
        BadQuery("time", String(repeating: "9", count: 2001), "it is too long"),
        BadQuery("time", "", "it is empty"),
        BadQuery("time", "now", time),
        BadQuery("time", "1.5", time),
        BadQuery("time", "1e9", time),
        BadQuery("time", "%2B5", time),
        BadQuery("time", "--5", time),
        BadQuery("time", "-", time),
        BadQuery("time", "253402300800", "too far away"),
        BadQuery("time", "-62135596801", "too far away"),
        BadQuery("time", "99999999999999999999999", "too far away"),
        BadQuery("time", "2021-02-29T00:00:00", "there is no such date"),
        BadQuery("time", "2021-13-01T00:00:00Z", "there is no such date"),
        BadQuery("time", "2021-01-01T24:00:00", "there is no such date"),
        BadQuery("time", "2021-01-01T00:60:00", "there is no such date"),
        BadQuery("time", "2021-01-01T00:00:00%2B2500", "there is no such date"),
        BadQuery("time", "0000-12-31T00:00:00", "there is no such date"),
        BadQuery("time", "2021-01-01T00:00:00+0200", "a + is written %2B"),
        BadQuery("time", "2021-01-01", time),
        BadQuery("time", "2021-01-01T00:00", time),
        BadQuery("time", "2021-01-01T00:00:00.5", time),
        BadQuery("time", "2021-01-01t00:00:00", time),
        BadQuery("time", "2021-01-01T00:00:00z", time),
        BadQuery("time", "2021-01-01T00:00:00%2B02", time),
        BadQuery("time", "%202021-01-01T00:00:00", "there are spaces around it"),
        BadQuery("lat=1&lon=2&time=1&time=2", ["time": "2 times"]),
    ]

    private static let choices = [
        BadQuery("units", "", "it is empty"),
        BadQuery("units", "SI", "did you mean \"si\"?"),
        BadQuery("units", "metric", units),
        BadQuery("units", "uk", "did you mean \"uk2\"?"),
        BadQuery("units", "si%20", "there are spaces around it"),
        BadQuery("lat=1&lon=2&units=si&units=us", ["units": "2 times"]),
        BadQuery("lang", "", "it is empty"),
        BadQuery("lang", "EN", "did you mean \"en\"?"),
        BadQuery("lang", "x-pig-latni", "did you mean \"x-pig-latin\"?"),
        BadQuery("lang", "english", "one of ar, az, "),
        BadQuery("exclude", "", "it is empty"),
        BadQuery("exclude", "minutly", "\"minutly\" is none of them; did you mean \"minutely\"?"),
        BadQuery("exclude", "Hourly", "did you mean \"hourly\"?"),
        BadQuery("exclude", "hourly,", "\"\" is none of them"),
        BadQuery("exclude", "hourly,%20daily", "\" daily\" is none of them"),
        BadQuery("exclude", "hourly;daily", blocks),
        BadQuery("exclude", String(repeating: "hourlx,", count: 1000), "too many"),
        BadQuery("exclude", String(repeating: "hourlx", count: 50), "too long"),
        BadQuery("lat=1&lon=2&exclude=hourly&exclude=daily", ["exclude": "2 times"]),
        BadQuery("extend", "", "it is empty"),
        BadQuery("extend", "daily", "one of hourly"),
        BadQuery("fields", "", "it is empty"),
        BadQuery("lat=1&lon=2&fields=currently&fields=daily", ["fields": "2 times"]),
        BadQuery("fields", "currently.temprature", "did you mean \"currently.temperature\"?"),
        BadQuery("fields", "currently,", "there is no field \"\""),
        BadQuery("fields", "hourly.temperature", "there is no field \"hourly.temperature\""),
        BadQuery("fields", "currently,Daily", "there is no field \"Daily\""),
        BadQuery("fields", "currently,%20daily", "there is no field \" daily\""),
        BadQuery("fields", String(repeating: "a,", count: 1000), "too many"),
        BadQuery("fields", "flags" + String(repeating: ".a", count: 16), "too long"),
        BadQuery("dates", "", "it is empty"),
        BadQuery("dates", "ISO8601", "did you mean \"iso8601\"?"),
        BadQuery("dates", "rfc3339", "one of unix, iso8601"),
        BadQuery("explain", "", "it is empty"),
        BadQuery("explain", "yes", "one of 1, 0, true, false"),
        BadQuery("explain", "True", "did you mean \"true\"?"),
        BadQuery("unit", "si", "did you mean \"units\"?"),
        BadQuery("latitude", "1", "did you mean \"lat\"?"),
        BadQuery("key", "1", "not a parameter"),
        BadQuery(
            "time=x&units=x&lang=x&exclude=x&extend=x&fields=&dates=x&explain=x&more=x",
            [
                "lat": latitude, "lon": longitude, "time": time, "units": units, "lang": "one of", "exclude": blocks,
                "extend": "hourly", "fields": "empty", "dates": "unix", "explain": "true", "more": "not a parameter",
            ]),
    ]

    @Test func everyWrongParameterIsReportedAndNothingIsFetched() throws {
        let upstream = try ScriptedUpstream { _ in .answer(smallForecast) }
        defer { upstream.stop() }
        let weir = try WeirProcess.serve(configuration([upstream.baseURL]))
        defer { weir.kill() }
        let client = try weir.client()
        for bad in Self.places + Self.times + Self.choices {
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
            #expect(answer.body.count < 4000)
        }
        #expect(upstream.requests == [])
        #expect(try client.get(weather).status == 200)
        #expect(upstream.requests.count == 1)
    }

    @Test func aWrongPlaceIsReportedWithBothRanges() throws {
        let weir = try WeirProcess.demo()
        defer { weir.kill() }
        let problem = try expectProblem(weir.get("/weather?lat=95&lon=abc"), 400)
        let detail = """
            lat must be a number from -90 to 90 degrees, not "95"; \
            lon must be a number from -180 to 180 degrees, not "abc"
            """
        #expect(problem["detail"].string == detail)
    }

    @Test func ofManyUnknownParametersTenAreNamedAndTheOthersCounted() throws {
        let weir = try WeirProcess.demo()
        defer { weir.kill() }
        let query = (10...60).map { "x\($0)=1" }.joined(separator: "&")
        let problem = try expectProblem(weir.get("\(weather)&\(query)"), 400)
        #expect(problem["errors"].count == 10)
        #expect(problem["errors"][9]["parameter"].string == "x19")
        #expect(problem["errors"][9]["detail"].string?.hasSuffix("; neither are 41 others") == true)
    }

    @Test(arguments: [
        "units=si", "units=us", "units=ca", "units=uk2", "units=auto", "lang=de", "lang=x-pig-latin", "lang=zh-tw",
        "exclude=minutely", "exclude=currently,minutely,hourly,daily,dayNight,alerts,flags", "exclude=daily,daily",
        "extend=hourly", "fields=currently", "fields=currently.temperature,daily.data.icon,flags", "dates=unix",
        "dates=iso8601", "explain=1", "explain=0", "explain=true", "explain=false", "time=0", "time=-1",
        "time=-62135596800", "time=253402300799", "time=1508630400", "time=2013-05-06T12:00:00",
        "time=2013-05-06T12:00:00Z", "time=2013-05-06T12:00:00-0400", "time=2013-05-06T12:00:00%2B05:30",
        "time=2012-02-29T00:00:00", "time=0001-01-01T00:00:00Z", "time=9999-12-31T23:59:59",
        "units=auto&lang=en&exclude=flags&extend=hourly&fields=currently&dates=iso8601&explain=1&time=0",
    ])
    func validParametersAreAccepted(_ query: String) throws {
        let weir = try WeirProcess.demo()
        defer { weir.kill() }
        let answer = try weir.get("\(weather)&\(query)")
        #expect(answer.status == 200, "\(answer.text)")
        #expect(try answer.json().members.isEmpty == false)
    }

    @Test func anExplainedAnswerListsTheRepairsAndTheSource() throws {
        let weir = try WeirProcess.demo()
        defer { weir.kill() }
        for value in ["1", "true"] {
            let answer = try weir.get("\(weather)&explain=\(value)").json()
            #expect(Set(answer.members.keys) == ["data", "drift", "source"])
            #expect(answer["data"]["latitude"].number == 37.827)
            #expect(answer["drift"].count > 4)
            #expect(answer["drift"][0]["path"].string?.isEmpty == false)
            #expect(answer["source"]["upstream"].string == "openMeteo")
            #expect(answer["source"]["failed"].isAbsent)
        }
        #expect(try weir.get("\(weather)&explain=0").json()["data"].isAbsent)
    }

    /// The setting, and the path of the request to the upstream.
    @Test(arguments: [
        ("", "/37.827,-122.423"), (#", "coordinateDigits": 0"#, "/38,-122"),
        (#", "coordinateDigits": 7"#, "/37.8267,-122.4233"), (#", "coordinateDigits": 1"#, "/37.8,-122.4"),
    ])
    func thePlaceIsRoundedInTheRequestAndUnchangedInTheAnswer(_ setting: String, _ place: String) throws {
        let upstream = try ScriptedUpstream { _ in .answer(smallForecast) }
        defer { upstream.stop() }
        let weir = try WeirProcess.serve(configuration([upstream.baseURL], weather: setting))
        defer { weir.kill() }
        let answer = try weir.get(weather)
        #expect(try answer.json()["latitude"].number == 37.8267)
        #expect(upstream.requests.first?.contains(place) == true)
    }
}
