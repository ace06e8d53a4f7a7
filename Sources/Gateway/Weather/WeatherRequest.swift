import Contracts
import HTTPCore
import LenientCoding

/// What a client asks of the weather, by whichever route.
struct WeatherRequest: Sendable {
    var query: ForecastQuery
    var shaping = Shaping()
    /// Whether the answer says what was repaired, and where it comes from.
    var isExplained = false
}

extension Shaping.Units {
    /// The names of all units that clients are told of.
    static let names = ["si", "us", "ca", "uk2", "auto"]

    /// The units called `name`.
    init?(_ name: String) {
        if name == "auto" {
            self = .automatic
        } else if let system = UnitSystem(rawValue: name) {
            self = .system(system)
        } else {
            return nil
        }
    }
}

/// The bounds of places, in degrees.
enum PlaceRange {
    static let latitude = -90.0...90
    static let longitude = -180.0...180
}
