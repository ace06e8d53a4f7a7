import ContractsSupport
import Foundation
import Records

/// A second, plain implementation of the forecast contract.
///
/// It follows the text of the contract member by member and does not use the tables.
struct ReferenceForecast {
    /// A repair and its path, with `[]` for any element.
    struct Repair: Hashable {
        let kind: DriftReport.Kind
        let path: String
    }

    /// The expected document; nil if it must be refused.
    private(set) var document: JSONValue?
    /// The paths of required members that are missing or wrong.
    private(set) var missing: Set<String> = []
    /// The number of times each repair was made.
    private(set) var repairs: [Repair: Int] = [:]
    /// The units in which plausibility is checked.
    private let units: String

    /// Normalizes `value`, which is in `units` or else in those that its flags name.
    init(of value: JSONValue, in units: String? = nil) {
        let named = units ?? value["flags"]?["units"]?.stringValue ?? "us"
        self.units = Self.units.contains(named) ? named : "us"
        guard let members = value.members else {
            missing = [""]
            return
        }
        let forecast = object(members, order: Self.rootNames, at: "") { name, value, path, reference in
            switch name {
            case "latitude", "longitude":
                reference.number(value, path, within: name == "latitude" ? -90...90 : -180...180, absent: [""])
            case "timezone": reference.text(value, path, absent: [""])
            case "offset": reference.number(value, path, within: -15...15, absent: [""])
            case "elevation": reference.number(value, path, absent: [""])
            case "currently": reference.point(value, path)
            case "alerts": reference.list(value, path) { $2.alert($0, $1) }
            case "flags": reference.flags(value, path)
            default: reference.block(value, path)
            }
        }
        // A place that is absent is that of the request; one that is wrong refuses the document.
        missing = Set(["latitude", "longitude"].filter { repairs[Repair(kind: .dropped, path: $0)] != nil })
        if forecast["timezone"] == nil { missing.insert("timezone") }
        document = missing.isEmpty ? corrected(forecast) : nil
        let isNamed = Self.units.contains(units ?? value["flags"]?["units"]?.stringValue ?? "")
        if !isNamed, let document { self.document = assumingUnits(document) }
    }

    // MARK: Corrections

    /// Reads times in milliseconds, drops those of days that are far from them, and repeated alerts.
    private mutating func corrected(_ forecast: JSONValue) -> JSONValue {
        var forecast = forecast
        // One coordinate alone is no place.
        if forecast["latitude"] == nil || forecast["longitude"] == nil {
            forecast["latitude"] = nil
            forecast["longitude"] = nil
        }
        if let now = forecast["currently"] {
            let others = ["hourly", "daily", "minutely"].lazy.compactMap { forecast[$0]?["data"]?.elements }
            if Self.isOf1970(now), Self.isLater(others.first { !$0.isEmpty } ?? []) {
                note(.dropped, "currently.time")
                forecast["currently"] = nil
            } else {
                forecast["currently"] = withNearTimes(inSeconds(now, "currently"), "currently")
            }
        }
        for block in ["minutely", "hourly", "daily", "dayNight"] {
            guard let points = forecast[block]?["data"]?.elements else { continue }
            let path = "\(block).data[]"
            let isLater = Self.isLater(points)
            forecast[block]?["data"] = .array(
                points.compactMap { point in
                    if isLater, Self.isOf1970(point) {
                        note(.dropped, "\(path).time")
                        return nil
                    }
                    return withNearTimes(inSeconds(point, path), path)
                })
        }
        guard var alerts = forecast["alerts"]?.elements else { return forecast }
        for index in alerts.indices {
            for name in ["time", "expires"] {
                guard let time = alerts[index][name]?.doubleValue, time <= 0 || time > 1e11 && time <= 1e14 else {
                    continue
                }
                alerts[index][name] = time > 0 ? .number("\(time / 1000)") : nil
                note(time > 0 ? .coerced : .dropped, "alerts[].\(name)")
            }
        }
        var kept: [JSONValue] = []
        for index in alerts.indices {
            guard let begin = alerts[index]["time"]?.doubleValue, let end = alerts[index]["expires"]?.doubleValue,
                end < begin
            else { continue }
            alerts[index]["expires"] = nil
            note(.dropped, "alerts[].expires")
        }
        for alert in alerts { if kept.contains(alert) { note(.dropped, "alerts[]") } else { kept.append(alert) } }
        forecast["alerts"] = .array(kept)
        return forecast
    }

    /// Names the default units in the flags.
    private mutating func assumingUnits(_ forecast: JSONValue) -> JSONValue {
        note(.approximated, "flags.units")
        var (forecast, flags) = (forecast, (forecast["flags"]?.members ?? []).filter { $0.key != "units" })
        flags.insert(JSONValue.Member("units", "us"), at: flags.first?.key == "sources" ? 1 : 0)
        forecast["flags"] = .object(flags)
        return forecast
    }

    private static func isOf1970(_ point: JSONValue) -> Bool {
        point["time"]?.doubleValue.map { abs($0) < 86_400 } == true
    }

