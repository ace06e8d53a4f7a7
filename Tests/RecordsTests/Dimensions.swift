import Records

/// Dimensions for the records of these tests. Units 0 are metric, units 1 imperial.
extension Dimension {
    static let temperature = Dimension(
        "temperature", number: 0, units: [Unit(), Unit(scale: 5 / 9, offset: -160 / 9)], places: 2)
    static let speed = Dimension("speed", number: 1, units: [Unit(), Unit(scale: 0.44704)], places: 2)
    static let pressure = Dimension("pressure", number: 2, units: [Unit(), Unit()], places: 2)
    static let depth = Dimension("depth", number: 3, units: [Unit(), Unit(scale: 2.54)], places: 4)

    static let all: [Dimension] = [temperature, speed, pressure, depth]
}
