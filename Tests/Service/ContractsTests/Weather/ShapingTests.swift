import API
import ContractsSupport
import Contracts
import Foundation
import Records
import Testing

@Suite("Shaping")
struct ShapingTests {
    private static func text(_ document: [UInt8], _ shaping: Shaping = Shaping()) throws -> String {
        String(decoding: try ForecastDialect.darkSky.normalize(document).shaped(shaping).body, as: UTF8.self)
    }

    @Test("Each case gives the expected body and drift, byte for byte")
    func cases() throws {
        let fixtures = try ShapingFixture.all()
        #expect(fixtures.count >= 12)
        for fixture in fixtures {
            let normalized = try ForecastDialect.darkSky.normalize(fixture.input).shaped(fixture.shaping)
            #expect(String(decoding: normalized.body, as: UTF8.self) == fixture.body, "\(fixture.name)")
            if let drift = fixture.drift { #expect(normalized.drift.json == drift, "\(fixture.name)") }
        }
    }

    /// All combinations of units, date form and Dark Sky's forms.
    private static let forms: [Shaping] = ([nil] + UnitSystem.allCases).flatMap { units in
        DateForm.allCases.flatMap { dates in
            [nil, DarkSkyForm.documented, .extended].map { form in
                var shaping = Shaping(units: units, dates: dates)
                shaping.darkSky = form
                return shaping
            }
        }
    }

    @Test("Shaping a shaped document again gives the same bytes, in every form", arguments: forms)
    func idempotent(shaping: Shaping) throws {
        let inputs =
            try Fixture.all(in: "darkSky").filter { $0.expected.error == nil }.map { ($0.name, $0.input) }
            + ShapingFixture.all().map { ($0.name, $0.input) }
        for (name, input) in inputs {
            let once = try ForecastDialect.darkSky.normalize(input).shaped(shaping).body
            #expect(try Self.text(once, shaping) == String(decoding: once, as: UTF8.self), "\(name)")
            if shaping.darkSky != nil { continue }
            if shaping.dates == .unix {
                #expect(try Self.text(once) == String(decoding: once, as: UTF8.self), "\(name)")
            }
            // The form of dates loses nothing.
            let plain = Shaping(units: nil)
            var units = plain
            units.units = shaping.units
            #expect(try Self.text(once, plain) == Self.text(input, units), "\(name)")
        }
    }

    @Test("Automatic units are those that Dark Sky chose for the country of the time zone")
    func automaticUnits() throws {
        let zones: [(units: String, names: String)] = [
            (
                "us",
                """
                America/New_York America/Indiana/Tell_City America/Kentucky/Monticello America/North_Dakota/Center
                America/Indianapolis America/Puerto_Rico America/St_Thomas America/Adak Pacific/Honolulu Pacific/Guam
                Pacific/Pago_Pago Pacific/Saipan US/Eastern US/Samoa US/Indiana-Starke EST5EDT PST8PDT HST Navajo
                """
            ),
            (
                "ca",
                """
                America/Toronto America/St_Johns America/Montreal America/Iqaluit America/Yellowknife Canada/Atlantic
                Canada/Newfoundland America/Coral_Harbour America/Blanc-Sablon
                """
            ), ("uk2", "Europe/London Europe/Belfast Europe/Guernsey Europe/Jersey Europe/Isle_of_Man GB GB-Eire"),
            (
                "si",
                """
                Europe/Dublin Eire Europe/Berlin America/Mexico_City America/Havana America/Nassau Atlantic/Bermuda
                America/Argentina/Buenos_Aires Pacific/Apia Asia/Kolkata UTC Etc/GMT+8 us/eastern America/ Nowhere US
                """
            ),
        ]
        for (units, names) in zones {
            for name in names.split(whereSeparator: \.isWhitespace) {
                let document = #"{"latitude":1,"longitude":2,"timezone":"\#(name)"}"#
                let shaping = try Shaping(options: "units auto")
                let expected = document.dropLast() + #","flags":{"units":"\#(units)"}}"#
                #expect(try Self.text(Array(document.utf8), shaping) == expected)
            }
        }
    }

    @Test("Automatic units agree with the country of every zone in zone.tab")
    func systemZones() throws {
        guard let table = try? String(contentsOfFile: "/usr/share/zoneinfo/zone.tab", encoding: .utf8) else {
            return print("time zones are not compared with zone.tab: this machine has none")
        }
        let countries = [
            "US": "us", "PR": "us", "VI": "us", "GU": "us", "AS": "us", "MP": "us", "UM": "us", "CA": "ca", "GB": "uk2",
            "GG": "uk2", "JE": "uk2", "IM": "uk2",
        ]
        for line in table.split(separator: "\n") where !line.hasPrefix("#") {
            let columns = line.split(separator: "\t")
            let document = #"{"latitude":1,"longitude":2,"timezone":"\#(columns[2])"}"#
            let units = countries[String(columns[0])] ?? "si"
            #expect(
                try Self.text(Array(document.utf8), Shaping(options: "units auto"))
                    == document.dropLast() + #","flags":{"units":"\#(units)"}}"#)
        }
    }

    @Test("Foundation's decoder checks plausibility in the units of the document too")
    func codable() throws {
        for (units, isKept) in [("us", true), ("si", false)] {
            let document =
                #"{"latitude":1,"longitude":2,"timezone":"UTC","currently":{"time":0,"temperature":100},"#
                + #""flags":{"units":"\#(units)"}}"#
            let forecast = try JSONDecoder().decode(Forecast.self, from: Data(document.utf8))
            #expect((forecast.currently?.temperature == 100) == isKept)
        }
    }
}
