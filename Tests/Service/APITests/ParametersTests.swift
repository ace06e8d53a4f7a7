@testable import API
import HTTPCore
import Testing

struct ParametersTests {
    private static func read(
        _ query: String, _ range: ClosedRange<Double> = -90...90
    ) throws -> (value: Double?, faults: [String]) {
        let latitude = Parameter("lat", .number(in: range, "degrees"), isRequired: true, "The latitude.")
        let longitude = Parameter("lon", .number(in: range, "degrees"), "The longitude.")
        var parameters = Parameters(try #require(Query(query)), known: [latitude.spec, longitude.spec])
        let value = parameters.read(latitude)
        return (value, parameters.faults.map { "\($0.name) \($0.detail)" })
    }

    @Test(arguments: [
        ("lat=0", 0.0), ("lat=-0", 0), ("lat=90", 90), ("lat=-90", -90), ("lat=37.8267", 37.8267), ("lat=%2B5", 5),
        ("lat=1e1", 10), ("lat=1E-3", 0.001), ("lat=00012", 12), ("lat=.5", 0.5), ("lat=5.", 5), ("lon=1&lat=2", 2),
        ("l%61t=3", 3),
    ])
    func aNumberWithinItsRangeIsRead(_ query: String, _ value: Double) throws {
        let (read, faults) = try Self.read(query)
        #expect(read == value)
        #expect(faults == [])
    }

    @Test(arguments: [
        "90.1", "-91", "abc", "", "nan", "inf", "-infinity", "0x1p3", "1e999", "1_000", "%201", "1%20", "1,5", "1.2.3",
        "+", "--1", "e5", "%D9%A1",
    ])
    func anyOtherNumberIsRefusedWithTheRange(_ text: String) throws {
        let (value, faults) = try Self.read("lat=\(text)")
        #expect(value == nil)
        #expect(faults.count == 1)
        #expect(faults.first?.hasPrefix("lat must be a number from -90 to 90 degrees, not \"") == true)
    }

    @Test func aMissingParameterIsReportedWithWhatItTakes() throws {
        #expect(try Self.read("lon=1").faults == ["lat is missing: it takes a number from -90 to 90 degrees"])
        #expect(try Self.read("", 0.5...1.5).faults == ["lat is missing: it takes a number from 0.5 to 1.5 degrees"])
    }

    @Test func aRepeatedParameterIsRefused() throws {
        let (value, faults) = try Self.read("lat=1&lat=1&lat=1")
        #expect(value == nil)
        #expect(faults == ["lat appears 3 times: it takes a number from -90 to 90 degrees, once"])
    }

    @Test func everyUnknownParameterIsReportedInOrder() throws {
        let (value, faults) = try Self.read("timezone=1&lat=1&latt=2&timezone=3")
        #expect(value == 1)
        let known = "is not a parameter of this path, which takes \"lat\", \"lon\""
        #expect(faults == ["latt \(known); did you mean \"lat\"?", "timezone \(known)"])
    }

    @Test(arguments: [
        ("latitude", "lat"), ("longitude", "lon"), ("language", "lang"), ("Lang", "lang"), ("la", "lat"),
    ])
    func aWrongNameGetsTheRightOneAsAHint(_ name: String, _ meant: String) {
        #expect(Quotation.hint(name, among: ["lat", "lon", "lang"]) == "; did you mean \"\(meant)\"?")
    }

    @Test func longTextsAreTruncatedInMessages() throws {
        let long = String(repeating: "9", count: 500)
        let (_, faults) = try Self.read("lat=\(long)&\(long)=1")
        #expect(faults.count == 2)
        #expect(faults.allSatisfy { $0.utf8.count < 200 })
    }
}
