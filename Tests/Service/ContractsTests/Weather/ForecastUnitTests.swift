import API
import Contracts
import JSONText
import Records
import Testing

/// The dimension of a number, derived from the name of its field as docs/contracts.md lists them.
private enum Measure: CaseIterable {
    case temperature, speed, distance, rate, depth

    /// The measure of a field, or nil if its numbers are the same in every system.
    init?(field: String) {
        let patterns: [(measure: Measure, texts: [String])] = [
            (
                .temperature,
                ["emperatureHigh", "emperatureLow", "emperatureMin", "emperatureMax", "dewPoint", "feelsLike"]
            ),
            (.speed, ["windSpeed", "windGust"]), (.distance, ["nearestStormDistance", "visibility"]),
            (.rate, ["Intensity", "IntensityError", "IntensityMax", "IntensityMin"]),
            (.depth, ["Accumulation", "currentDayIce", "currentDayLiquid", "currentDaySnow"]),
            (.temperature, ["temperature", "apparentTemperature"]),
        ]
        guard let measure = patterns.first(where: { $0.texts.contains { field.hasSuffix($0) } })?.measure else {
            return nil
        }
        self = measure
    }

    /// Returns `value` in the units of `si`.
    func si(_ value: Double, in units: UnitSystem) -> Double {
        switch (self, units) {
        case (.temperature, .us): (value - 32) / 1.8
        case (.speed, .ca): value / 3.6
        case (.speed, .us), (.speed, .uk), (.speed, .uk2): value * 1609.344 / 3600
        case (.distance, .us), (.distance, .uk2): value * 1.609344
        case (.rate, .us): value * 25.4
        case (.depth, .us): value * 2.54
        default: value
        }
    }

    /// Half of the last decimal of an answer.
    var rounding: Double { self == .rate || self == .depth ? 0.00005 : 0.005 }
}

@Suite("Units of a forecast")
struct ForecastUnitTests {
    /// A forecast with all numbers of a point: all different, and plausible in every system.
    private static func document(in units: UnitSystem) -> [UInt8] {
        let members = DataPoint.schema.keys.enumerated().map { index, key in
            let value =
                switch key {
                case "summary", "icon", "precipType": "\"rain\""
                case "moonPhase", "precipProbability", "humidity", "cloudCover": "0.\(index)"
                case "pressure", "stationPressure": "\(1000 + Double(index) / 8)"
                case "uvIndex": "7"
                default: "\(Double(index) / 8 + 0.01)"
                }
            return "\"\(key)\":\(value)"
        }
        let point = "{\(members.joined(separator: ","))}"
        return Array(
            (#"{"latitude":1,"longitude":2,"timezone":"UTC","elevation":77.25,"currently":\#(point),"#
                + #""minutely":{"data":[\#(point)]},"hourly":{"data":[\#(point),\#(point)]},"daily":{"data":[\#(point)]},"#
                + #""dayNight":{"data":[\#(point)]},"flags":{"units":"\#(units.rawValue)","nearestStation":3.25}}"#)
                .utf8)
    }

    private static func shaped(_ document: [UInt8], _ units: UnitSystem) throws -> [UInt8] {
        try ForecastDialect.darkSky.normalize(document).shaped(Shaping(units: units)).body
    }

    /// Returns the numbers of a document with their paths, in document order.
    private static func numbers(_ document: [UInt8]) throws -> [(path: String, field: String, value: Double)] {
        func walk(_ value: JSONValue, _ path: String, _ field: String) -> [(String, String, Double)] {
            switch value {
            case .number(let text): Double(text).map { [(path, field, $0)] } ?? []
            case .array(let elements):
                elements.enumerated().flatMap { index, element in walk(element, "\(path)[\(index)]", field) }
            case .object(let members):
                members.flatMap { member in walk(member.value, "\(path).\(member.key)", member.key) }
            default: []
            }
        }
        var parser = JSONParser()
        return walk(try parser.withDocument(document) { JSONValue($0) }, "", "")
    }

    @Test("Between any two systems exactly the contract's fields are converted, each by its measure")
    func everyField() throws {
        for from in UnitSystem.allCases {
            let before = try Self.numbers(Self.shaped(Self.document(in: from), from))
            #expect(before.count == 6 * (DataPoint.schema.keys.count - 3) + 4)
            for to in UnitSystem.allCases {
                let after = try Self.numbers(Self.shaped(Self.document(in: from), to))
                #expect(after.map(\.path) == before.map(\.path))
                for (old, new) in zip(before, after) {
                    let measure = Measure(field: old.field)
                    guard let measure, measure.si(1, in: from) != measure.si(1, in: to) else {
                        #expect(new.value == old.value, "\(from) to \(to): \(old.path)")
                        continue
                    }
                    let expected = measure.si(old.value, in: from)
                    // The rounding of the answer, in the units of si.
                    let slack = measure.si(new.value + measure.rounding, in: to) - measure.si(new.value, in: to)
                    let error = abs(measure.si(new.value, in: to) - expected)
                    #expect(error <= slack * 1.000001 + 1e-9, "\(from) to \(to): \(old.path)")
                }
            }
        }
    }

    @Test("Conversion from si to us and back changes no number by more than the rounding")
    func roundTrip() throws {
        let documents = [Self.document(in: .si)] + RecordedForecasts.complete.map(\.bytes)
        for document in documents {
            let si = try Self.shaped(document, .si)
            let us = try Self.shaped(si, .us)
            let back = try Self.shaped(us, .si)
            let (before, after) = (try Self.numbers(si), try Self.numbers(back))
            #expect(after.map(\.path) == before.map(\.path))
            for (old, new) in zip(before, after) {
                let measure = Measure(field: old.field)
                let step = measure.map { $0.si($0.rounding, in: .us) - $0.si(0, in: .us) + $0.rounding }
                #expect(abs(new.value - old.value) <= (step ?? 0) * 1.000001, "\(old.path)")
            }
        }
    }

    @Test("No number of a recorded forecast is implausible")
    func recorded() throws {
        for recorded in RecordedForecasts.complete {
            let drift = try ForecastDialect.darkSky.normalize(recorded.bytes).drift
            #expect(drift.entries.filter { $0.reason == .implausible } == [], "\(recorded.name)")
        }
    }
}
