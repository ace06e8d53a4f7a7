import LenientCoding

/// What the Forecast contract makes of a document, worked out a second time and in the plainest way: from the text of the
/// contract, member by member, and knowing nothing of the tables.
struct ReferenceForecast {
    /// Something that was repaired: what happened, and where, with `[]` for any element.
    struct Repair: Hashable {
        let kind: DriftReport.Kind
        let path: String
    }

    /// The clean document; nil when it is refused.
    private(set) var document: JSONValue?
    /// The paths of what is required and is not there.
    private(set) var lacking: Set<String> = []
    /// How often each repair was made.
    private(set) var repairs: [Repair: Int] = [:]

    init(of value: JSONValue) {
        guard let members = value.members else {
            lacking = [""]
            return
        }
        let forecast = object(members, order: Self.rootNames, at: "") { name, value, path, reference in
            switch name {
            case "latitude", "longitude":
                reference.number(value, path, within: name == "latitude" ? -90...90 : -180...180, absent: [""])
            case "timezone": reference.text(value, path, absent: [""])
            case "offset", "elevation": reference.number(value, path, absent: [""])
            case "currently": reference.point(value, path)
            case "alerts": reference.list(value, path) { $2.alert($0, $1) }
            case "flags": reference.flags(value, path)
            default: reference.block(value, path)
            }
        }
        lacking = Set(["latitude", "longitude", "timezone"].filter { forecast[$0] == nil })
        document = lacking.isEmpty ? forecast : nil
    }

    // MARK: Names, in the order in which they are declared

    private static let rootNames = names(
        "latitude longitude timezone offset elevation currently minutely hourly daily dayNight alerts flags")
    private static let blockNames = names("summary icon data")
    private static let alertNames = names("title regions severity time expires description uri")
    private static let flagNames = names("sources units nearestStation version sourceTimes")
    private static let pointNames = names(
        """
        time summary icon nearestStormDistance nearestStormBearing sunriseTime sunsetTime dawnTime duskTime moonPhase
        precipIntensity precipIntensityError precipIntensityMax precipIntensityMaxTime precipIntensityMin
        precipIntensityMinTime precipProbability precipType precipAccumulation rainIntensity snowIntensity iceIntensity
        rainIntensityMax snowIntensityMax iceIntensityMax liquidAccumulation snowAccumulation iceAccumulation
        currentDayIce currentDayLiquid currentDaySnow temperature apparentTemperature feelsLike temperatureHigh
        temperatureHighTime temperatureLow temperatureLowTime temperatureMin temperatureMinTime temperatureMax
        temperatureMaxTime apparentTemperatureHigh apparentTemperatureHighTime apparentTemperatureLow
        apparentTemperatureLowTime apparentTemperatureMin apparentTemperatureMinTime apparentTemperatureMax
        apparentTemperatureMaxTime dewPoint humidity pressure stationPressure windSpeed windGust windGustTime windBearing
        cloudCover uvIndex uvIndexTime visibility ozone solar solarMax smoke smokeMax smokeMaxTime fireIndex fireIndexMax
        fireIndexMaxTime cape capeMax capeMaxTime airQualityIndex airQualityIndexMax airQualityIndexMin coConcentration
        no2Concentration ozoneConcentration so2Concentration pm10 pm25
        """)
    /// Other spellings of names.
    private static let spellings = [
        "day_night": "dayNight", "nearest-station": "nearestStation", "nearest_station": "nearestStation",
        "source-times": "sourceTimes", "source_times": "sourceTimes",
    ]
    private static let icons = names(
        """
        clear-day clear-night rain snow sleet wind fog cloudy partly-cloudy-day partly-cloudy-night hail thunderstorm
        tornado mixed
        """)
    private static let precipitationTypes = names("rain snow sleet hail ice mixed")
    private static let severities = names("advisory watch warning")

    private static func names(_ text: String) -> [String] {
        text.split(whereSeparator: \.isWhitespace).map(String.init)
    }

    // MARK: Objects

    private typealias Member = (String, JSONValue, String, inout ReferenceForecast) -> JSONValue?

    /// The members that the contract names, in its order; what is unknown is counted.
    private mutating func object(
        _ members: [JSONValue.Member], order: [String], at path: String, _ read: Member
    ) -> JSONValue {
        var kept: [String: JSONValue] = [:]
        for member in members {
            let name = Self.spellings[member.key] ?? member.key
            let place = path.isEmpty ? name : "\(path).\(name)"
            if order.contains(name) {
                kept[name] = member.value.isNull ? nil : read(name, member.value, place, &self)
            } else {
                note(.unexpectedKey, place)
            }
        }
        return .object(order.compactMap { name in kept[name].map { JSONValue.Member(name, $0) } })
    }

    /// A point needs its time; without it nothing that was repaired in it counts.
    private mutating func point(_ value: JSONValue, _ path: String) -> JSONValue? {
        let before = repairs
        if let members = value.members {
            let point = object(members, order: Self.pointNames, at: path) { name, value, path, reference in
                switch name {
                case "summary": reference.text(value, path, absent: ["", "none"])
                case "icon": reference.word(value, path, of: Self.icons, absent: ["", "none"])
                case "precipType": reference.word(value, path, of: Self.precipitationTypes, absent: ["", "none"])
                default: reference.number(value, path, absent: ["", "none"])
                }
            }
            if point["time"] != nil { return point }
        }
        repairs = before
        return drop(path)
    }

