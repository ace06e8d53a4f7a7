import CivilDates
import Testing

@testable import Contracts

@Suite("The phase of the moon")
struct MoonPhaseTests {
    /// Published by the United States Naval Observatory, https://aa.usno.navy.mil/data/MoonPhases, in UT.
    private static let newMoons = [
        "1994-01-11T23:10:00Z", "1994-02-10T14:30:00Z", "1994-03-12T07:05:00Z", "1994-04-11T00:17:00Z",
        "2024-01-11T11:57:00Z", "2024-02-09T22:59:00Z", "2024-03-10T09:00:00Z", "2024-04-08T18:21:00Z",
        "2024-05-08T03:22:00Z", "2024-06-06T12:38:00Z", "2024-07-05T22:57:00Z", "2024-08-04T11:13:00Z",
        "2024-09-03T01:56:00Z", "2024-10-02T18:49:00Z", "2024-11-01T12:47:00Z", "2024-12-01T06:21:00Z",
        "2024-12-30T22:27:00Z",
    ]
    private static let fullMoons = [
        "2024-01-25T17:54:00Z", "2024-02-24T12:30:00Z", "2024-03-25T07:00:00Z", "2024-04-23T23:49:00Z",
        "2024-05-23T13:53:00Z", "2024-06-22T01:08:00Z", "2024-07-21T10:17:00Z", "2024-08-19T18:26:00Z",
        "2024-09-18T02:34:00Z", "2024-10-17T11:26:00Z", "2024-11-15T21:28:00Z", "2024-12-15T09:02:00Z",
    ]

    private static func fraction(at text: String) throws -> Double {
        MoonPhase.fraction(at: Int64(try #require(ISO8601Timestamp.seconds(of: text))))
    }

    @Test("A published new moon is 0", arguments: newMoons)
    func new(time: String) throws {
        let fraction = try Self.fraction(at: time)
        #expect(min(fraction, 1 - fraction) < 0.003, "\(fraction)")
    }

    @Test("A published full moon is 0.5", arguments: fullMoons)
    func full(time: String) throws {
        let fraction = try Self.fraction(at: time)
        #expect(abs(fraction - 0.5) < 0.003, "\(fraction)")
    }

    @Test("The fraction grows from new to full to new", arguments: zip(newMoons.dropFirst(4), fullMoons))
    func grows(new: String, full: String) throws {
        let start = Int64(try #require(ISO8601Timestamp.seconds(of: new)))
        let fractions = (1...29).map { MoonPhase.fraction(at: start + $0 * 86400) }
        #expect(fractions == fractions.sorted())
        #expect(fractions[6] > 0.2 && fractions[6] < 0.3 && fractions[21] > 0.7 && fractions[21] < 0.8)
    }

    @Test("Any moment has a fraction below 1", arguments: [.min, -1, 0, 1 << 40, .max] as [Int64])
    func anyMoment(seconds: Int64) {
        #expect((0..<1).contains(MoonPhase.fraction(at: seconds)))
    }
}
