import API
import CivilDates
import JSONText

/// A sample's document, which is adapted to each request.
///
/// The place becomes the requested one and the times move to now. Everything else is copied, defects included.
struct SampleDocument: Sendable {
    let bytes: [UInt8]
    let clock: Int?
    let steps: [String: Int]
    /// The names of further members whose values are times.
    private let times: Set<String>
    /// The rules of the time zone that the document names.
    private let zone: ZoneRules?
    /// Whether its days are those of one offset, as Open-Meteo's.
    private let hasFixedOffset: Bool

    init(bytes: [UInt8], clock: Int?, steps: [String: Int], times: [String] = []) {
        (self.bytes, self.clock, self.steps, self.times) = (bytes, clock, steps, Set(times))
        var parser = JSONParser()
        let place = try? parser.withDocument(bytes) { ($0["timezone"]?.string, $0["utc_offset_seconds"] != nil) }
        zone = place?.0.flatMap(ZoneRules.named)
        hasFixedOffset = place?.1 == true
    }

    /// Returns the moment that a time machine request asks for, in unix seconds: a number, a date or a date and time.
    ///
    /// Without a zone it is the local time of the place, or of `zone`, as with the upstreams. Returns nil for another text.
    func moment(_ text: String, in zone: ZoneRules? = nil) -> Int? {
        if let seconds = Int(text) { return seconds }
        guard let timestamp = ISO8601Timestamp(text.utf8.span), let moment = timestamp.instant?.seconds else {
            return nil
        }
        guard timestamp.offset == nil, let zone = zone ?? self.zone else { return moment }
        return Int(zone.moment(ofLocal: Double(moment)))
    }

    /// Returns the document at `now`, in unix seconds; numbers of the root that have a name in `values` get its value.
    ///
    /// So do those of members called `metadata` in members of the root, and the number `offset` of the root is that of
    /// the zone. Numbers called `lat` and `lon`, and the position `coordinates` of GeoJSON, get the place at any depth.
    func rewritten(now: Int, values: [String: String]) throws -> [UInt8] {
        let place = [("lat", "latitude"), ("lon", "longitude")].reduce(into: [:]) { $0[$1.0] = values[$1.1] }
        var values = values
        let dayZone = hasFixedOffset ? nil : zone
        if clock != nil, let dayZone { values["offset"] = Self.hours(dayZone.offset(at: Double(now))) }
        var parser = JSONParser()
        return try parser.withDocument(bytes) { root in
            JSONWriter.bytes(expecting: bytes.count + 256) { writer in
                func change(step: Int) -> Change {
                    Change(shift: SampleShift(from: clock ?? now, to: now, step: step, zone: dayZone), place: place)
                }
                guard root.kind == .object else { return write(root, change(step: 1), to: &writer) }
                write(membersOf: root, to: &writer) { key, value, writer in
                    if write(value, called: key, from: values, to: &writer) { return }
                    guard value.kind == .object else {
                        return write(value, of: key, change(step: steps[key] ?? 1), to: &writer)
                    }
                    write(membersOf: value, to: &writer) { name, part, writer in
                        let change = steps["\(key).\(name)"].map(change) ?? change(step: steps[key] ?? 1)
                        guard name == "metadata", part.kind == .object else {
                            return write(part, of: name, change, to: &writer)
                        }
                        write(membersOf: part, to: &writer) { name, part, writer in
                            if write(part, called: name, from: values, to: &writer) { return }
                            write(part, of: name, change, to: &writer)
                        }
                    }
                }
            }
        }
    }

    /// Returns an offset in hours as JSON.
    private static func hours(_ seconds: Double) -> String {
        String(decoding: JSONWriter.bytes(expecting: 32) { $0.write(seconds / 3600) }, as: UTF8.self)
    }

    /// Writes the value that replaces a number, if there is one.
    private func write(
        _ node: JSONNode, called name: String, from values: [String: String], to writer: inout JSONWriter
    ) -> Bool {
        guard let number = values[name], node.isNumber else { return false }
        writer.write(raw: Array(number.utf8))
        return true
    }

    /// The changes below a member of the root: of the times, and of the numbers `lat` and `lon`.
    private struct Change {
        let shift: SampleShift
        let place: [String: String]
    }

    /// Writes the value of a member.
    private func write(_ node: JSONNode, of name: String, _ change: Change, to writer: inout JSONWriter) {
        if write(node, called: name, from: change.place, to: &writer) { return }
        guard name == "coordinates", node.kind == .array, node.elements.prefix(2).allSatisfy(\.isNumber),
            let latitude = change.place["lat"], let longitude = change.place["lon"]
        else {
            return write(node, change, isTime: times.contains(name) || Self.isTime(name), to: &writer)
        }
        // GeoJSON has the longitude first, and perhaps a height behind the latitude.
        let numbers = [Array(longitude.utf8), Array(latitude.utf8)] + node.elements.dropFirst(2).map { Array($0.text) }
        writer.write(raw: Array("[".utf8) + numbers.joined(separator: [UInt8(ascii: ",")]) + Array("]".utf8))
    }

