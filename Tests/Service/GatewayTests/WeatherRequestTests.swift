@testable import API
import Contracts
import HTTPCore
import Records
import Testing

@testable import Gateway

struct WeatherRequestTests {
    private static func weather(_ query: String) throws -> WeatherRequest {
        let known = WeatherParameters(units: "si")
        return try WeatherRequest(
            Parameters(try #require(Query("lat=1&lon=2&\(query)")), known: known.specs), known)
    }

    private static func darkSky(_ place: Substring, _ query: String = "") throws -> WeatherRequest {
        try WeatherRequest(
            darkSky: place, try #require(Query(query)), DarkSkyParameters(WeatherParameters(units: "si")))
    }

    @Test(
        arguments: [
            ("0", .unix(0)), ("-1", .unix(-1)), ("007", .unix(7)), ("253402300799", .unix(253_402_300_799)),
            ("1970-01-02T00:00:00Z", .unix(86_400)), ("1970-01-01T00:00:00+0200", .unix(-7200)),
            ("1970-01-01T00:00:00-05:30", .unix(19_800)), ("2016-12-31T23:59:60Z", .unix(1_483_228_800)),
            ("2013-05-06T12:00:00", .local("2013-05-06T12:00:00")),
            ("2016-12-31T23:59:60", .local("2017-01-01T00:00:00")),
            ("0001-01-01T00:00:00", .local("0001-01-01T00:00:00")),
        ] as [(String, ForecastQuery.Moment)])
    func aMomentIsReadInEveryForm(_ text: String, _ moment: ForecastQuery.Moment) {
        #expect(MomentText.read(text) == moment)
    }

    @Test(arguments: [
        "", "-", "+1", " 1", "1 ", "1.0", "1e3", "0x1", "١", "2013-05-06", "2013-05-06 12:00:00", "2013-05-06T12:00",
        "2013-5-06T12:00:00", "2013-05-06T12:00:00+02", "2013-05-06T12:00:00 0200", "2013-05-06T12:00:00Zx",
        "2013-05-06T12:00:00z", "2013-05-06T12:00:00.0", "2013-02-30T12:00:00", "2013-05-06T25:00:00Z",
        "9999-12-31T23:59:60", "0001-01-01T00:00:00+0100", "0000-06-01T00:00:00", "2013-05-06T12:00:00+2460",
        "２013-05-06T12:00:00",
    ])
    func anyOtherTextIsNotAMoment(_ text: String) { #expect(MomentText.read(text) == nil) }

    @Test func everyWeatherParameterIsRead() throws {
        let query =
            "time=5&units=ca&lang=de&exclude=flags,dayNight&extend=hourly&fields=currently&dates=iso8601&explain=1"
        let request = try Self.weather(query)
        #expect(request.query.latitude == 1 && request.query.longitude == 2)
        #expect(request.query.time == .unix(5))
        #expect(request.query.language == "de")
        #expect(request.query.extendsHourly)
        #expect(request.shaping.units == .system(.ca))
        #expect(request.shaping.dates == .iso8601)
        #expect(request.shaping.excluded == [.flags, .dayNight])
        #expect(request.shaping.fields != nil)
        #expect(request.shaping.darkSky == nil)
        #expect(request.explanation == .repairs)
    }

    @Test func absentParametersHaveTheirDefaults() throws {
        let request = try Self.weather("")
        #expect(request.query.time == nil && request.query.language == nil && !request.query.extendsHourly)
        #expect(request.shaping.units == .system(.si))
        #expect(request.shaping.dates == .unix)
        #expect(request.shaping.excluded == [])
        #expect(request.shaping.fields == nil)
        #expect(request.explanation == .none)
        #expect(try Self.weather("units=auto").shaping.units == .automatic)
    }

    @Test(
        arguments: [
            ("", .system(.us)), ("units=", .system(.us)), ("units=si", .system(.si)), ("units=SI", .system(.si)),
            ("units=uk", .system(.uk)), ("units=uk2", .system(.uk2)), ("units=auto", .automatic),
            ("units=ca&units=si", .system(.ca)), ("units=%20us%20", .system(.us)),
        ] as [(String, Shaping.Units)])
    func aDarkSkyClientGetsTheUnitsItAsksFor(_ query: String, _ units: Shaping.Units) throws {
        let request = try Self.darkSky("1,2", query)
        #expect(request.shaping.units == units)
        #expect(request.shaping.darkSky == .documented)
    }

    @Test(arguments: [("version=2", DarkSkyForm.extended), ("version=1", .documented), ("version=", .documented)])
    func aDarkSkyClientGetsTheOtherFieldsByVersion2(_ query: String, _ form: DarkSkyForm) throws {
        #expect(try Self.darkSky("1,2", query).shaping.darkSky == form)
    }

    @Test(
        arguments: [
            ("exclude=hourly,flags", [.hourly, .flags]), ("exclude=[hourly,flags]", [.hourly, .flags]),
            ("exclude=hourly,%20flags", [.hourly, .flags]), ("exclude=hourly&exclude=flags", [.hourly, .flags]),
            ("exclude=Hourly,FLAGS,weekly", [.hourly, .flags]), ("exclude=,", []), ("exclude=", []),
        ] as [(String, Set<ForecastBlock>)])
    func blocksThatADarkSkyClientExcludesAreLeftOut(_ query: String, _ blocks: Set<ForecastBlock>) throws {
        #expect(try Self.darkSky("1,2", query).shaping.excluded == blocks)
    }

    @Test(
        arguments: [
            ("1,2", 1, 2, nil), (" 1.5 , -2 ", 1.5, -2, nil), ("-90,180,7", -90, 180, .unix(7)),
            ("1,2,7.9", 1, 2, .unix(7)), ("1,2,2013-05-06T12:00:00.123Z", 1, 2, .unix(1_367_841_600)),
            ("1e1,+2,2013-05-06T12:00:00", 10, 2, .local("2013-05-06T12:00:00")),
        ] as [(Substring, Double, Double, ForecastQuery.Moment?)])
    func thePlaceAndTheTimeAreReadFromAPath(
        _ place: Substring, _ latitude: Double, _ longitude: Double, _ time: ForecastQuery.Moment?
    ) throws {
        let query = try Self.darkSky(place).query
        #expect(query.latitude == latitude && query.longitude == longitude && query.time == time)
    }

    @Test func theCallCounterRestartsEachDay() {
        let counter = CallCounter()
        #expect([100, 200, 86_399, 86_400, 86_401, 172_800].map { counter.next(now: $0) } == [1, 2, 3, 1, 2, 1])
    }

    @Test(arguments: [0, 1, 1023, 30_000, 300_000])
    func compressedBodiesAreGzip(_ count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 / 3) }
        let compressed = try #require(Compression.compress(bytes, .gzip))
        #expect(compressed.starts(with: [0x1F, 0x8B, 8]))
        #expect(compressed.count <= max(64, count))
        #expect(Array(compressed.suffix(4)) == withUnsafeBytes(of: UInt32(count).littleEndian) { Array($0) })
    }
}
