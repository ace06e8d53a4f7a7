public import Records

/// A system of units: the unit in which each dimension is measured.
///
/// The names and choices are Dark Sky's. Old documents name `uk`, which `uk2` replaced.
public enum UnitSystem: String, Sendable, CaseIterable {
    /// °C, m/s, km, mm/h, cm.
    case si
    /// As `si`, with km/h.
    case ca
    /// As `si`, with mph and miles.
    case uk2
    /// As `si`, with mph.
    case uk
    /// °F, mph, miles, in/h, in.
    case us

    /// The system's number in the tables of units: its index in `allCases`.
    public var units: Units { Units(number: Self.allCases.firstIndex(of: self) ?? 0) }

    /// The conversion to another system; nil if it is the same one.
    ///
    /// Temperatures, speeds and distances are rounded to two decimals, rates and depths to four.
    public func conversion(to other: UnitSystem) -> Conversion? {
        self == other ? nil : Self.conversions[units.number][other.units.number]
    }

    /// The conversions by the numbers of the two systems.
    private static let conversions = allCases.map { from in
        allCases.map { Conversion(from: from.units, to: $0.units, of: Units.Dimension.ofWeather) }
    }
}

extension Units {
    /// The units of `UnitSystem.si`, in which the tables state their ranges.
    public static let si = base
    /// The units of `UnitSystem.us`.
    public static let us = Units(number: 4)
}

/// The quantities of a forecast; units are in the order of ``UnitSystem``: si, ca, uk2, uk, us.
extension Units.Dimension {
    /// Temperature: °C or °F.
    public static let temperature = Self(
        "temperature", number: 0, units: [celsius, celsius, celsius, celsius, fahrenheit], places: 2)
    /// Speed of the wind: m/s, km/h or mph.
    public static let speed = Self(
        "speed", number: 1,
        units: [Unit("m/s"), Unit("km/h", scale: 1 / 3.6), milesPerHour, milesPerHour, milesPerHour], places: 2)
    /// Distance, for visibility and storms: km or miles.
    public static let distance = Self(
        "distance", number: 2, units: [kilometre, kilometre, mile, kilometre, mile], places: 2)
    /// Rate of precipitation: mm/h or in/h.
    public static let rate = Self(
        "rate", number: 3, units: [hourly, hourly, hourly, hourly, Unit("in/h", scale: 25.4)], places: 4)
    /// Depth of precipitation: cm or in.
    public static let depth = Self(
        "depth", number: 4, units: [centimetre, centimetre, centimetre, centimetre, Unit("in", scale: 2.54)],
        places: 4)
    /// Air pressure: hPa in every system.
    public static let pressure = Self("pressure", number: 5, units: [Unit("hPa")], places: 2)

    /// Every dimension of a forecast.
    public static let ofWeather: [Units.Dimension] = [temperature, speed, distance, rate, depth, pressure]

    private static let celsius = Unit("°C")
    private static let fahrenheit = Unit("°F", scale: 5 / 9, offset: -160 / 9)
    private static let milesPerHour = Unit("mph", scale: 0.44704)
    private static let kilometre = Unit("km")
    private static let mile = Unit("mi", scale: 1.609344)
    private static let hourly = Unit("mm/h")
    private static let centimetre = Unit("cm")
}

extension UnitSystem {
    /// The system that Dark Sky's `auto` chose for a place in the IANA time zone `name`.
    ///
    /// It depends on the country: `us` in the United States and its territories, `ca` in Canada, `uk2` in the United
    /// Kingdom, Guernsey, Jersey and the Isle of Man, `si` everywhere else.
    init(inTimeZone name: String) {
        func begins(with prefixes: String...) -> Bool { prefixes.contains { name.hasPrefix($0) } }
        if Self.unitedStates.contains(name)
            || begins(with: "US/", "America/Indiana/", "America/Kentucky/", "America/North_Dakota/")
        {
            self = .us
        } else if Self.canada.contains(name) || begins(with: "Canada/") {
            self = .ca
        } else {
            self = Self.unitedKingdom.contains(name) ? .uk2 : .si
        }
    }

    /// Includes the zones that are named after a North American standard time.
    private static let unitedStates: Set = [
        "America/Adak", "America/Anchorage", "America/Atka", "America/Boise", "America/Chicago", "America/Denver",
        "America/Detroit", "America/Fort_Wayne", "America/Indianapolis", "America/Juneau", "America/Knox_IN",
        "America/Los_Angeles", "America/Louisville", "America/Menominee", "America/Metlakatla", "America/New_York",
        "America/Nome", "America/Phoenix", "America/Puerto_Rico", "America/Shiprock", "America/Sitka",
        "America/St_Thomas", "America/Virgin", "America/Yakutat", "CST6CDT", "EST5EDT", "HST", "MST7MDT", "Navajo",
        "PST8PDT", "Pacific/Guam", "Pacific/Honolulu", "Pacific/Johnston", "Pacific/Midway", "Pacific/Pago_Pago",
        "Pacific/Saipan", "Pacific/Samoa", "Pacific/Wake",
    ]

    private static let canada: Set = [
        "America/Atikokan", "America/Blanc-Sablon", "America/Cambridge_Bay", "America/Coral_Harbour",
        "America/Creston", "America/Dawson", "America/Dawson_Creek", "America/Edmonton", "America/Fort_Nelson",
        "America/Glace_Bay", "America/Goose_Bay", "America/Halifax", "America/Inuvik", "America/Iqaluit",
        "America/Moncton", "America/Montreal", "America/Nipigon", "America/Pangnirtung", "America/Rainy_River",
        "America/Rankin_Inlet", "America/Regina", "America/Resolute", "America/St_Johns", "America/Swift_Current",
        "America/Thunder_Bay", "America/Toronto", "America/Vancouver", "America/Whitehorse", "America/Winnipeg",
        "America/Yellowknife",
    ]

    private static let unitedKingdom: Set = [
        "Europe/Belfast", "Europe/Guernsey", "Europe/Isle_of_Man", "Europe/Jersey", "Europe/London", "GB", "GB-Eire",
    ]
}
