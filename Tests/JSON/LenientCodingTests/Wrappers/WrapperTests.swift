import Foundation
import LenientCoding
import Testing

@Suite("Property wrappers")
struct WrapperTests {
    private enum Icon: String, Codable, CaseIterable { case rain, snow, unknown }

    private enum UnknownIcon: DefaultValueProvider {
        static var defaultValue: Icon { .unknown }
    }

    private struct Lossies: Codable, Equatable {
        @Lossy var array: [Int]
        @Lossy var set: Set<String>
        @Lossy var dictionary: [String: Int]
        @Lossy var optional: [Int]?
        @Lossy var optionalTable: [String: Int]?
    }

    @Test("@Lossy leaves out elements that do not decode", arguments: Coder.allCases)
    func lossy(coder: Coder) throws {
        let document = #"{"array":[1,[],2],"set":["a",{},"a"],"dictionary":{"x_y":1,"b":[]},"optional":[{},3]}"#
        let read = try coder.decode(Lossies.self, document, .init(convertsSnakeCase: true))
        #expect(
            read
                == Lossies(array: [1, 2], set: ["a"], dictionary: ["x_y": 1], optional: [3], optionalTable: nil))
        #expect(try coder.encode(read).contains("optionalTable") == false)
        #expect(try coder.decode(Lossies.self, coder.encode(read)) == read)
        let nulls = try coder.decode(
            Lossies.self, #"{"array":[],"set":[],"dictionary":{},"optional":null,"optionalTable":null}"#)
        #expect(nulls.optional == nil)
        #expect(nulls.optionalTable == nil)
    }

    @Test("@Lossy requires its collection, unless it is optional", arguments: Coder.allCases)
    func lossyMissing(coder: Coder) throws {
        struct One: Codable { @Lossy var list: [Int] }
        for document in ["{}", #"{"list":null}"#, #"{"list":{}}"#, #"{"list":"x"}"#] {
            #expect(errorPath { try coder.decode(One.self, document) } == "list", "\(document)")
        }
    }

    private struct Defaults: Codable, Equatable {
        @DefaultZero var count: Int
        @DefaultEmpty var tags: [String]
        @DefaultEmpty var table: [String: Int]
        @DefaultFalse var isOn: Bool
        @DefaultTrue var isOff: Bool
        @Default<UnknownIcon> var icon: Icon
    }

    @Test("@Default replaces a missing or null value, and no other", arguments: Coder.allCases)
    func missingValues(coder: Coder) throws {
        let standard = Defaults(count: 0, tags: [], table: [:], isOn: false, isOff: true, icon: .unknown)
        #expect(try coder.decode(Defaults.self, "{}") == standard)
        let nulls = #"{"count":null,"tags":null,"table":null,"isOn":null,"isOff":null,"icon":null}"#
        #expect(try coder.decode(Defaults.self, nulls) == standard)
        let full = #"{"count":2,"tags":["a"],"table":{"b":3},"isOn":true,"isOff":false,"icon":"rain"}"#
        let read = try coder.decode(Defaults.self, full)
        #expect(read == Defaults(count: 2, tags: ["a"], table: ["b": 3], isOn: true, isOff: false, icon: .rain))
        #expect(try coder.decode(Defaults.self, coder.encode(read)) == read)
        #expect(errorPath { try coder.decode(Defaults.self, #"{"count":[]}"#) } == "count")
        #expect(errorPath { try coder.decode(Defaults.self, #"{"icon":"hail"}"#) } == "icon")
    }

    private struct Fallbacks: Codable, Equatable {
        @FallbackZero var count: Int
        @FallbackEmpty var tags: Set<String>
        @FallbackFalse var isOn: Bool
        @FallbackTrue var isOff: Bool
        @FallbackNil var index: Int?
        @Fallback<UnknownIcon> var icon: Icon
    }

