import Contracts
import JSONText
import Records
import Testing

/// A number of each dimension and one without a dimension.
private struct Sky: Record {
    var warmth: Double?, wind: Double?, sight: Double?, rain: Double?, snow: Double?, weight: Double?, share: Double?
    var count: Int?
    static let schema = Schema<Sky>(.absent(-999)) {
        Field(\.warmth, .dimension(.temperature), .plausible(-100...70))
        Field(\.wind, .dimension(.speed), .plausible(0...150))
        Field(\.sight, .dimension(.distance), .plausible(0...50000))
        Field(\.rain, .dimension(.rate), .plausible(0...3000))
        Field(\.snow, .dimension(.depth), .plausible(0...5000))
        Field(\.weight, .dimension(.pressure), .plausible(800...1100))
        Field(\.share, .plausible(0...1))
        Field(\.count, .dimension(.speed), .plausible(0...100))
    }
}

/// Reads `document` in `units`, writes it in `target`, and returns it with the repairs.
private func read(
    _ document: String, in units: UnitSystem, to target: UnitSystem? = nil
) throws -> (document: String, drift: [String]) {
    var parser = JSONParser()
    return try parser.withDocument(Array(document.utf8)) { root in
        let (sky, drift) = try Sky.read(root, in: units.units)
        var writer = JSONWriter()
        sky.write(to: &writer, style: WritingStyle(conversion: target.flatMap(units.conversion)))
        let repairs = drift.entries.map { "\($0.kind.rawValue) \($0.path) \($0.reason.rawValue)" }
        return (String(decoding: writer.bytes, as: UTF8.self), repairs)
    }
}