    private static func isLater(_ points: [JSONValue]) -> Bool {
        let times = points.compactMap { $0["time"]?.doubleValue }.sorted()
        return !times.isEmpty && times[times.count / 2] > 366 * 86_400
    }

    private mutating func inSeconds(_ point: JSONValue, _ path: String) -> JSONValue {
        guard let time = point["time"]?.doubleValue, time > 1e11, time <= 1e14 else { return point }
        note(.coerced, "\(path).time")
        var point = point
        point["time"] = .number("\(time / 1000)")
        return point
    }

    private mutating func withNearTimes(_ point: JSONValue, _ path: String) -> JSONValue {
        guard let start = point["time"]?.doubleValue else { return point }
        var point = point
        for member in point.members ?? [] where member.key.hasSuffix("Time") {
            guard let time = member.value.doubleValue else { continue }
            let isOfSun = ["sunriseTime", "sunsetTime", "dawnTime", "duskTime"].contains(member.key)
            let limit = Double(isOfSun ? 366 * 86_400 : 2 * 86_400)
            if abs(time - start) <= limit { continue }
            let isMilliseconds = abs(time / 1000 - start) <= limit
            point[member.key] = isMilliseconds ? .number("\(time / 1000)") : nil
            note(isMilliseconds ? .coerced : .dropped, "\(path).\(member.key)")
        }
        return point
    }

    /// Returns the forecast with its days at midnight, and how many were off it by up to an hour.
    static func movingDays(of forecast: JSONValue) -> (forecast: JSONValue, count: Int) {
        guard let name = forecast["timezone"]?.stringValue, let zone = TimeZone(identifier: name), name.contains("/"),
            !name.hasPrefix("Etc/"),
            let days = forecast["daily"]?["data"]?.elements
        else { return (forecast, 0) }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        var (forecast, count) = (forecast, 0)
        let moved = days.map { day in
            guard let time = day["time"]?.doubleValue, abs(time) < 1e11 else { return day }
            let starts = [time, time + 3600].map { moment in
                calendar.startOfDay(for: Date(timeIntervalSince1970: moment)).timeIntervalSince1970
            }
            guard !starts.contains(time), let start = starts.first(where: { abs($0 - time) <= 3600 }) else {
                return day
            }
            count += 1
            var day = day
            day["time"] = .number("\(start)")
            return day
        }
        forecast["daily"]?["data"] = .array(moved)
        return (forecast, count)
    }

    // MARK: Names, in declaration order

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
    /// Alternative spellings of names.
    private static let spellings = [
        "day_night": "dayNight", "nearest-station": "nearestStation", "nearest_station": "nearestStation",
        "source-times": "sourceTimes", "source_times": "sourceTimes", "sleetIntensity": "iceIntensity",
    ]
    /// Members of points that the contract knows and does not have.
    private static let ignored = names("solarMaxTime airQualityIndexMaxTime airQualityIndexMinTime")
    private static let icons = names(
        """
        clear-day clear-night rain snow sleet wind fog cloudy partly-cloudy-day partly-cloudy-night hail thunderstorm
        tornado mixed
        """)
    private static let precipitationTypes = names("rain snow sleet hail ice mixed")
    private static let units = names("us si ca uk2 uk")
    private static let severities = names("advisory watch warning Extreme Severe Moderate Minor Unknown")

    private static func names(_ text: String) -> [String] {
        text.split(whereSeparator: \.isWhitespace).map(String.init)
    }

    // MARK: Objects

    private typealias Member = (String, JSONValue, String, inout ReferenceForecast) -> JSONValue?

    /// Reads the members that the contract names, in its order; others are counted.
    private mutating func object(
        _ members: [JSONValue.Member], order: [String], at path: String, _ read: Member
    ) -> JSONValue {
        var kept: [String: JSONValue] = [:]
        for member in members {
            let name = Self.spellings[member.key] ?? member.key
            let memberPath = path.isEmpty ? name : "\(path).\(name)"
            if order.contains(name) {
                kept[name] = member.value.isNull ? nil : read(name, member.value, memberPath, &self)
            } else if order != Self.pointNames || !Self.ignored.contains(name) {
                note(.unexpectedKey, memberPath)
            }
        }
        return .object(order.compactMap { name in kept[name].map { JSONValue.Member(name, $0) } })
    }

