import API
import CivilDates
import Testing

@testable import Contracts

@Suite("The times of the sun")
struct SolarDayTests {
    /// Places with published times of sunrise and sunset, to the minute, in local time.
    private static let places:
        [(name: String, zone: String, latitude: Double, longitude: Double, day: String, times: (String, String))] = [
            ("London", "Europe/London", 51.5074, -0.1278, "2024-06-20", ("04:43", "21:21")),
            ("London", "Europe/London", 51.5074, -0.1278, "2024-12-21", ("08:04", "15:53")),
            ("New York", "America/New_York", 40.7128, -74.006, "2024-06-20", ("05:25", "20:31")),
            ("New York", "America/New_York", 40.7128, -74.006, "2024-12-21", ("07:17", "16:32")),
            ("Berlin", "Europe/Berlin", 52.52, 13.405, "2024-06-21", ("04:43", "21:33")),
            ("Berlin", "Europe/Berlin", 52.52, 13.405, "2024-12-21", ("08:15", "15:54")),
            ("Paris", "Europe/Paris", 48.8566, 2.3522, "2024-06-21", ("05:47", "21:58")),
            ("Tokyo", "Asia/Tokyo", 35.6762, 139.6503, "2024-06-21", ("04:25", "19:00")),
            ("Tokyo", "Asia/Tokyo", 35.6762, 139.6503, "2024-12-21", ("06:47", "16:32")),
            ("Sydney", "Australia/Sydney", -33.8688, 151.2093, "2024-06-21", ("07:00", "16:54")),
            ("Sydney", "Australia/Sydney", -33.8688, 151.2093, "2024-12-21", ("05:41", "20:05")),
            ("Cape Town", "Africa/Johannesburg", -33.9249, 18.4241, "2024-12-21", ("05:32", "19:57")),
            ("Los Angeles", "America/Los_Angeles", 34.0522, -118.2437, "2024-06-20", ("05:42", "20:08")),
            ("Stockholm", "Europe/Stockholm", 59.3293, 18.0686, "2024-06-20", ("03:30", "22:08")),
            ("Stockholm", "Europe/Stockholm", 59.3293, 18.0686, "2024-12-21", ("08:44", "14:48")),
            ("Helsinki", "Europe/Helsinki", 60.1699, 24.9384, "2024-12-21", ("09:24", "15:13")),
            ("Reykjavik", "Atlantic/Reykjavik", 64.1466, -21.9426, "2024-12-21", ("11:22", "15:30")),
            ("Moscow", "Europe/Moscow", 55.7558, 37.6173, "2024-06-21", ("03:44", "21:18")),
            ("Singapore", "Asia/Singapore", 1.3521, 103.8198, "2024-03-20", ("07:09", "19:15")),
            ("Anchorage", "America/Anchorage", 61.2181, -149.9003, "2024-06-20", ("04:20", "23:42")),
            ("Kolkata", "Asia/Kolkata", 22.5726, 88.3639, "2024-03-20", ("05:41", "17:48")),
        ]

    /// Returns the sun's day, and its clock.
    private static func day(
        _ text: String, _ zone: String, _ latitude: Double, _ longitude: Double
    ) throws -> (sun: SolarDay, clock: LocalClock) {
        let clock = LocalClock(offset: nil, rules: ZoneRules.named(zone))
        let noon = try #require(ISO8601Timestamp.seconds(of: text + "T12:00:00").flatMap { clock.moment(ofLocal: $0) })
        return (SolarDay(around: noon, latitude: latitude, longitude: longitude), clock)
    }

    @Test("Times of 20 places are within two minutes of published ones")
    func table() throws {
        for place in Self.places {
            let (sun, clock) = try Self.day(place.day, place.zone, place.latitude, place.longitude)
            for (found, published) in [(sun.sunrise, place.times.0), (sun.sunset, place.times.1)] {
                let expected = ISO8601Timestamp.seconds(of: "\(place.day)T\(published):00")
                    .flatMap { clock.moment(ofLocal: $0) }
                // Published times are rounded, or cut, to the minute.
                let distance = try abs(#require(found) - #require(expected) - 15)
                #expect(distance <= 120, "\(place.name) \(place.day) \(published): \(distance)")
            }
        }
    }

    @Test(
        "In the polar day and the polar night the sun has no times",
        arguments: [
            ("2024-06-20", true), ("2024-12-21", false),
        ])
    func poles(day: String, isLit: Bool) throws {
        for (zone, latitude, longitude) in [("Europe/Oslo", 69.65, 18.96), ("Arctic/Longyearbyen", 78.22, 15.65)] {
            let sun = try Self.day(day, zone, latitude, longitude).sun
            #expect(sun.sunrise == nil && sun.sunset == nil && sun.isLit == isLit)
        }
        let south = try Self.day(day, "Antarctica/McMurdo", -77.85, 166.67).sun
        #expect(south.sunrise == nil && south.sunset == nil && south.isLit != isLit)
    }

    @Test("No place and no moment is without an answer, or has a sunset before its sunrise")
    func anything() {
        for latitude in stride(from: -90.0, through: 90, by: 7.5) {
            for longitude in stride(from: -180.0, through: 180, by: 45) {
                for noon in stride(from: -62e9, through: 253e9, by: 1.7e9) {
                    let sun = SolarDay(around: noon, latitude: latitude, longitude: longitude)
                    guard let sunrise = sun.sunrise, let sunset = sun.sunset else { continue }
                    #expect(sunrise <= sunset && sunset - sunrise <= 86_400)
                }
            }
        }
    }
}