@Suite("Unit systems")
struct UnitSystemTests {
    /// The same weather in every system: 20 °C, 10 m/s, 16.09344 km, 25.4 mm/h, 2.54 cm.
    private static let skies: [(units: UnitSystem, document: String)] = [
        (.si, #"{"warmth":20,"wind":10,"sight":16.09,"rain":25.4,"snow":2.54,"weight":1013.25,"share":0.123456}"#),
        (.ca, #"{"warmth":20,"wind":36,"sight":16.09,"rain":25.4,"snow":2.54,"weight":1013.25,"share":0.123456}"#),
        (.uk2, #"{"warmth":20,"wind":22.37,"sight":10,"rain":25.4,"snow":2.54,"weight":1013.25,"share":0.123456}"#),
        (.uk, #"{"warmth":20,"wind":22.37,"sight":16.09,"rain":25.4,"snow":2.54,"weight":1013.25,"share":0.123456}"#),
        (.us, #"{"warmth":68,"wind":22.37,"sight":10,"rain":1,"snow":1,"weight":1013.25,"share":0.123456}"#),
    ]

    @Test("Every dimension is converted between any two systems")
    func everyPair() throws {
        for from in Self.skies {
            for to in Self.skies {
                #expect(try read(from.document, in: from.units, to: to.units).document == to.document, "\(from.units)")
            }
        }
    }

    @Test(
        "Temperatures, speeds and distances have two decimals, amounts of precipitation four",
        arguments: [
            (UnitSystem.si, UnitSystem.us, #"{"warmth":-40}"#, #"{"warmth":-40}"#),
            (.si, .us, #"{"warmth":36.6}"#, #"{"warmth":97.88}"#), (.us, .si, #"{"warmth":0}"#, #"{"warmth":-17.78}"#),
            (.us, .si, #"{"warmth":31.999}"#, #"{"warmth":0}"#), (.si, .us, #"{"wind":3.33}"#, #"{"wind":7.45}"#),
            (.si, .ca, #"{"wind":3.33}"#, #"{"wind":11.99}"#), (.ca, .uk2, #"{"wind":100}"#, #"{"wind":62.14}"#),
            (.us, .ca, #"{"wind":1}"#, #"{"wind":1.61}"#), (.uk2, .uk, #"{"sight":6.21}"#, #"{"sight":9.99}"#),
            (.si, .us, #"{"rain":0.3}"#, #"{"rain":0.0118}"#), (.us, .si, #"{"rain":0.0021}"#, #"{"rain":0.0533}"#),
            (.si, .us, #"{"snow":7.7}"#, #"{"snow":3.0315}"#), (.us, .ca, #"{"snow":3}"#, #"{"snow":7.62}"#),
            (.us, .si, #"{"weight":1013.2512,"share":0.5}"#, #"{"weight":1013.2512,"share":0.5}"#),
            (.si, .si, #"{"warmth":20.12345}"#, #"{"warmth":20.12345}"#),
        ])
    func rounding(from: UnitSystem, to: UnitSystem, document: String, becomes: String) throws {
        #expect(try read(document, in: from, to: to).document == becomes)
    }

    @Test(
        "Plausibility is checked in the units of the document",
        arguments: [
            (UnitSystem.si, #"{"warmth":-100}"#, true), (.si, #"{"warmth":-274}"#, false),
            (.si, #"{"warmth":100}"#, false), (.us, #"{"warmth":100}"#, true), (.us, #"{"warmth":-460}"#, false),
            (.us, #"{"warmth":158}"#, true), (.us, #"{"warmth":158.01}"#, false), (.us, #"{"warmth":-148}"#, true),
            (.us, #"{"warmth":-148.01}"#, false), (.us, #"{"warmth":"-460"}"#, false),
            (.us, #"{"warmth":"100"}"#, true), (.ca, #"{"warmth":"100"}"#, false), (.si, #"{"wind":150.1}"#, false),
            (.ca, #"{"wind":540}"#, true), (.ca, #"{"wind":540.1}"#, false), (.uk, #"{"wind":335.5}"#, true),
            (.uk2, #"{"wind":335.6}"#, false), (.us, #"{"sight":31068}"#, true), (.uk, #"{"sight":50000}"#, true),
            (.us, #"{"sight":31069}"#, false), (.us, #"{"rain":118}"#, true), (.us, #"{"rain":119}"#, false),
            (.us, #"{"snow":1968}"#, true), (.us, #"{"snow":1969}"#, false), (.us, #"{"share":7}"#, false),
            (.us, #"{"count":224}"#, false), (.us, #"{"count":223}"#, true), (.si, #"{"count":101}"#, false),
            (.us, #"{"count":"223"}"#, true), (.us, #"{"count":"224"}"#, false), (.us, #"{"weight":1101}"#, false),
        ])
    func plausible(units: UnitSystem, document: String, isKept: Bool) throws {
        let outcome = try read(document, in: units)
        #expect((outcome.document != "{}") == isKept)
        #expect(outcome.drift.contains { $0.hasSuffix("implausible") } != isKept)
    }

    @Test("A number at a bound is plausible in every system, converted or not")
    func bounds() throws {
        let borders = [
            #"{"warmth":-100,"wind":0,"sight":0,"rain":0,"snow":0,"weight":800,"share":0,"count":0}"#,
            #"{"warmth":70,"wind":150,"sight":50000,"rain":3000,"snow":5000,"weight":1100,"share":1,"count":100}"#,
        ]
        for border in borders {
            for units in UnitSystem.allCases {
                let converted = try read(border, in: .si, to: units)
                let again = try read(converted.document, in: units, to: .si)
                #expect(again.drift == [], "\(units): \(converted.document)")
                let back = try read(again.document, in: .si, to: units)
                #expect(back.document == converted.document && back.drift == [], "\(units)")
            }
        }
    }

    @Test("An error gives the range in the table's own units")
    func errorRange() throws {
        struct Place: Record {
            var warmth = 0.0
            static let schema = Schema<Place> { Field(\.warmth, .dimension(.temperature), .plausible(-100...70)) }
            static func units(of document: JSONNode) -> Units { .us }
        }
        func read(_ document: String) throws -> Place {
            var parser = JSONParser()
            return try parser.withDocument(Array(document.utf8)) { try Place.read($0).record }
        }
        let error = #expect(throws: ContractError.self) { try read(#"{"warmth":-460}"#) }
        #expect(error?.description == "warmth: implausible, expected a number from -100 to 70")
        #expect(try read(#"{"warmth":100}"#).warmth == 100)
        var parser = JSONParser()
        let strict = try parser.withDocument(Array(#"{"warmth":100}"#.utf8)) { try Place.readStrictly($0) }
        #expect(strict.warmth == 100)
    }
}
