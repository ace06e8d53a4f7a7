import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct NormalizeTests {
    private static func normalize(_ input: String) throws -> WeirProcess.Result {
        try WeirProcess.run(["normalize", "--as", "darkSky"], input: Array(input.utf8))
    }

    @Test func aFileAndStandardInputGiveTheSameResult() throws {
        let file = "\(Checkout.sample)/forecast.json"
        let results = try [
            WeirProcess.run(["normalize", "--as", "darkSky", file]),
            WeirProcess.run(["normalize", "--as=darkSky", "--", file]),
            WeirProcess.run(["normalize", "--as", "darkSky", "-"], input: Checkout.forecast()),
            WeirProcess.run(["normalize", "--as", "darkSky"], input: Checkout.forecast()),
        ]
        for result in results {
            #expect(result.status == 0)
            #expect(result.output == results[0].output)
            #expect(result.errors == results[0].errors)
            #expect(result.errors.hasPrefix("weir: repaired: dropped="))
        }
        let forecast = try Parsed(results[0].output)
        #expect(forecast["currently"]["time"].integer == 1_767_290_437)
        #expect(forecast["hourly"]["data"].count == 49)
    }

    @Test func aDocumentWithoutRepairsCausesNoMessage() throws {
        let result = try Self.normalize(smallForecast)
        #expect(result.status == 0)
        #expect(result.output == smallForecast)
        #expect(result.errors.isEmpty)
    }

    private static let sky =
        #"{"latitude":1,"longitude":2,"timezone":"Europe/London","currently":{"time":1367841600,"#
        + #""temperature":50,"windSpeed":10},"hourly":{"data":[{"time":0,"temperature":"59"},{"time":3600}]},"#
        + #""flags":{"units":"us","isd-stations":["a"]}}"#

    @Test(arguments: [
        (
            "--units si --exclude hourly",
            #"{"latitude":1,"longitude":2,"timezone":"Europe/London","currently":{"time":1367841600,"temperature":10,"#
                + #""windSpeed":4.47},"flags":{"units":"si","isdStations":["a"]}}"#
        ),
        (
            "--units auto --fields currently.windSpeed --fields flags.units",
            #"{"currently":{"windSpeed":10},"flags":{"units":"uk2"}}"#
        ),
        (
            "--units ca --fields currently,hourly --exclude currently",
            #"{"hourly":{"data":[{"time":0,"temperature":15},{"time":3600}]}}"#
        ),
        ("--fields hourly.data.temperature", #"{"hourly":{"data":[{"temperature":59},{}]}}"#),
        (
            "--dates iso8601 --fields currently.time,hourly.data.time",
            #"{"currently":{"time":"2013-05-06T12:00:00Z"},"#
                + #""hourly":{"data":[{"time":"1970-01-01T00:00:00Z"},{"time":"1970-01-01T01:00:00Z"}]}}"#
        ),
        (
            "--dates unix --exclude currently,hourly,flags --exclude alerts",
            #"{"latitude":1,"longitude":2,"timezone":"Europe/London"}"#
        ),
        (
            "--explain --fields flags.units",
            #"{"data":{"flags":{"units":"us"}},"drift":[{"kind":"coerced","path":"hourly.data[].temperature","#
                + #""reason":"numericString","count":1,"example":"hourly.data[0].temperature"}],"source":{"dialect":"darkSky"}}"#
        ),
    ])
    func optionsShapeTheDocument(_ options: String, _ expected: String) throws {
        let words = options.split(separator: " ").map(String.init)
        let result = try WeirProcess.run(["normalize", "--as", "darkSky"] + words, input: Array(Self.sky.utf8))
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output == expected)
        #expect(result.errors == "weir: repaired: coerced=1\n")
    }

    private static let bare = #"{"latitude":-nan,"timezone":"UTC","currently":{"time":1,"temperature":10}}"#

    @Test(
        "A document without a place and units gets those that were requested",
        arguments: [
            ("", #"{"timezone":"UTC","currently":{"time":1,"temperature":10},"flags":{"units":"us"}}"#),
            (
                "--place 1.5,-2",
                #"{"latitude":1.5,"longitude":-2,"timezone":"UTC","currently":{"time":1,"temperature":10},"flags":{"units":"us"}}"#
            ),
            (
                "--place=1.5, -2",
                #"{"latitude":1.5,"longitude":-2,"timezone":"UTC","currently":{"time":1,"temperature":10},"flags":{"units":"us"}}"#
            ),
            (
                "--upstream-units si --units us",
                #"{"timezone":"UTC","currently":{"time":1,"temperature":50},"flags":{"units":"us"}}"#
            ),
        ])
    func requested(_ options: String, _ expected: String) throws {
        let words = options.contains("=") ? [options] : options.split(separator: " ").map(String.init)
        for dialect in ["darkSky", "pirateWeather"] {
            let result = try WeirProcess.run(["normalize", "--as", dialect] + words, input: Array(Self.bare.utf8))
            #expect(result.output == expected, "\(result.errors)")
            #expect(result.errors == "weir: repaired: defaulted=1, approximated=1\n")
        }
    }

    @Test func aShapedDocumentCanBeShapedAgain() throws {
        for options in [["--units", "uk2"], ["--dates", "iso8601"], ["--units", "auto", "--dates", "iso8601"]] {
            let arguments = ["normalize", "--as", "darkSky"] + options
            let once = try WeirProcess.run(arguments, input: Checkout.forecast())
            let twice = try WeirProcess.run(arguments, input: Array(once.output.utf8))
            #expect(twice.status == 0)
            #expect(twice.output == once.output)
        }
    }

    @Test(arguments: [
        ("", "line 1, column 1 (byte 0)"),
        ("{", "line 1, column 2 (byte 1)"),
        ("{\"a\":1,}", "line 1, column 8 (byte 7)"),
        ("{\n  \"latitude\": 1,\n  \"longitude\": x\n}", "line 3, column 16 (byte 34)"),
        ("{\"latitude\": 1} {}", "line 1, column 17 (byte 16)"),
        ("<html></html>", "line 1, column 1 (byte 0)"),
        ("{\"a\": NaM}", "line 1, column 7 (byte 6)"),
        ("{\"é\": 01}", "line 1, column 7 (byte 7)"),
    ])
    func brokenJSONIsLocated(_ input: String, _ place: String) throws {
        let result = try Self.normalize(input)
        #expect(result.status == 65)
        #expect(result.output.isEmpty)
        #expect(result.errors.hasPrefix("weir: standard input: "))
        #expect(result.errors.contains(place), "\(result.errors)")
    }

    @Test(arguments: [
        ("{}", ["timezone"]),
        ("{\"latitude\":1,\"longitude\":2}", ["timezone"]),
        ("{\"latitude\":true,\"longitude\":2,\"timezone\":\"UTC\"}", ["latitude"]),
        ("{\"latitude\":\"north\",\"longitude\":200,\"timezone\":\"UTC\"}", ["latitude", "longitude"]),
        ("[]", ["the document"]), ("7", ["the document"]),
    ])
    func missingRequiredFieldsAreReportedByPath(_ input: String, _ paths: [String]) throws {
        let result = try Self.normalize(input)
        #expect(result.status == 65)
        #expect(result.output.isEmpty)
        for path in paths { #expect(result.errors.contains("\(path): "), "\(result.errors)") }
    }

    @Test(arguments: [
        ("darkSky", #"{"code":400,"error":"The given location is invalid."}"#, "The given location is invalid."),
        ("pirateWeather", #"{"message":"No API key found in request"}"#, "No API key found in request"),
        (
            "openMeteo", #"{"reason":"Latitude must be in range of -90 to 90°.","error":true}"#,
            "Latitude must be in range of -90 to 90°."
        ),
    ])
    func anUpstreamsErrorIsReportedWithItsReason(_ dialect: String, _ input: String, _ reason: String) throws {
        let result = try WeirProcess.run(["normalize", "--as", dialect], input: Array(input.utf8))
        #expect(result.status == 65)
        #expect(result.output.isEmpty)
        #expect(result.errors == "weir: standard input: the upstream answers with an error: \(reason)\n")
    }

    /// Lines of a page, of a flattened post, of a post of an archive and of something else.
    @Test func aFileOfSeveralDocumentsIsOneList() throws {
        let date = #""created_at":"2019-12-08""#
        let lines = """
            {"data":[{"id":"1","text":"a",\(date),"author_id":"7"}],"includes":{"users":[{"id":"7","username":"ada"}]},"__twarc":{}}
            {"id":"2","text":"b",\(date),"author_id":"8","author":{"id":"8","username":"bob"},"__twarc":{}}
            {"errors":[{"title":"Not Found Error"}]}
            {"tweet":{"id":"3","text":"c",\(date)}}
            """
        let result = try WeirProcess.run(
            ["normalize", "--as", "twitterV2", "--fields", "id,user"], input: Array(lines.utf8))
        #expect(result.status == 0)
        let users = [
            #""id":"1","user":{"id":"7","screenName":"ada"}"#, #""id":"2","user":{"id":"8","screenName":"bob"}"#,
        ]
        #expect(result.output == "[{\(users[0])},{\(users[1])},{\"id\":\"3\"}]")
        #expect(result.errors == "weir: repaired: dropped=1\n")
        let text = try WeirProcess.run(["normalize", "--as", "twitterV2", "--text"], input: Array(lines.utf8))
        #expect(text.output.hasPrefix("@ada  2019-12-08T00:00:00Z\na\n\n@bob "))
        #expect(text.output.hasSuffix("\n\nsomebody  2019-12-08T00:00:00Z\nc\n"))
        for (unusable, reason) in [("{} {}", "mistyped"), (lines + "{", "byte \(lines.utf8.count + 1)")] {
            let failed = try WeirProcess.run(["normalize", "--as", "twitterV2"], input: Array(unusable.utf8))
            #expect(failed.status == 65 && failed.output.isEmpty)
            #expect(failed.errors.contains(reason), "\(failed.errors)")
        }
    }

    @Test func everyRecordedForecastIsNormalized() throws {
        let files = try Checkout.corpus("darksky").filter { file in
            let document = try Parsed(Checkout.read(file))
            return ["latitude", "longitude", "timezone"].allSatisfy { !document[$0].isAbsent }
        }
        if files.isEmpty { return print("no corpus on this machine: recorded forecasts are not normalized") }
        for file in files {
            let result = try WeirProcess.run(["normalize", "--as", "darkSky", file])
            #expect(result.status == 0, "\(file): \(result.errors)")
            let (before, after) = (try Parsed(Checkout.read(file)), try Parsed(result.output))
            for key in ["latitude", "longitude", "offset"] {
                #expect(after[key].number == before[key].number, "\(file)")
            }
            for block in ["minutely", "hourly", "daily"] {
                #expect(after[block].isAbsent == before[block].isAbsent, "\(file)")
                #expect(after[block]["data"].count == before[block]["data"].count, "\(file)")
            }
            let leaves = after.leaves()
            #expect(leaves.filter { $0.value.isNull || $0.value.number == -999 }.map(\.path) == [], "\(file)")
            let again = try Self.normalize(result.output)
            #expect(again.status == 0)
            #expect(again.output == result.output, "\(file)")
        }
    }

    @Test func everyRecordedBrokenDocumentGetsALocation() throws {
        let files = Checkout.corpus("broken")
        if files.isEmpty { return print("no corpus on this machine: recorded broken documents are not read") }
        for file in files {
            let result = try WeirProcess.run(["normalize", "--as", "darkSky", file])
            #expect(result.status == 65, "\(file): \(result.errors)")
            #expect(result.output.isEmpty)
            #expect(result.errors.contains(/line [0-9]+, column [0-9]+ \(byte [0-9]+\)/), "\(file): \(result.errors)")
        }
    }
}
