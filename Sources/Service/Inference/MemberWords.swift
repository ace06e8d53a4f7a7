import Mapping

/// The words of a member's name, such as `wind`, `speed` and `kmh`, and what they say of its values.
struct MemberWords {
    private static let ofTimes: Set = [
        "at", "created", "date", "datetime", "dt", "end", "epoch", "expires", "expiry", "modified", "moonrise",
        "moonset",
        "published", "since", "start", "sunrise", "sunset", "time", "timestamp", "ts", "until", "updated",
    ]
    private static let ofIdentifiers: Set = [
        "code", "ean", "hash", "iban", "id", "ids", "isbn", "key", "no", "number", "phone", "postal", "postcode", "sha",
        "sku", "tel", "version", "zip",
    ]
    /// The beginnings of words that are said of a quantity.
    private static let stems: [(quantity: MappedUnit.Quantity, stems: [String])] = [
        (.temperature, ["temp", "dew", "feels", "heat", "chill"]), (.speed, ["speed", "wind", "gust", "velocity"]),
        (.pressure, ["press", "baro"]), (.mass, ["weight", "mass"]),
        (
            .length,
            ["dist", "vis", "height", "elev", "alt", "depth", "snow", "precip", "rain", "width", "length", "radius"]
        ),
        (.time, ["duration", "elapsed", "timeout", "interval", "delay", "latency", "runtime"]),
    ]
    /// Names of units that are also other words.
    private static let ambiguous: Set = ["min", "one", "day", "days", "foot", "feet", "second", "unity", "fraction"]

    private let words: [String]

    init(_ name: String) {
        let matches = name.prefix(ValueSurvey.maximumNameBytes).matches(of: /[A-Z]*[a-z0-9]+|[A-Z]+/)
        words = matches.map { $0.output.lowercased() }
    }

    /// Whether the values are times.
    var isTime: Bool {
        guard !isIdentifier, let last = words.last else { return false }
        return words.contains { Self.ofTimes.contains($0) } || last.hasSuffix("time") || last.hasSuffix("date")
    }

    /// Whether the values are names of things, even if they are numbers.
    var isIdentifier: Bool { words.contains { Self.ofIdentifiers.contains($0) } }

    /// The unit that the last word names; sure if another word names the quantity.
    var unit: (unit: MappedUnit, isSure: Bool)? {
        guard let last = words.last, words.count > 1 else { return nil }
        for (quantity, stems) in Self.stems
        where words.dropLast().contains(where: { word in stems.contains { word.hasPrefix($0) } }) {
            let spelling = quantity == .speed && last == "ms" ? "m/s" : last
            for text in [spelling, spelling.uppercased(), spelling.prefix(1).uppercased() + spelling.dropFirst()] {
                if let unit = MappedUnit.named(text), unit.quantity == quantity { return (unit, true) }
            }
        }
        return last.count < 3 || Self.ambiguous.contains(last) ? nil : MappedUnit.named(last).map { ($0, false) }
    }

    /// The names of members beside one called `name` that may name its unit.
    static func ofUnits(for name: String) -> [String] {
        let own = ["_unit", "_units", "_uom", "Unit", "Units", "Uom"].map { name + $0 }
        return name == "value" ? own + ["unit", "units", "unitCode", "unit_code", "uom"] : own
    }
}
