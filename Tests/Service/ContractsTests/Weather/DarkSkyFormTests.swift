import API
import ContractsSupport
import Contracts
import Records
import TestSupport
import Testing

/// What clients of Dark Sky get, whatever the upstream.
@Suite("Dark Sky's form")
struct DarkSkyFormTests {
    private static let schema = Result { try JSONSchema(file: "\(Checkout.root)/Tests/Schemas/darkSky.json") }
    private static let systems = UnitSystem.allCases.map(Shaping.Units.system) + [.automatic]

    private static func shaping(_ units: Shaping.Units, _ form: DarkSkyForm = .documented) -> Shaping {
        var shaping = Shaping()
        shaping.units = units
        shaping.darkSky = form
        return shaping
    }

    /// Returns the answer of the drop-in route for a document.
    private static func answer(
        _ document: String, _ units: UnitSystem = .si, _ form: DarkSkyForm = .documented,
        in dialect: ForecastDialect = .darkSky
    ) throws -> JSONValue {
        let body = try dialect.normalize(Array(document.utf8)).shaped(shaping(.system(units), form)).body
        return try #require(JSONValue(parsing: body))
    }

    /// Returns a document with a current point of the given members, in `si`.
    private static func document(currently members: String, units: String = "si") -> String {
        #"{"latitude":1,"longitude":2,"timezone":"UTC","currently":{"time":5,\#(members)},"flags":{"units":"\#(units)"}}"#
    }

