import LenientCoding

extension UnitSystem {
    /// The units that Dark Sky's `auto` chose for a place in the time zone of that IANA name.
    ///
    /// They are those of the country: `us` in the United States and their territories, `ca` in Canada, `uk2` in the
    /// United Kingdom, Guernsey, Jersey and the Isle of Man, `si` everywhere else.
    init(inTimeZone name: String) {
        self = Self.byTimeZone[name] ?? Self.byRegion.first { name.hasPrefix($0.prefix) }?.units ?? .si
    }

    /// Names that begin so are all in one country.
    private static let byRegion: [(prefix: String, units: UnitSystem)] = [
        ("US/", .us), ("America/Indiana/", .us), ("America/Kentucky/", .us), ("America/North_Dakota/", .us),
        ("Canada/", .ca),
    ]

    private static let byTimeZone: [String: UnitSystem] = {
        var units: [String: UnitSystem] = [:]
        for name in unitedStates { units[name] = .us }
        for name in canada { units[name] = .ca }
        for name in unitedKingdom { units[name] = .uk2 }
        return units
    }()

    /// Also the zones that are named after American time and follow its law.
    private static let unitedStates = [
        "America/Adak", "America/Anchorage", "America/Atka", "America/Boise", "America/Chicago", "America/Denver",
        "America/Detroit", "America/Fort_Wayne", "America/Indianapolis", "America/Juneau", "America/Knox_IN",
        "America/Los_Angeles", "America/Louisville", "America/Menominee", "America/Metlakatla", "America/New_York",
        "America/Nome", "America/Phoenix", "America/Puerto_Rico", "America/Shiprock", "America/Sitka",
        "America/St_Thomas", "America/Virgin", "America/Yakutat", "CST6CDT", "EST5EDT", "HST", "MST7MDT", "Navajo",
        "PST8PDT", "Pacific/Guam", "Pacific/Honolulu", "Pacific/Johnston", "Pacific/Midway", "Pacific/Pago_Pago",
        "Pacific/Saipan", "Pacific/Samoa", "Pacific/Wake",
    ]

    private static let canada = [
        "America/Atikokan", "America/Blanc-Sablon", "America/Cambridge_Bay", "America/Coral_Harbour",
        "America/Creston", "America/Dawson", "America/Dawson_Creek", "America/Edmonton", "America/Fort_Nelson",
        "America/Glace_Bay", "America/Goose_Bay", "America/Halifax", "America/Inuvik", "America/Iqaluit",
        "America/Moncton", "America/Montreal", "America/Nipigon", "America/Pangnirtung", "America/Rainy_River",
        "America/Rankin_Inlet", "America/Regina", "America/Resolute", "America/St_Johns", "America/Swift_Current",
        "America/Thunder_Bay", "America/Toronto", "America/Vancouver", "America/Whitehorse", "America/Winnipeg",
        "America/Yellowknife",
    ]

    private static let unitedKingdom = [
        "Europe/Belfast", "Europe/Guernsey", "Europe/Isle_of_Man", "Europe/Jersey", "Europe/London", "GB", "GB-Eire",
    ]
}