    private func write(_ node: JSONNode, _ change: Change, isTime: Bool = false, to writer: inout JSONWriter) {
        switch node.kind {
        case .object:
            write(membersOf: node, to: &writer) { key, value, writer in
                write(value, of: key, change, to: &writer)
            }
        case .array:
            writer.write(byte: UInt8(ascii: "["))
            for (index, element) in node.elements.enumerated() {
                if index > 0 { writer.write(byte: UInt8(ascii: ",")) }
                write(element, change, isTime: isTime, to: &writer)
            }
            writer.write(byte: UInt8(ascii: "]"))
        case .integer:
            // Zero and negative numbers are sentinels.
            if isTime, let time = node.int64, (1..<1 << 53).contains(time) {
                writer.write(Int64(change.shift(Int(time))))
            } else {
                writer.write(raw: node.text)
            }
        case .string where isTime:
            guard let time = Self.moved(node.string ?? "", by: change.shift) else {
                return writer.write(stringOf: node)
            }
            writer.write(time)
        case .string, .escapedString: writer.write(stringOf: node)
        default: writer.write(raw: node.text)
        }
    }

    private func write(
        membersOf object: JSONNode, to writer: inout JSONWriter,
        _ writeValue: (_ key: String, _ value: JSONNode, _ writer: inout JSONWriter) -> Void
    ) {
        writer.write(byte: UInt8(ascii: "{"))
        for (index, (key, value)) in object.members.enumerated() {
            if index > 0 { writer.write(byte: UInt8(ascii: ",")) }
            writer.write(stringOf: key)
            writer.write(byte: UInt8(ascii: ":"))
            writeValue(key.string ?? "", value, &writer)
        }
        writer.write(byte: UInt8(ascii: "}"))
    }
}

// Which values of a sample move.
extension SampleDocument {
    /// Returns a date, or a date and time such as `2026-01-01T08:00:00Z`, after its shift; nil for other texts.
    ///
    /// Decimals of the second and the offset stay as they are.
    static func moved(_ text: String, by shift: SampleShift) -> String? {
        let bytes = Array(text.utf8), isDate = bytes.count == 10
        guard let timestamp = ISO8601Timestamp(bytes.span), let instant = timestamp.instant,
            isDate || bytes[10] == UInt8(ascii: "T") && bytes[16...].first == UInt8(ascii: ":")
        else { return nil }
        let moment = shift(instant.seconds, isLocal: timestamp.offset == nil)
        return ISO8601Timestamp.format(secondsSinceEpoch: Double(moment + (timestamp.offset ?? 0))).map {
            isDate ? String($0.prefix(10)) : String($0.prefix(19)) + String(text.dropFirst(19))
        }
    }

    /// Whether the values of a member with this key are times.
    static func isTime(_ key: String) -> Bool {
        names.contains(key) || key.hasSuffix("Time") || key.hasPrefix("sunrise") || key.hasPrefix("sunset")
    }

    private static let names: Set = [
        "asOf", "expires", "forecastEnd", "forecastStart", "moonrise", "moonset", "solarMidnight", "solarNoon", "time",
    ]
}

/// How far the times of a sample's document move.
enum SampleShift {
    case seconds(Int)
    /// Whole days of a zone, some of which have 23 or 25 hours: a time of the clock stays the same.
    case days(Int, ZoneRules)

    /// The shift from `clock` to `now`, both in unix seconds, in whole steps of some seconds.
    ///
    /// A step of a day leads to the local date, if there is a zone.
    init(from clock: Int, to now: Int, step: Int, zone: ZoneRules?) {
        if step == 86_400, let zone {
            let days = zone.date(at: now) - zone.date(at: clock)
            // An hour that clocks show twice stays the one that it is.
            self = days == 0 ? .seconds(0) : .days(days, zone)
        } else {
            let step = max(1, step)
            self = .seconds((now - clock) / step * step)
        }
    }

    /// Returns a time after the shift; a local time is in seconds as if its clock were in UTC.
    func callAsFunction(_ time: Int, isLocal: Bool = false) -> Int {
        switch self {
        case .seconds(let seconds): time + seconds
        case .days(let days, _) where isLocal: time + days * 86_400
        case .days(let days, let zone):
            Int(zone.moment(ofLocal: Double(time + days * 86_400) + zone.offset(at: Double(time))))
        }
    }
}

extension ZoneRules {
    /// Returns the local date at a moment, in days since 1970-01-01.
    fileprivate func date(at moment: Int) -> Int {
        Int(((Double(moment) + offset(at: Double(moment))) / 86_400).rounded(.down))
    }
}
