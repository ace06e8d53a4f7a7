import Records

/// Dimensions for the records of these tests. Units 0 are metric, units 1 imperial.
extension Units.Dimension {
    static let temperature = Self(
        "temperature", number: 0, units: [Unit(), Unit(scale: 5 / 9, offset: -160 / 9)], places: 2)
    static let speed = Self("speed", number: 1, units: [Unit(), Unit(scale: 0.44704)], places: 2)
    static let pressure = Self("pressure", number: 2, units: [Unit(), Unit()], places: 2)
    static let depth = Self("depth", number: 3, units: [Unit(), Unit(scale: 2.54)], places: 4)

    static let all: [Units.Dimension] = [temperature, speed, pressure, depth]
}