    @Test("Dark Sky's schema accepts every answer of every dialect", arguments: ForecastDialect.all.map(\.name))
    func dialects(name: String) throws {
        let (schema, dialect) = (try Self.schema.get(), try #require(ForecastDialect.named(name)))
        let inputs =
            try Fixture.all(in: name).filter { $0.expected.error == nil }.map { ($0.name, $0.input) }
            + [("sample", Checkout.read("\(Checkout.root)/Config/samples/\(name)/forecast.json"))]
        var defaults = AnswerDefaults()
        defaults.place = (1, 2)
        for (name, input) in inputs {
            for units in Self.systems {
                let body = try dialect.normalize(input, defaults: defaults).shaped(Self.shaping(units)).body
                let faults = try schema.faults(in: body)
                #expect(faults == [], "\(name) in \(units)")
            }
        }
    }

    @Test("Dark Sky's schema accepts every recorded document in Dark Sky's form")
    func recorded() async throws {
        let schema = try Self.schema.get()
        let faults = await RecordedForecasts.queue.run {
            RecordedForecasts.complete.flatMap { recorded in
                [ForecastDialect.darkSky, .pirateWeather].flatMap { dialect in
                    let body = try? dialect.normalize(recorded.bytes).shaped(Self.shaping(.system(.us))).body
                    let faults = body.flatMap { try? schema.faults(in: $0) } ?? ["refused"]
                    return faults.map { "\(recorded.name): \($0)" }
                }
            }
        }
        #expect(faults == [])
    }

    @Test("The schema refuses what Dark Sky did not send")
    func schemaRefuses() throws {
        let flags = #""flags":{"sources":[],"nearest-station":0,"units":"si"}"#
        let start = #"{"latitude":1,"longitude":2,"timezone":"UTC",\#(flags)"#
        let schema = try Self.schema.get()
        #expect(try schema.faults(in: Array("\(start)}".utf8)) == [])
        for rest in [
            #","elevation":3}"#, #","currently":{"time":5.5}}"#, #","currently":{"time":5,"uvIndex":1.5}}"#,
            #","currently":{"time":5,"feelsLike":1}}"#, #","currently":{"time":5,"icon":"hail"}}"#,
            #","hourly":{"data":[{"summary":"x"}]}}"#, #","hourly":{"summary":"x"}}"#,
            #","alerts":[{"title":"x"}]}"#, #","currently":{"time":5,"visibility":16.1}}"#, #","currently":[]}"#,
        ] {
            #expect(try !schema.faults(in: Array((start + rest).utf8)).isEmpty, "\(rest)")
        }
    }

    /// Members of the current point in `si`, a system, and the members in the answer.
    @Test(
        "Numbers have Dark Sky's types and ranges in the client's units",
        arguments: [
            (#""uvIndex":3.5"#, .si, #"{"time":5,"uvIndex":4}"#),
            (#""windBearing":359.6,"windSpeed":1"#, .si, #"{"time":5,"windSpeed":1,"windBearing":0}"#),
            (#""windBearing":77.4,"windSpeed":0"#, .si, #"{"time":5,"windSpeed":0}"#),
            (#""windBearing":77.4"#, .si, #"{"time":5,"windBearing":77}"#),
            (#""visibility":24.14"#, .si, #"{"time":5,"visibility":16.09}"#),
            (#""visibility":24.14"#, .us, #"{"time":5,"visibility":10}"#),
            (#""visibility":16.08"#, .uk2, #"{"time":5,"visibility":9.99}"#),
            (
                #""nearestStormDistance":7.3,"nearestStormBearing":12.5"#, .si,
                #"{"time":5,"nearestStormDistance":7,"nearestStormBearing":13}"#
            ),
            (
                #""nearestStormDistance":7.3,"nearestStormBearing":12.5"#, .us,
                #"{"time":5,"nearestStormDistance":5,"nearestStormBearing":13}"#
            ),
            (
                #""nearestStormDistance":0.6,"nearestStormBearing":12"#, .us, #"{"time":5,"nearestStormDistance":0}"#
            ),
            (#""precipIntensity":0,"precipType":"rain""#, .si, #"{"time":5,"precipIntensity":0}"#),
            (#""precipIntensity":0.001,"precipType":"rain""#, .us, #"{"time":5,"precipIntensity":0}"#),
            (#""precipIntensity":2,"precipType":"ice""#, .si, #"{"time":5,"precipIntensity":2,"precipType":"sleet"}"#),
            (#""precipType":"graupel","icon":"hail""#, .si, #"{"time":5,"icon":"sleet"}"#),
            (#""icon":"thunderstorm","feelsLike":3"#, .si, #"{"time":5,"icon":"rain"}"#),
            (#""icon":"breezy","precipAccumulation":1"#, .si, #"{"time":5}"#),
        ] as [(String, UnitSystem, String)])
    func numbers(members: String, units: UnitSystem, expected: String) throws {
        let point = try Self.answer(Self.document(currently: members), units)["currently"]
        #expect(point?.bytes == Array(expected.utf8), "\(String(decoding: point?.bytes ?? [], as: UTF8.self))")
    }

    @Test("The extended form has all fields and words, and Dark Sky's types")
    func extended() throws {
        let text = #""icon":"hail","precipType":"ice","precipIntensity":1,"feelsLike":3,"uvIndex":2.6"#
        let document = Self.document(currently: text).replacing("\"timezone\"", with: "\"elevation\":7,\"timezone\"")
        let answer = try Self.answer(document, .si, .extended)
        let expected =
            #"{"time":5,"icon":"hail","precipIntensity":1,"precipType":"ice","feelsLike":3,"uvIndex":3,"ozone":-999}"#
        #expect(answer["currently"]?.bytes == Array(expected.utf8))
        #expect(answer["elevation"]?.intValue == 7)
        #expect(answer["flags"]?["nearest-station"]?.doubleValue == 0)
    }

    @Test("Snow is the only accumulation, and absent without snow")
    func accumulation() throws {
        let hours = #"[{"time":1,"precipAccumulation":0},{"time":2,"precipAccumulation":0.1}]"#
        let document = #"{"latitude":1,"longitude":2,"timezone":"UTC","hourly":{"data":\#(hours)}}"#
        let data = try Self.answer(document, .us)["hourly"]?["data"]
        let points = data?.elements ?? []
        #expect(points.map { $0["precipAccumulation"]?.doubleValue } == [nil, 0.1])
    }

    /// Members of an hour of 5 °C in `si`, and its accumulation with `version=2`.
    @Test(
        "With version 2, the accumulation is that of rain, snow and ice together",
        arguments: [
            (.darkSky, #""precipIntensity":2.5,"precipType":"rain""#, 0.25),
            (.darkSky, #""precipIntensity":0.5,"precipType":"snow","precipAccumulation":0.6"#, 0.6),
            (.darkSky, #""precipIntensity":0"#, 0),
            (.darkSky, #""liquidAccumulation":0.2,"snowAccumulation":1,"iceAccumulation":0.03"#, 1.23),
            (.pirateWeather, #""precipAccumulation":1.3,"liquidAccumulation":0.2,"snowAccumulation":1"#, 1.3),
            (.pirateWeather, #""precipAccumulation":0.7,"precipType":"rain""#, 0.7),
        ] as [(ForecastDialect, String, Double)])
    func wholeAccumulation(dialect: ForecastDialect, members: String, expected: Double) throws {
        let hour = #"{"time":1767290400,"temperature":5,\#(members)}"#
        let document =
            #"{"latitude":1,"longitude":2,"timezone":"UTC","hourly":{"data":[\#(hour)]},"flags":{"units":"si"}}"#
        let answer = try Self.answer(document, .si, .extended, in: dialect)
        #expect(answer["hourly"]?["data"]?[0]?["precipAccumulation"]?.doubleValue == expected)
    }

    @Test("With version 2, a calm has a bearing, and alerts and the times of sources are never absent")
    func version2() throws {
        let document = Self.document(currently: #""windSpeed":0,"windBearing":77.4"#)
        let answer = try Self.answer(document, .si, .extended)
        #expect(answer["currently"]?["windBearing"]?.intValue == 77)
        #expect(answer["alerts"]?.bytes == Array("[]".utf8))
        #expect(answer["flags"]?["sourceTimes"]?.bytes == Array("{}".utf8))
        #expect(try Self.answer(document)["alerts"] == nil)
    }

    /// The fields that every point of Dark Sky had.
    private static let weather = """
        time summary icon precipIntensity precipProbability dewPoint humidity pressure windSpeed windGust windBearing \
        cloudCover uvIndex visibility
        """
    private static let required: [(block: String, fields: String)] = [
        ("currently", weather + " temperature apparentTemperature"),
        ("minutely", "time precipIntensity precipProbability"),
        ("hourly", weather + " temperature apparentTemperature"),
        (
            "daily",
            weather + """
                 sunriseTime sunsetTime moonPhase precipIntensityMax precipIntensityMaxTime temperatureHigh \
                temperatureHighTime temperatureLow temperatureLowTime temperatureMin temperatureMinTime temperatureMax \
                temperatureMaxTime apparentTemperatureHigh apparentTemperatureHighTime apparentTemperatureLow \
                apparentTemperatureLowTime apparentTemperatureMin apparentTemperatureMinTime apparentTemperatureMax \
                apparentTemperatureMaxTime windGustTime uvIndexTime
                """
        ),
    ]

    @Test(
        "Every sample has all fields that a strict client of Dark Sky or Pirate Weather needs, now and at a time",
        arguments: ForecastDialect.all.map(\.name), [false, true])
    func samples(name: String, atTime: Bool) throws {
        let dialect = try #require(ForecastDialect.named(name))
        let text = try Checkout.read("\(Checkout.root)/Config/samples/\(name)/forecast.json")
        var query = ForecastQuery(latitude: 37.8267, longitude: -122.4233)
        query.timeZone = "America/Los_Angeles"
        if atTime {
            let document = try dialect.normalize(text, answering: query)
            query.time = document.forecast.currently.map { .unix(Int64($0.time.seconds)) }
        }
        for form in [DarkSkyForm.documented, .extended] {
            let document = try dialect.normalize(text, answering: query)
            let answer = try #require(JSONValue(parsing: document.shaped(Self.shaping(.system(.us), form)).body))
            var missing: [String] = []
            for (block, fields) in Self.required {
                let points = answer[block]?["data"]?.elements ?? answer[block].map { [$0] } ?? []
                if points.isEmpty { missing.append(block) }
                let ofForm = form == .documented ? "" : block == "minutely" ? "" : " ozone"
                for field in (fields + ofForm).split(separator: " ") {
                    // Not defined in a calm.
                    if field == "windBearing", form == .documented { continue }
                    let count = points.filter { $0[String(field)] == nil }.count
                    if count > 0 { missing.append("\(block).\(field) \(count)") }
                }
            }
            #expect(missing == [], "\(form)")
        }
    }

    @Test(
        "The severity of an alert is Dark Sky's; an unknown one is that of the title",
        arguments: [
            ("Extreme", "Gale Warning", "warning"), ("Severe", "Flood Watch", "warning"), ("Moderate", "", "watch"),
            ("Minor", "x", "advisory"), ("Unknown", "Flood Watch", "watch"), ("Unknown", "Heat", "advisory"),
            ("", "Red Flag Warning", "warning"), ("watch", "x", "watch"), ("Watch", "x", "watch"),
        ])
    func severity(word: String, title: String, expected: String) throws {
        let alert = #"{"title":"\#(title)","severity":"\#(word)"}"#
        let document = Self.document(currently: #""humidity":1"#).dropLast() + #","alerts":[\#(alert)]}"#
        let forms: [DarkSkyForm] = [.documented, .extended]
        for form in forms {
            let alert = try Self.answer(String(document), .si, form)["alerts"]?[0]
            let words = ["warning": "Severe", "watch": "Moderate", "advisory": "Minor"]
            let known =
                ["Extreme", "Severe", "Moderate", "Minor", "Unknown"].contains(word) ? word : words[word.lowercased()]
            #expect(alert?["severity"]?.stringValue == (form == .documented ? expected : known ?? "Unknown"))
        }
        let plain = try ForecastDialect.darkSky.normalize(Array(document.utf8)).shaped().body
        #expect(JSONValue(parsing: plain)?["alerts"]?[0]?["severity"]?.stringValue == (word.isEmpty ? nil : word))
    }

    @Test("An alert has every member, and flags are always there")
    func completeness() throws {
        let alerts = ##"[{"description":"Gusts.\nStay inside.","expires":-999},{"title":"Heat","time":9.7}]"##
        let document = Self.document(currently: #""humidity":1"#).dropLast() + #","alerts":\#(alerts)}"#
        let answer = try Self.answer(String(document))
        let expected = ##"""
            [{"title":"Gusts.","regions":[],"severity":"advisory","time":5,"expires":86405,"description":"Gusts.\nStay inside.","uri":"about:blank"},\##
            {"title":"Heat","regions":[],"severity":"advisory","time":9,"expires":86409,"description":"Heat","uri":"about:blank"}]
            """##
        #expect(answer["alerts"].map { String(decoding: $0.bytes, as: UTF8.self) } == expected)
        let bare = try Self.answer(#"{"latitude":1,"longitude":2,"timezone":"UTC","alerts":[]}"#, .ca)
        let flags =
            #"{"latitude":1,"longitude":2,"timezone":"UTC","alerts":[],"flags":{"sources":[],"units":"ca","nearest-station":0}}"#
        #expect(String(decoding: bare.bytes, as: UTF8.self) == flags)
    }

    @Test("The distance to the nearest station is in the client's units")
    func nearestStation() throws {
        let document = #"{"latitude":1,"longitude":2,"timezone":"UTC","flags":{"units":"us","nearest-station":3.5}}"#
        #expect(try Self.answer(document, .us)["flags"]?["nearest-station"]?.doubleValue == 3.5)
        #expect(try Self.answer(document, .si)["flags"]?["nearest-station"]?.doubleValue == 5.63)
    }
}
