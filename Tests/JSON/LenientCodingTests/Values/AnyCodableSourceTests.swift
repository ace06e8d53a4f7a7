import Foundation
import LenientCoding
import Testing

/// What `AnyCodable` makes of values from elsewhere, and what its own values cast to.
@Suite("AnyCodable from and to Any")
struct AnyCodableSourceTests {
    private struct Point: Codable {
        var x = 1, y = 2.5, name: String?, at = Date(timeIntervalSinceReferenceDate: 5)
        var tags: Set<String> = ["a"], table: [Int: Bool] = [7: true], level = Level.high
    }

    private enum Level: String, Codable { case low, high }

    private final class Node: Encodable {
        var id = 3
    }

    struct Source: CustomTestStringConvertible {
        let value: @Sendable () -> Any
        let json: String
        var testDescription: String { json }
    }

    @Test(
        "Values of Foundation and of Swift become the same JSON",
        arguments: [
            Source(value: { NSNumber(value: 0) }, json: "0"), Source(value: { NSNumber(value: 1) }, json: "1"),
            Source(value: { NSNumber(value: Int8(1)) }, json: "1"), Source(value: { NSNumber(value: 1.0) }, json: "1"),
            Source(value: { NSNumber(value: true) }, json: "true"),
            Source(value: { NSNumber(value: false) }, json: "false"),
            Source(value: { NSNumber(value: 0.1) }, json: "0.1"),
            Source(value: { NSNumber(value: UInt64.max) }, json: "18446744073709551615"),
            Source(value: { NSNumber(value: Int64.min) }, json: "-9223372036854775808"),
            Source(value: { NSDecimalNumber(string: "12345678901234567890123") }, json: "12345678901234567890123"),
            Source(value: { NSNull() }, json: "null"), Source(value: { () }, json: "null"),
            Source(value: { NSString("a") }, json: #""a""#), Source(value: { Substring("a") }, json: #""a""#),
            Source(
                value: {
                    NSDictionary(dictionary: ["a": NSNumber(value: 1), "b": NSNull(), "c": NSArray(array: [2, "x"])])
                },
                json: #"{"a":1,"b":null,"c":[2,"x"]}"#),
            Source(value: { [AnyHashable("a"): 1] as [AnyHashable: Any] }, json: #"{"a":1}"#),
            Source(value: { [1, 2.5, nil, true] as [Any?] }, json: "[1,2.5,null,true]"),
            Source(value: { 1...2 as ClosedRange<Int> }, json: "[1,2]"), Source(value: { Set(["a"]) }, json: #"["a"]"#),
            Source(value: { [7: "x"] }, json: #"{"7":"x"}"#), Source(value: { Level.high }, json: #""high""#),
            Source(value: { Node() }, json: #"{"id":3}"#), Source(value: { Float(0.5) }, json: "0.5"),
            Source(value: { JSONValue.object([.init("a", 1)]) }, json: #"{"a":1}"#),
        ])
    func sources(source: Source) throws {
        #expect(AnyCodable(source.value()).description == source.json)
        #expect(AnyCodable(exactly: source.value())?.description == source.json)
    }

    @Test("An encodable model keeps its dates for the strategy of the encoder", arguments: Coder.allCases)
    func models(coder: Coder) throws {
        let any = AnyCodable(Point())
        #expect(
            try AnyCodable(coder.decode(JSONValue.self, coder.encode(any)))
                == ["x": 1, "y": 2.5, "at": 5, "tags": ["a"], "table": ["7": true], "level": "high"])
        var encoder = CompactEncoder()
        encoder.dateEncodingStrategy = .iso8601
        let text = String(decoding: try encoder.encode(any), as: UTF8.self)
        #expect(text.contains(#""at":"2001-01-01T00:00:05Z""#))
    }

    @Test("A value that does not end is refused and does not crash")
    func endless() {
        struct Endless: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.unkeyedContainer()
                try container.encode(Endless())
            }
        }
        #expect(onDeepStack { AnyCodable(exactly: Endless()) == nil })
    }

    @Test(
        "Numbers and Booleans cast as those of JSONSerialization do",
        arguments: [
            "0", "1", "53", "53.0", "53.72", "-1", "true", "false", "1e3", "9223372036854775807",
            "18446744073709551615",
        ])
    func casts(text: String) throws {
        let expected = try JSONSerialization.jsonObject(with: Data("[\(text)]".utf8))
        let theirs = try #require((expected as? [Any])?.first)
        let ours = try Coder.lenient.decode([AnyCodable].self, "[\(text)]")[0].value
        #expect(ours as? Double == theirs as? Double)
        #expect(ours as? Int == theirs as? Int)
        #expect(ours as? Bool == theirs as? Bool)
        #expect(ours as? UInt64 == theirs as? UInt64)
        #expect(ours as? Float == theirs as? Float)
        #expect(ours as? String == theirs as? String)
        #expect((ours as? NSNumber) == (theirs as? NSNumber))
    }

    @Test(
        "A value that was taken out goes in again",
        arguments: ["0", "1", "true", "53.5", "[1,true,null]", #"{"a":[0,false]}"#])
    func roundTrip(text: String) throws {
        let any = try Coder.lenient.decode([AnyCodable].self, "[\(text)]")[0]
        #expect(AnyCodable(any.value) == any)
    }

    @Test("Literals may have interpolations and mixed values")
    func literals() {
        let name = "x"
        let any: AnyCodable = ["text": "a \(name)", "list": [1, 2.5, true, nil]]
        let json: JSONValue = ["text": "a \(name)", "list": [1, 2.5, true, nil]]
        #expect(JSONValue(any)?["text"]?.stringValue == "a x")
        #expect(json["text"] == "a x")
        #expect(AnyCodable(json) == any)
    }

    /// The models of the first articles that people move from, which cast the values of a dictionary.
    @Test("Models made of dictionaries get every field, also numbers without a fraction", arguments: Coder.allCases)
    func dictionaryModels(coder: Coder) throws {
        struct Hour: Equatable {
            var time: Double, windSpeed: Int, temperature: Double
        }
        let document = """
            {"latitude":37,"longitude":-122.5,"currently":{"summary":"Clear","temperature":53,"humidity":1},
             "hourly":{"data":[{"time":1557685055,"windSpeed":6,"temperature":54},{"time":1,"windSpeed":6.0,"temperature":1.5}]}}
            """
        let value = try coder.decode(AnyCodable.self, document).value
        let weather = try #require(value as? [String: AnyObject])
        #expect(weather["latitude"] as? Double == 37)
        #expect(weather["longitude"] as? Double == -122.5)
        let currently = try #require(weather["currently"] as? [String: AnyObject])
        #expect(currently["summary"] as? String == "Clear")
        #expect(currently["temperature"] as? Double == 53)
        #expect(currently["humidity"] as? Double == 1)
        let hourly = try #require(weather["hourly"] as? [String: AnyObject])
        let data = try #require(hourly["data"] as? [[String: AnyObject]])
        let hours = data.compactMap { hour -> Hour? in
            guard let time = hour["time"] as? Double, let speed = hour["windSpeed"] as? Int,
                let temperature = hour["temperature"] as? Double
            else { return nil }
            return Hour(time: time, windSpeed: speed, temperature: temperature)
        }
        #expect(
            hours == [
                Hour(time: 1_557_685_055, windSpeed: 6, temperature: 54), Hour(time: 1, windSpeed: 6, temperature: 1.5),
            ])
    }
}