    @Test("@Fallback also replaces an invalid value and reports it", arguments: Coder.allCases)
    func fallback(coder: Coder) throws {
        let standard = Fallbacks(count: 0, tags: [], isOn: false, isOff: true, index: nil, icon: .unknown)
        #expect(try coder.decode(Fallbacks.self, "{}") == standard)
        let nulls = #"{"count":null,"tags":null,"isOn":null,"isOff":null,"index":null,"icon":null}"#
        #expect(try coder.decode(Fallbacks.self, nulls) == standard)
        #expect(try coder.drift(of: Fallbacks.self, nulls) == [])
        let wrong = #"{"count":[],"tags":{},"isOn":7,"isOff":[],"index":1e999,"icon":"hail"}"#
        #expect(try coder.decode(Fallbacks.self, wrong) == standard)
        #expect(
            try coder.drift(of: [Fallbacks].self, "[\(wrong)]").first == "defaulted [].count mistyped 1 [0].count")
        #expect(try coder.drift(of: [Fallbacks].self, "[\(wrong)]").count == 6)
        let full = #"{"count":2,"tags":["a"],"isOn":true,"isOff":false,"index":3,"icon":"rain"}"#
        let read = try coder.decode(Fallbacks.self, full)
        #expect(read == Fallbacks(count: 2, tags: ["a"], isOn: true, isOff: false, index: 3, icon: .rain))
        #expect(try coder.decode(Fallbacks.self, coder.encode(read)) == read)
        #expect(try coder.encode(standard).contains("index") == false)
    }

    private struct Box<Value: LosslessValue & Equatable>: Codable, Equatable {
        @Lossless var value: Value
    }

    private func lossless<Value: LosslessValue & Equatable>(
        _ coder: Coder, _ type: Value.Type = Value.self, _ text: String
    ) throws -> Value {
        try coder.decode(Box<Value>.self, "{\"value\":\(text)}").value
    }

    @Test("@Lossless reads a Boolean from 0, 1 and its name, and refuses 2", arguments: Coder.allCases)
    func losslessBool(coder: Coder) throws {
        for (text, expected) in [
            ("true", true), ("1", true), (#""true""#, true), (#""1""#, true), ("false", false), ("0", false),
            (#""false""#, false), (#""0""#, false),
        ] {
            #expect(try lossless(coder, Bool.self, text) == expected, "\(text)")
        }
        for text in ["2", "-1", #""yes""#, #""TRUE""#, #""""#, "null", "[]", "{}", "0.5"] {
            #expect(errorPath { try lossless(coder, Bool.self, text) } == "value", "\(text)")
        }
    }

    @Test("@Lossless reads numbers from strings and never truncates them", arguments: Coder.allCases)
    func losslessNumbers(coder: Coder) throws {
        #expect(try lossless(coder, Int.self, "12") == 12)
        #expect(try lossless(coder, Int.self, #""12""#) == 12)
        #expect(try lossless(coder, Int.self, "12.0") == 12)
        #expect(try lossless(coder, Int.self, #"" 12""#) == 12)
        #expect(try lossless(coder, Int64.self, "9223372036854775807") == Int64.max)
        #expect(try lossless(coder, Int64.self, #""9223372036854775807""#) == Int64.max)
        #expect(try lossless(coder, UInt64.self, "18446744073709551615") == UInt64.max)
        #expect(try lossless(coder, Double.self, #""0.5""#) == 0.5)
        #expect(try lossless(coder, Double.self, "1") == 1.0)
        #expect(try lossless(coder, Decimal.self, "0.1") == Decimal(string: "0.1"))
        #expect(try lossless(coder, Decimal.self, #""0.1""#) == Decimal(string: "0.1"))
        for text in [
            "12.5", #""12.5""#, #""x""#, #""""#, #""1 2""#, "9223372036854775808", "1e400", "true", "[1]", "null",
        ] {
            #expect(errorPath { try lossless(coder, Int.self, text) } != nil, "\(text)")
        }
        #expect(errorPath { try lossless(coder, UInt8.self, "256") } == "value")
        #expect(errorPath { try lossless(coder, Double.self, #""nan""#) } == "value")
    }

    @Test("@Lossless reads identifiers of any length as strings", arguments: Coder.allCases)
    func losslessStrings(coder: Coder) throws {
        #expect(try lossless(coder, String.self, #""x""#) == "x")
        #expect(try lossless(coder, String.self, "12") == "12")
        #expect(try lossless(coder, String.self, "12345678901234567890") == "12345678901234567890")
        #expect(try lossless(coder, String.self, "98765432109876543210") == "98765432109876543210")
        #expect(try lossless(coder, String.self, "true") == "true")
        #expect(errorPath { try lossless(coder, String.self, "[]") } == "value")
        #expect(errorPath { try lossless(coder, String.self, "null") } == "value")
    }

    @Test("@Lossless accepts null for an optional value, and reports conversions", arguments: Coder.allCases)
    func losslessOptional(coder: Coder) throws {
        #expect(try coder.decode(Box<Int?>.self, "{}").value == nil)
        #expect(try coder.decode(Box<Int?>.self, #"{"value":null}"#).value == nil)
        #expect(try coder.decode(Box<Int?>.self, #"{"value":"4"}"#).value == 4)
        #expect(try coder.encode(Box<Int?>(value: nil)) == "{}")
        #expect(try coder.encode(Box<Int?>(value: 4)) == #"{"value":4}"#)
        #expect(try coder.drift(of: Box<Int>.self, #"{"value":"4"}"#) == ["coerced value numericString 1 value"])
        #expect(try coder.drift(of: Box<String>.self, #"{"value":4}"#) == ["coerced value textOfNumber 1 value"])
        #expect(try coder.drift(of: Box<Bool>.self, #"{"value":1}"#) == ["coerced value booleanText 1 value"])
        #expect(try coder.drift(of: Box<Int>.self, #"{"value":4}"#) == [])
    }

    private enum TwitterDate: FixedDateStrategy {
        static let format: FixedDateFormat = "EEE MMM dd HH:mm:ss Z yyyy"
    }

    private struct Dates: Codable, Equatable {
        @Coded<TwitterDate> var created: Date
        @Coded<UnixSeconds> var seconds: Date
        @Coded<UnixMilliseconds> var milliseconds: Date
        @Coded<ISO8601> var iso: Date
        @Coded<ISO8601?> var absent: Date?
        @Coded<UnixSeconds?> var null: Date?
    }

    @Test("@Coded reads and writes with its strategy", arguments: Coder.allCases)
    func coded(coder: Coder) throws {
        let written =
            #"{"created":"Mon Mar 28 14:39:13 +0000 2016","iso":"2016-03-28T14:39:13.250Z","milliseconds":1459175953250,"#
            + #""seconds":1459175953.25}"#
        let document = written.dropLast() + #","null":null}"#
        let dates = try coder.decode(Dates.self, String(document))
        #expect(dates.created == Date(timeIntervalSince1970: 1_459_175_953))
        let quarter = Date(timeIntervalSince1970: 1_459_175_953.25)
        #expect(dates.iso == quarter)
        #expect(dates.milliseconds == quarter)
        #expect(dates.seconds == quarter)
        #expect(dates.absent == nil)
        #expect(dates.null == nil)
        #expect(try coder.decode(JSONValue.self, coder.encode(dates))["absent"] == nil)
        #expect(try coder.decode(Dates.self, coder.encode(dates)) == dates)
        #expect(errorPath { try coder.decode(Dates.self, "{}") } == "created")
        #expect(errorPath { try coder.decode(Dates.self, #"{"created":"28 March"}"#) } == "created")
        #expect(errorPath { try coder.decode(Dates.self, #"{"created":null}"#) } == "created")
    }

    @Test("A tenth of a second is encoded exactly")
    func decimals() throws {
        struct Times: Codable {
            @Coded<UnixSeconds> var seconds: Date
            @Coded<UnixMilliseconds> var milliseconds: Date
        }
        let date = Date(timeIntervalSince1970: 1_459_175_953.1)
        #expect(
            try Coder.lenient.encode(Times(seconds: date, milliseconds: date))
                == #"{"seconds":1459175953.1,"milliseconds":1459175953100}"#)
    }

    @Test("An open enumeration keeps unlisted values and reports them", arguments: Coder.allCases)
    func openEnum(coder: Coder) throws {
        let read = try coder.decode([OpenEnum<Icon>].self, #"["rain","hail"]"#)
        #expect(read == [.known(.rain), .unknown("hail")])
        #expect(try coder.encode(read) == #"["rain","hail"]"#)
        #expect(
            try coder.drift(of: [OpenEnum<Icon>].self, #"["rain","hail"]"#) == ["unrecognized [] unknownValue 1 [1]"])
    }
}
