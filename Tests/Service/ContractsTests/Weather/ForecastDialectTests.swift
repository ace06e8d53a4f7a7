import API
import Contracts
import Testing

@Suite("Dialects of forecasts")
struct ForecastDialectTests {
    @Test("A dialect is found by its name", arguments: ForecastDialect.all.map(\.name))
    func named(name: String) { #expect(ForecastDialect.named(name)?.name == name) }

    @Test("An unknown name finds no dialect", arguments: ["", "DarkSky", "darkSky ", "none"])
    func unknownName(name: String) { #expect(ForecastDialect.named(name) == nil) }

    @Test("The key of each dialect has its own location")
    func keyLocations() {
        #expect(ForecastDialect.darkSky.keyLocation == .path)
        #expect(ForecastDialect.pirateWeather.keyLocation == .header("apikey"))
        #expect(ForecastDialect.weatherKit.keyLocation == .bearer)
        #expect(ForecastDialect.darkSky.needsKey && ForecastDialect.pirateWeather.needsKey)
    }
}

@Suite("Error messages")
struct ErrorMessageTests {
    @Test(
        "The message of a Dark Sky error is its text member error",
        arguments: [
            (#"{"code":400,"error":"The given location is invalid."}"#, "The given location is invalid."),
            (#"{"code":400,"error":{"text":"a"}}"#, nil), (#"{"code":403}"#, nil), ("[]", nil), ("403", nil),
        ] as [(String, String?)])
    func darkSky(body: String, expected: String?) {
        #expect(ForecastDialect.darkSky.errorMessage(in: Array(body.utf8)) == expected)
    }

    @Test(
        "The message of a Pirate Weather error is its text member detail, message or error",
        arguments: [
            (#"{"detail":"Invalid Location Specification"}"#, "Invalid Location Specification"),
            (#"{"message":"no Route matched with those values"}"#, "no Route matched with those values"),
            (#"{"message":"An invalid response was received","request_id":"1f"}"#, "An invalid response was received"),
            (#"{"error":"rate limit"}"#, "rate limit"), (#"{"detail":null,"message":"b"}"#, "b"),
            (#"{"detail":[{"msg":"a"}]}"#, nil), ("{}", nil),
            ("<html><body><h1>401 Unauthorized</h1></body></html>", nil),
            ("<!DOCTYPE html>\n<title>429 Too Many Requests</title>", nil),
        ] as [(String, String?)])
    func pirateWeather(body: String, expected: String?) {
        #expect(ForecastDialect.pirateWeather.errorMessage(in: Array(body.utf8)) == expected)
    }

    @Test(
        "The message of a WeatherKit error is its text member message, reason or error, and NOT_ENABLED is explained",
        arguments: [
            (
                #"{"reason":"NOT_ENABLED"}"#,
                "NOT_ENABLED: the token is wrong, or WeatherKit is not enabled for its key"
            ),
            (#"{"reason":"RATE_LIMITED"}"#, "RATE_LIMITED"),
            (#"{"status":404,"error":"Not Found","message":"No such place","path":"/"}"#, "No such place"),
            (#"{"status":400,"error":"Bad Request","message":""}"#, "Bad Request"),
            (#"{"status":500}"#, nil), ("", nil), ("[]", nil),
        ] as [(String, String?)])
    func weatherKit(body: String, expected: String?) {
        #expect(ForecastDialect.weatherKit.errorMessage(in: Array(body.utf8)) == expected)
    }

    @Test(
        "A short line of plain text is a message; markup, broken JSON and long text are not",
        arguments: ForecastDialect.all.map(\.name),
        [
            ("Forbidden", "Forbidden"), (" \r\nForbidden\n", "Forbidden"),
            ("daily {usage} naïve", "daily {usage} naïve"),
            ("", nil), (" \n ", nil), ("Forbidden\nfor now", nil), ("Forbidden <b>", nil), ("a\u{0}b", nil),
            (#"{"error":"a""#, nil), (#"["a""#, nil), (#""a"#, nil), (String(repeating: "a", count: 201), nil),
            (String(repeating: "é", count: 100), String(repeating: "é", count: 100)),
        ] as [(String, String?)])
    func plainText(dialect: String, body: (text: String, message: String?)) throws {
        let dialect = try #require(ForecastDialect.named(dialect))
        #expect(dialect.errorMessage(in: Array(body.text.utf8)) == body.message)
    }

    @Test("Text that is not UTF-8 is not a message")
    func invalidText() {
        #expect(ForecastDialect.darkSky.errorMessage(in: [0x61, 0xFF, 0x62]) == nil)
    }
}