    /// Reads a point; one without a time is dropped, and repairs inside it do not count.
    private mutating func point(_ value: JSONValue, _ path: String) -> JSONValue? {
        let before = repairs
        if let members = value.members {
            let point = object(members, order: Self.pointNames, at: path) { name, value, path, reference in
                switch name {
                case "summary": reference.text(value, path, absent: ["", "none"])
                case "icon": reference.listedText(value, path, of: Self.icons, absent: ["", "none"])
                case "precipType": reference.listedText(value, path, of: Self.precipitationTypes, absent: ["", "none"])
                case _ where name == "time" || name.hasSuffix("Time"):
                    reference.time(value, path, absent: ["", "none"])
                default:
                    reference.number(value, path, absent: ["", "none"]) { ReferenceRange.holds($0, name, in: $1) }
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
            case "icon": reference.listedText(value, path, of: Self.icons, absent: ["", "none"])
            default: reference.list(value, path) { $2.point($0, $1) }
            }
        }
    }

    private mutating func alert(_ value: JSONValue, _ path: String) -> JSONValue? {
        guard let members = value.members else { return drop(path) }
        return object(members, order: Self.alertNames, at: path) { name, value, path, reference in
            switch name {
            case "regions": reference.list(value, path) { $2.text($0, $1, absent: [""], absentAs: .dropped) }
            case "severity": reference.listedText(value, path, of: Self.severities, absent: [""])
            case "time", "expires": reference.time(value, path, absent: [""])
            default: reference.text(value, path, absent: [""])
            }
        }
    }

    /// Reads flags; other scalars and lists follow the listed members, in camelCase.
    private mutating func flags(_ value: JSONValue, _ path: String) -> JSONValue? {
        guard let members = value.members else { return drop(path) }
        let isListed = { (member: JSONValue.Member) in
            Self.flagNames.contains(Self.spellings[member.key] ?? member.key)
        }
        let listed = object(members.filter(isListed), order: Self.flagNames, at: path) { name, value, path, reference in
            switch name {
            case "sources": reference.list(value, path) { $2.text($0, $1, absent: [""], absentAs: .dropped) }
            case "nearestStation": reference.number(value, path, absent: [""])
            case "sourceTimes": reference.map(value, path)
            case "units": reference.listedText(value, path, of: Self.units, absent: [""])
            default: reference.text(value, path, absent: [""])
            }
        }
        let others = kept(members.filter { !isListed($0) && $0.key != "sourceIDX" }, path, objectsAre: .unexpectedKey)
        return .object((listed.members ?? []) + others.map { JSONValue.Member(Self.camelCase($0.key), $0.value) })
    }

    /// Reads an object whose keys are data.
    private mutating func map(_ value: JSONValue, _ path: String) -> JSONValue? {
        guard let members = value.members else { return drop(path) }
        return .object(kept(members, path, objectsAre: .dropped, hidingKeys: true))
    }

    /// Returns the members that are scalars or lists and not absent.
    ///
    /// Keys that are data stand as `*` in paths.
    private mutating func kept(
        _ members: [JSONValue.Member], _ path: String, objectsAre kind: DriftReport.Kind, hidingKeys: Bool = false
    ) -> [JSONValue.Member] {
        members.filter { member in
            let path = path + (hidingKeys ? ".*" : ".\(member.key)")
            switch member.value {
            case .null: return false
            case .object: note(kind, path)
            case .string(""): note(.defaulted, path)
            case .number where member.value.doubleValue == -999: note(.defaulted, path)
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

    /// Reads the elements of a list; `read` counts those that it refuses.
    private mutating func list(
        _ value: JSONValue, _ path: String,
        _ read: (JSONValue, String, inout ReferenceForecast) -> JSONValue?
    ) -> JSONValue? {
        guard let elements = value.elements else { return drop(path) }
        return .array(elements.compactMap { read($0, path + "[]", &self) })
    }

    /// Reads a number or a string that spells one.
    private mutating func number(
        _ value: JSONValue, _ path: String, within range: ClosedRange<Double>? = nil, absent: Set<String>,
        isPlausible: (Double, String) -> Bool = { _, _ in true }
    ) -> JSONValue? {
        var number = value.doubleValue
        if case .string(let text) = value {
            if absent.contains(text) { return note(.defaulted, path) }
            let spelled = text.trimmingPrefix { $0 == " " }.reversed().drop { $0 == " " }.reversed()
            number = JSONValue(parsing: Array(String(spelled).utf8))?.doubleValue
        }
        guard let number else { return drop(path) }
        if number == -999 { return note(.defaulted, path) }
        if range?.contains(number) == false || !isPlausible(number, units) { return drop(path) }
        if case .string = value { note(.coerced, path) }
        return .number("\(number)")
    }

    /// Reads seconds, or a date with a zone.
    private mutating func time(_ value: JSONValue, _ path: String, absent: Set<String>) -> JSONValue? {
        guard let text = value.stringValue, let date = try? Date(text, strategy: .iso8601) else {
            return number(value, path, absent: absent)
        }
        note(.coerced, path)
        return .number("\(date.timeIntervalSince1970)")
    }

    /// Reads a string, or a number as its text.
    private mutating func text(
        _ value: JSONValue, _ path: String, absent: Set<String>, absentAs kind: DriftReport.Kind = .defaulted
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

    /// Reads a string; one that is not listed is reported.
    private mutating func listedText(
        _ value: JSONValue, _ path: String, of words: [String], absent: Set<String>
    ) -> JSONValue? {
        let text = text(value, path, absent: absent)
        if let text = text?.stringValue, !words.contains(text) { note(.unrecognized, path) }
        return text
    }

    private mutating func drop(_ path: String) -> JSONValue? { note(.dropped, path) }

    @discardableResult
    private mutating func note(_ kind: DriftReport.Kind, _ path: String) -> JSONValue? {
        repairs[Repair(kind: kind, path: path), default: 0] += 1
        return nil
    }
}
