import Foundation
import LenientCoding
import Testing

/// The code of the article ModelsAsRecords.
enum ModelsAsRecords {
    enum Severity: String, CaseIterable { case advisory, watch, warning }

    struct Alert: Record {
        var title = "", severity: OpenEnum<Severity>?, expires: UnixSeconds?
        static let schema = Schema<Alert> {
            Field(\.title)
            Field(\.severity, .note("How serious it is."))
            Field(\.expires, .or("expiry"), .absent(-999))
        }
    }

    struct Forecast: Record {
        var latitude = 0.0, city: String?, windSpeed: Double?, alerts: [Alert]?, others = JSONValue.object([])
        static let schema = Schema<Forecast> {
            Field(\.latitude, .plausible(-90...90))
            Field("place.city", \.city)
            Field(\.windSpeed, .or("wind"), .plausible(0...120))
            Field(\.alerts, .dropInvalid, .atMost(100))
            Ignored("generationtime_ms")
            OtherFields(\.others)
        }
    }

    static func read(_ data: Data) throws -> (Forecast, DriftReport) {
        let decoder = LenientDecoder(leniency: .all)
        var drift = DriftReport()
        let forecast = try decoder.decode(Forecast.self, from: data, drift: &drift)
        return (forecast, drift)
    }

    static func failures(of data: Data) -> [String] {
        do {
            _ = try LenientDecoder(leniency: .all).decode(Forecast.self, from: data)
        } catch DecodingError.dataCorrupted(let context) {
            guard let error = context.underlyingError as? ContractError else { return [] }
            return error.failures.map { "\($0.path): \($0.reason), expected \($0.expected)" }
        } catch {
            return ["\(error)"]
        }
        return []
    }
}

@Suite("Models as records")
struct ModelsAsRecordsTests {
    private let untidy = """
        {"latitude": "37.8", "place": {"city": "Ulm"}, "wind": 999, "generationtime_ms": 0.2, "is_old": true,
         "alerts": [{"title": "Wind", "severity": "statement", "expiry": -999}, {"title": null}]}
        """

    @Test("The record reads, repairs and writes what the article says")
    func example() throws {
        let (forecast, drift) = try ModelsAsRecords.read(Data(untidy.utf8))
        let text = String(decoding: try CompactEncoder().encode(forecast) as [UInt8], as: UTF8.self)
        #expect(
            text
                == #"{"latitude":37.8,"place":{"city":"Ulm"},"alerts":[{"title":"Wind","severity":"statement"}],"#
                + #""isOld":true}"#)
        #expect(drift.summary == "dropped=2, defaulted=1, coerced=1, unrecognized=1")
    }

    @Test("The error of a record names all fields that are missing or wrong")
    func failures() {
        #expect(
            ModelsAsRecords.failures(of: Data(#"{"latitude":[]}"#.utf8)) == [
                "latitude: mistyped, expected a number from -90 to 90"
            ])
    }
}