    private mutating func block(_ value: JSONValue, _ path: String) -> JSONValue? {
        guard let members = value.members else { return drop(path) }
        return object(members, order: Self.blockNames, at: path) { name, value, path, reference in
            switch name {
            case "summary": reference.text(value, path, absent: ["", "none"])
            case "icon": reference.word(value, path, of: Self.icons, absent: ["", "none"])
            default: reference.list(value, path) { $2.point($0, $1) }
            }
        }
    }

    private mutating func alert(_ value: JSONValue, _ path: String) -> JSONValue? {
        guard let members = value.members else { return drop(path) }
        return object(members, order: Self.alertNames, at: path) { name, value, path, reference in
            switch name {
            case "regions": reference.list(value, path) { $2.text($0, $1, absent: [""], missing: .dropped) }
            case "severity": reference.word(value, path, of: Self.severities, absent: [""])
            case "time", "expires": reference.number(value, path, absent: [""])
            default: reference.text(value, path, absent: [""])
            }
        }
    }

    /// Flags keep every other scalar or list behind the listed ones, in camelCase.
    private mutating func flags(_ value: JSONValue, _ path: String) -> JSONValue? {
        guard let members = value.members else { return drop(path) }
        let isListed = { (member: JSONValue.Member) in
            Self.flagNames.contains(Self.spellings[member.key] ?? member.key)
        }
        let listed = object(members.filter(isListed), order: Self.flagNames, at: path) { name, value, path, reference in
            switch name {
            case "sources": reference.list(value, path) { $2.text($0, $1, absent: [""], missing: .dropped) }
            case "nearestStation": reference.number(value, path, absent: [""])
            case "sourceTimes": reference.map(value, path)
            default: reference.text(value, path, absent: [""])
            }
        }
        let others = kept(members.filter { !isListed($0) }, path, objectsAre: .unexpectedKey)
        return .object((listed.members ?? []) + others.map { JSONValue.Member(Self.camelCase($0.key), $0.value) })
    }

    /// An object whose keys are data.
    private mutating func map(_ value: JSONValue, _ path: String) -> JSONValue? {
        guard let members = value.members else { return drop(path) }
        return .object(kept(members, path, objectsAre: .dropped))
    }

    /// The members that are scalars or lists and stand for something.
    private mutating func kept(
        _ members: [JSONValue.Member], _ path: String, objectsAre kind: DriftReport.Kind
    ) -> [JSONValue.Member] {
        members.filter { member in
            switch member.value {
            case .null: return false
            case .object: note(kind, "\(path).\(member.key)")
            case .string(""): note(.defaulted, "\(path).\(member.key)")
            case .number where member.value.doubleValue == -999: note(.defaulted, "\(path).\(member.key)")
            default: return true
            }
            return false
        }
    }

    private static func camelCase(_ key: String) -> String {
        let words = key.split { $0 == "-" || $0 == "_" || $0 == " " }
        let first = words.prefix(1).map { $0.prefix(1).lowercased() + $0.dropFirst() }
        return (first + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }).joined()
    }

    // MARK: Values

    /// The elements that can be read; the others are counted by `read`.
    private mutating func list(
        _ value: JSONValue, _ path: String,
        _ read: (JSONValue, String, inout ReferenceForecast) -> JSONValue?
    ) -> JSONValue? {
        guard let elements = value.elements else { return drop(path) }
        return .array(elements.compactMap { read($0, path + "[]", &self) })
    }

    /// A number or its text.
    private mutating func number(
        _ value: JSONValue, _ path: String, within range: ClosedRange<Double>? = nil, absent: Set<String>
    ) -> JSONValue? {
        var number = value.doubleValue
        if case .string(let text) = value {
            if absent.contains(text) { return note(.defaulted, path) }
            let spelled = text.trimmingPrefix { $0 == " " }.reversed().drop { $0 == " " }.reversed()
            number = JSONValue(parsing: Array(String(spelled).utf8))?.doubleValue
        }
        guard let number else { return drop(path) }
        if number == -999 { return note(.defaulted, path) }
        if let range, !range.contains(number) { return drop(path) }
        if case .string = value { note(.coerced, path) }
        return .number("\(number)")
    }

    /// Text, or a number as it is spelled.
    private mutating func text(
        _ value: JSONValue, _ path: String, absent: Set<String>, missing kind: DriftReport.Kind = .defaulted
    ) -> JSONValue? {
        switch value {
        case .string(let text) where absent.contains(text): return note(kind, path)
        case .string: return value
        case .number where value.doubleValue == -999: return note(kind, path)
        case .number(let text):
            note(.coerced, path)
            return .string(text)
        default: return drop(path)
        }
    }

    /// Text that is one of the listed ones, or is told of.
    private mutating func word(
        _ value: JSONValue, _ path: String, of listed: [String], absent: Set<String>
    ) -> JSONValue? {
        let word = text(value, path, absent: absent)
        if let text = word?.stringValue, !listed.contains(text) { note(.unrecognized, path) }
        return word
    }

    private mutating func drop(_ path: String) -> JSONValue? { note(.dropped, path) }

    @discardableResult
    private mutating func note(_ kind: DriftReport.Kind, _ path: String) -> JSONValue? {
        repairs[Repair(kind: kind, path: path), default: 0] += 1
        return nil
    }
}
